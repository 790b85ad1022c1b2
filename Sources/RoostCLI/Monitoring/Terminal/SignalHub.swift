import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Signals of the process, taken by whoever asks for them instead of ending it.
///
/// A handler may do next to nothing, so it writes the signal's number into a pipe that one thread
/// reads. The thread and the pipe stay until the process ends; a signal nobody asks for any more
/// has its default effect again.
final class SignalHub: Sendable {
  static let shared = SignalHub()

  private struct State {
    var takers: [UInt64: (signals: [Int32], take: @Sendable (Int32) -> Void)] = [:]
    var next: UInt64 = 1
    var isReading = false
  }

  private let state = Mutex(State())

  private init() {}

  /// What ends the interest in some signals.
  struct Token: Sendable {
    fileprivate var number: UInt64
  }

  /// Calls `take` on a thread of the hub's for each of the signals that comes.
  ///
  /// - Throws: ``CommandFault`` when the process has no descriptors left.
  func take(
    _ signals: [Int32], _ take: @escaping @Sendable (Int32) -> Void
  ) throws(CommandFault) -> Token {
    try startReading()
    let number = state.withLock { state in
      let number = state.next
      state.next += 1
      state.takers[number] = (signals, take)
      return number
    }
    for number in signals { signal(number) { writeSignal($0) } }
    return Token(number: number)
  }

  /// Ends the interest; signals that nobody else takes have their default effect.
  func drop(_ token: Token) {
    state.withLock { state in
      guard let gone = state.takers.removeValue(forKey: token.number) else { return }
      var taken: Set<Int32> = []
      for taker in state.takers.values { taken.formUnion(taker.signals) }
      for number in gone.signals where !taken.contains(number) { signal(number, SIG_DFL) }
    }
  }

  private func startReading() throws(CommandFault) {
    let isFirst = state.withLock { state in
      defer { state.isReading = true }
      return !state.isReading
    }
    guard isFirst else { return }
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      state.withLock { $0.isReading = false }
      throw CommandFault("no pipe for signals: \(String(cString: strerror(errno)))", exitCode: 1)
    }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    // A full pipe must not hold a handler up.
    _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
    signalPipe.store(ends[1], ordering: .releasing)
    let reader = ends[0]
    DispatchQueue(label: "roost.signals").async { self.read(reader) }
  }

  private func read(_ descriptor: Int32) {
    var number: UInt8 = 0
    while true {
      let count = systemRead(descriptor, &number)
      if count < 0, errno == EINTR { continue }
      guard count == 1 else { return }
      let signal = Int32(number)
      let takers = state.withLock { state in
        state.takers.values.filter { $0.signals.contains(signal) }.map { $0.take }
      }
      for take in takers { take(signal) }
    }
  }
}

/// Where handlers write; -1 before the first one is in place.
private let signalPipe = Atomic<Int32>(-1)

/// Runs in a signal handler: one write, and the interrupted code's `errno` is kept.
private func writeSignal(_ number: Int32) {
  let saved = errno
  var byte = UInt8(truncatingIfNeeded: number)
  _ = write(signalPipe.load(ordering: .acquiring), &byte, 1)
  errno = saved
}

private func systemRead(_ descriptor: Int32, _ byte: inout UInt8) -> Int {
  read(descriptor, &byte, 1)
}
