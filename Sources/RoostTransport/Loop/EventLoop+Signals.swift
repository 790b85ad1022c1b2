import CLinux
import Glibc

extension EventLoop {
  /// Takes signals of the process as events of this loop instead of interruptions.
  ///
  /// Whichever thread the kernel picks, its handler only counts: the action runs in a turn. Several
  /// signals that come before that turn are one. A signal can be taken by one loop of a process.
  package func takeSignals(
    _ signals: [Int32], _ action: @escaping () -> Void
  ) throws(TransportError) {
    let descriptor = try SystemCall.check(
      eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "eventfd")
    _ = try poller.add(SignalPollable(descriptor: descriptor, action: action), .readable)
    for signal in signals {
      try SystemCall.check(clinux_signal_to_eventfd(signal, descriptor), "sigaction")
    }
  }
}

/// Signals within their loop. The descriptor stays open: a handler may still write to it.
private final class SignalPollable: Pollable {
  let descriptor: Int32
  private let action: () -> Void

  init(descriptor: Int32, action: @escaping () -> Void) {
    self.descriptor = descriptor
    self.action = action
  }

  func ready(_ readiness: Readiness) {
    var counter: UInt64 = 0
    _ = SystemCall.retrying { Glibc.read(descriptor, &counter, 8) }
    action()
  }
}
