import CLinux
import Glibc

extension EventLoop {
  /// Takes signals of the process as events of this loop instead of interruptions.
  ///
  /// Call it on the main thread before other threads start: they inherit the mask that keeps the
  /// signals for the loop.
  package func takeSignals(
    _ signals: [Int32], _ action: @escaping (Int32) -> Void
  ) throws(TransportError) {
    var mask = sigset_t()
    sigemptyset(&mask)
    for signal in signals { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_BLOCK, &mask, nil)
    let descriptor = try SystemCall.check(
      signalfd(-1, &mask, Int32(SFD_NONBLOCK | SFD_CLOEXEC)), "signalfd")
    _ = try poller.add(SignalPollable(descriptor: descriptor, action: action), .readable)
  }
}

/// A signalfd within its loop.
private final class SignalPollable: Pollable, Closable {
  let descriptor: Int32
  private let action: (Int32) -> Void

  init(descriptor: Int32, action: @escaping (Int32) -> Void) {
    self.descriptor = descriptor
    self.action = action
  }

  deinit { Glibc.close(descriptor) }

  func ready(_ readiness: Readiness) {
    var record = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    while SystemCall.retrying({ Glibc.read(descriptor, &record, size) }) == size {
      action(Int32(bitPattern: record.ssi_signo))
    }
  }

  func closeAtOnce() {}
}
