import Glibc
import Synchronization

/// Runs one thing after another on the threads of a pool: the executor of a blocking actor.
///
/// Work that needs no Task comes by ``run(_:)``; within it, `assumeIsolated` of the actor holds.
final class Strand: SerialExecutor {
  private enum Job {
    case actor(UnownedJob)
    case work(@Sendable () -> Void)
  }

  private struct State {
    var jobs: [Job] = []
    var isScheduled = false
  }

  /// Jobs run before the thread looks at others' work again.
  private static let jobsPerRound = 64

  private let pool: ThreadPool
  private let state = Mutex(State())
  /// The thread that runs the strand just now; 0 if none does.
  private let runner = Atomic<UInt>(0)

  init(on pool: ThreadPool) { self.pool = pool }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    // A job that is dropped would leave its caller waiting for ever.
    if !add(.actor(job)) { job.runSynchronously(on: asUnownedSerialExecutor()) }
  }

  /// Runs `work` after all that was given before; false once the pool is stopped.
  @discardableResult
  func run(_ work: @escaping @Sendable () -> Void) -> Bool { add(.work(work)) }

  func isIsolatingCurrentContext() -> Bool? { isCurrent }

  func checkIsolated() { precondition(isCurrent, "not within the strand") }

  private var isCurrent: Bool { runner.load(ordering: .relaxed) == UInt(pthread_self()) }

  private func add(_ job: Job) -> Bool {
    let mustSchedule = state.withLock { state in
      state.jobs.append(job)
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    return mustSchedule ? pool.run { self.round() } : true
  }

  private func round() {
    repeat {
      runSome()
      // A stopped pool takes nothing more: what is left is finished here.
    } while goesOn() && !pool.run { self.round() }
  }

  private func runSome() {
    let jobs = state.withLock { state in
      let count = min(state.jobs.count, Strand.jobsPerRound)
      let jobs = Array(state.jobs.prefix(count))
      state.jobs.removeFirst(count)
      return jobs
    }
    runner.store(UInt(pthread_self()), ordering: .relaxed)
    for job in jobs {
      switch job {
      case .actor(let job): job.runSynchronously(on: asUnownedSerialExecutor())
      case .work(let work): work()
      }
    }
    runner.store(0, ordering: .relaxed)
  }

  private func goesOn() -> Bool {
    state.withLock { state in
      state.isScheduled = !state.jobs.isEmpty
      return state.isScheduled
    }
  }
}
