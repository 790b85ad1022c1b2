import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Reads a terminal's keys on a thread of its own.
///
/// At most ``keysMax`` keys wait to be taken; then the thread reads no more until one is.
final class KeyReader: Sendable {
  private static let keysMax = 64
  /// How long a wait for a key lasts before the thread looks whether it is still wanted.
  private static let waitMilliseconds: Int32 = 200
  /// How long what follows an Escape may take before it is that key alone.
  private static let escapeMilliseconds: Int32 = 50

  private let descriptor: Int32
  private let take: @Sendable (TopKey?) -> Void
  private let isEnded = Atomic(false)
  private let room = DispatchSemaphore(value: 0)

  /// Calls `take` for each key on the reader's thread, and with nil when the input ends.
  init(_ descriptor: Int32, _ take: @escaping @Sendable (TopKey?) -> Void) {
    self.descriptor = descriptor
    self.take = take
    // Raised from 0: a semaphore that goes while below its first value traps.
    for _ in 0..<KeyReader.keysMax { room.signal() }
  }

  func start() { DispatchQueue(label: "roost.keys").async { self.run() } }

  /// A key was dealt with.
  func taken() { room.signal() }

  /// The thread ends within its bounded wait.
  func end() { isEnded.store(true, ordering: .releasing) }

  private func run() {
    var parser = TopKeyParser()
    var bytes = [UInt8](repeating: 0, count: 256)
    while !isEnded.load(ordering: .acquiring) {
      let wait = parser.isWaiting ? KeyReader.escapeMilliseconds : KeyReader.waitMilliseconds
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      let ready = poll(&polled, 1, wait)
      if ready < 0, errno != EINTR { return take(nil) }
      if ready == 0 { hand(parser.flush()) }
      guard ready > 0 else { continue }
      let count = systemRead(descriptor, &bytes)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count > 0 else { return take(nil) }
      hand(parser.take(bytes.prefix(count)))
    }
  }

  private func hand(_ keys: [TopKey]) {
    for key in keys {
      while room.wait(timeout: .now() + .milliseconds(Int(KeyReader.waitMilliseconds))) == .timedOut
      {
        if isEnded.load(ordering: .acquiring) { return }
      }
      take(key)
    }
  }
}

private func systemRead(_ descriptor: Int32, _ bytes: inout [UInt8]) -> Int {
  bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
}
