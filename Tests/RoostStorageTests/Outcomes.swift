import Dispatch
import Synchronization

/// Counts completions that come from the writer's thread.
final class Outcomes: Sendable {
  private let count: Int
  private let state = Mutex((succeeded: 0, failed: 0))
  private let done = DispatchSemaphore(value: 0)

  init(count: Int) { self.count = count }

  func add(_ hasSucceeded: Bool) {
    let total = state.withLock { state in
      if hasSucceeded { state.succeeded += 1 } else { state.failed += 1 }
      return state.succeeded + state.failed
    }
    if total == count { done.signal() }
  }

  func wait() { done.wait() }

  var succeeded: Int { state.withLock { $0.succeeded } }
  var failed: Int { state.withLock { $0.failed } }
}
