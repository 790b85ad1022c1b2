import Dispatch
import RoostTransport
import Synchronization

/// Threads outside the cooperative pool that take work from one queue: what blocks runs here.
final class ThreadPool: Sendable {
  private struct State {
    var queue: [@Sendable () -> Void] = []
    var head = 0
    var threads: [OwnedThread] = []
    var isStopped = false
  }

  private let state = Mutex(State())
  private let signal = DispatchSemaphore(value: 0)

  init(name: String, threads count: Int) throws(TransportError) {
    for index in 0..<count {
      // The threads keep the pool until it is stopped.
      let thread = try OwnedThread(name: "\(name)-\(index)") { [self] in serve() }
      state.withLock { $0.threads.append(thread) }
    }
  }

  /// false once the pool is stopped; the work is dropped then.
  @discardableResult
  func run(_ work: @escaping @Sendable () -> Void) -> Bool {
    let isTaken = state.withLock { state in
      if state.isStopped { return false }
      state.queue.append(work)
      return true
    }
    if isTaken { signal.signal() }
    return isTaken
  }

  /// Finishes what is queued and waits for the threads; not to be called from one of them.
  func stop() {
    let threads = state.withLock { state in
      state.isStopped = true
      defer { state.threads = [] }
      return state.threads
    }
    for _ in threads { signal.signal() }
    for thread in threads { thread.join() }
  }

  private func serve() {
    while true {
      signal.wait()
      guard let work = take() else { return }
      work()
    }
  }

  /// nil at the end: each stopped thread got one signal more than there was work.
  private func take() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard state.head < state.queue.count else { return nil }
      let work = state.queue[state.head]
      state.head += 1
      if state.head == state.queue.count {
        state.queue.removeAll(keepingCapacity: state.head <= 4_096)
        state.head = 0
      } else if state.head >= 4_096 {
        state.queue.removeSubrange(..<state.head)
        state.head = 0
      }
      return work
    }
  }
}
