import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A thread that carries any number of connections without a Task or a lock per call.
///
/// Everything that belongs to it runs on its thread: enter with ``execute(_:)``, go on from
/// completions. A completion must not block, or every connection of the loop waits.
public final class ClientLoop: Sendable {
  private let inbox: LoopInbox

  /// Starts the thread.
  ///
  /// - Throws: ``ClientError`` when the system has no more files or threads.
  public init() throws(ClientError) {
    inbox = try LoopInbox()
    let isStarted = DetachedThread.run { [inbox] in LoopScope(inbox).run() }
    guard isStarted else {
      inbox.finish()
      throw ClientError(.resourceExhausted, .local, "no more threads")
    }
  }

  deinit { stop() }

  /// Runs `job` on the loop's thread, after those that came before; false once it has stopped.
  @discardableResult
  public func execute(_ job: @escaping @Sendable (LoopScope) -> Void) -> Bool {
    inbox.add(job)
  }

  /// Closes the connections and ends the thread; returns at once and may be called again.
  ///
  /// Jobs handed in before still run; calls that are open end with the code `closed`.
  public func stop() {
    inbox.add { $0.isStopping = true }
  }
}

/// The jobs other threads hand to a loop, and the pipe that wakes it.
final class LoopInbox: Sendable {
  typealias Job = @Sendable (LoopScope) -> Void

  private struct State {
    var jobs: [Job] = []
    var isSignalled = false
    var isFinished = false
  }
  private let state = Mutex(State())
  /// The end of the pipe the loop polls.
  let readEnd: Int32
  private let writeEnd: Int32

  init() throws(ClientError) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      throw SocketFailure(code: errno).asError(connectingTo: RoostURL(host: "", port: 1))
    }
    readEnd = ends[0]
    writeEnd = ends[1]
    Socket.prepare(readEnd)
    Socket.prepare(writeEnd)
  }

  @discardableResult
  func add(_ job: @escaping Job) -> Bool {
    state.withLock { state in
      if state.isFinished { return false }
      state.jobs.append(job)
      // Written under the lock, so that the descriptor cannot have been closed meanwhile.
      if !state.isSignalled {
        state.isSignalled = true
        var byte: UInt8 = 1
        _ = write(writeEnd, &byte, 1)
      }
      return true
    }
  }

  /// Exchanges the waiting jobs for an empty array, whose memory is used again.
  func take(_ jobs: inout [Job]) {
    state.withLock { state in
      if state.isSignalled {
        state.isSignalled = false
        var bytes: UInt64 = 0
        _ = read(readEnd, &bytes, 8)
      }
      swap(&state.jobs, &jobs)
    }
  }

  /// Refuses what comes later and gives what came before.
  @discardableResult
  func finish() -> [Job] {
    state.withLock { state in
      if state.isFinished { return [] }
      state.isFinished = true
      Socket.close(readEnd)
      Socket.close(writeEnd)
      defer { state.jobs = [] }
      return state.jobs
    }
  }
}
