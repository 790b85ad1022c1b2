import Dispatch
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Ctrl-C ends a run early, so that rows get their values back and what was measured is shown;
/// a second one ends the program.
enum Interruption {
  private static let count = Atomic<Int>(0)

  static var hasCome: Bool { count.load(ordering: .relaxed) > 0 }

  /// Starts to listen; keep what it returns.
  static func listen() -> [any DispatchSourceSignal] {
    [SIGINT, SIGTERM].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
      source.setEventHandler {
        if count.add(1, ordering: .relaxed).newValue > 1 { exit(128 + number) }
      }
      source.resume()
      return source
    }
  }
}
