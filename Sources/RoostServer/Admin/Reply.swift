import Dispatch
import Synchronization

/// Where a thread waits for what another one finds out.
final class Reply<Result: Sendable>: Sendable {
  private let result = Mutex<Result?>(nil)
  private let done = DispatchSemaphore(value: 0)

  /// What whoever keeps `sender` said; nil if it said nothing in time, or was dropped.
  static func waiting(
    milliseconds: Int, _ ask: (_ sender: Sender) -> Void
  ) -> Result? {
    let reply = Reply()
    ask(Sender(reply))
    _ = reply.done.wait(timeout: .now() + .milliseconds(milliseconds))
    return reply.result.withLock { $0 }
  }

  /// Ends the wait when it goes, so that a dropped question is not waited for.
  final class Sender: Sendable {
    private let reply: Reply

    fileprivate init(_ reply: Reply) { self.reply = reply }

    func send(_ result: Result) { reply.result.withLock { $0 = result } }

    deinit { reply.done.signal() }
  }
}
