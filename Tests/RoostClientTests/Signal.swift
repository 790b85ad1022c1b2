import Dispatch
import Synchronization

/// Something that happens once; whoever waits for it goes on when it has.
final class Signal: Sendable {
  private struct State {
    var hasFired = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }
  private let state = Mutex(State())
  private let semaphore = DispatchSemaphore(value: 0)

  /// Blocks a thread of the test's own; never one of the pool.
  func waitHere() {
    semaphore.wait()
    semaphore.signal()
  }

  func fire() {
    semaphore.signal()
    let waiters = state.withLock { state in
      state.hasFired = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  func wait() async {
    await withCheckedContinuation { waiter in
      let hasFired = state.withLock { state in
        if !state.hasFired { state.waiters.append(waiter) }
        return state.hasFired
      }
      if hasFired { waiter.resume() }
    }
  }
}

final class Counter: Sendable {
  private let count = Mutex(0)

  var value: Int { count.withLock { $0 } }

  /// The count after it.
  @discardableResult
  func add(_ number: Int = 1) -> Int {
    count.withLock {
      $0 += number
      return $0
    }
  }
}
