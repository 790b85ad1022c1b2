import CLinux
import Glibc
import Synchronization

/// Brings work to a loop from any thread; the loop wakes once for all that waits.
package final class Mailbox: Sendable {
  package typealias Job = @Sendable (EventLoop) -> Void

  private struct State {
    var jobs: [Job] = []
    var isSignalled = false
    var isClosed = false
  }

  private let state = Mutex(State())
  private let capacity: Int
  let descriptor: Int32

  init(capacity: Int) throws(TransportError) {
    self.capacity = capacity
    descriptor = try SystemCall.check(
      eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC)), "eventfd")
  }

  deinit { Glibc.close(descriptor) }

  /// Runs `job` on the loop's thread at its next turn, in the order of posting.
  ///
  /// - Returns: false if the loop is gone or too many jobs wait; the job is dropped then.
  @discardableResult
  package func post(_ job: @escaping Job) -> Bool {
    let (isTaken, mustSignal) = state.withLock { state in
      guard !state.isClosed, state.jobs.count < capacity else { return (false, false) }
      state.jobs.append(job)
      defer { state.isSignalled = true }
      return (true, !state.isSignalled)
    }
    if mustSignal { signal() }
    return isTaken
  }

  /// Makes the loop take a turn even if there is no job.
  package func wake() {
    let mustSignal = state.withLock { state in
      defer { state.isSignalled = true }
      return !state.isSignalled && !state.isClosed
    }
    if mustSignal { signal() }
  }

  private func signal() {
    var one: UInt64 = 1
    _ = SystemCall.retrying { Glibc.write(descriptor, &one, 8) }
  }

  /// Swaps the waiting jobs into `jobs`, which must be empty.
  func take(into jobs: inout [Job]) {
    var counter: UInt64 = 0
    _ = SystemCall.retrying { Glibc.read(descriptor, &counter, 8) }
    state.withLock { state in
      swap(&state.jobs, &jobs)
      state.isSignalled = false
    }
  }

  /// Refuses further jobs and gives those that wait.
  func close() -> [Job] {
    state.withLock { state in
      state.isClosed = true
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
