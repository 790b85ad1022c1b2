import RoostModel
import RoostSQLite
import Synchronization

/// Connections that only read: made when needed, kept when not, never more than the limit.
final class ReaderPool: Sendable {
  /// Carries a connection between threads.
  ///
  /// Unchecked: whoever takes it out of the pool is its only user until it comes back.
  private struct Idle: @unchecked Sendable {
    let connection: Connection
    /// The one its statements were made for.
    let layout: StoreLayout
  }

  private struct State {
    var idle: [Idle] = []
    var inUse = 0
    var isClosed = false
  }

  private let state = Mutex(State())
  private let shared: StoreShared

  init(_ shared: StoreShared) { self.shared = shared }

  func make() throws(StoreError) -> SQLiteReader {
    enum Choice {
      case idle(Idle)
      case new
      case full
    }
    let choice = state.withLock { state -> Choice in
      if state.inUse >= StorageLimits.readersMax { return .full }
      state.inUse += 1
      return state.idle.popLast().map { .idle($0) } ?? .new
    }
    switch choice {
    case .idle(let idle):
      count()
      return SQLiteReader(idle.connection, idle.layout, shared, self)
    case .full:
      throw StoreError(
        .resourceExhausted, .streams, "\(StorageLimits.readersMax) readers are in use")
    case .new:
      do {
        let connection = try open()
        count()
        return SQLiteReader(connection, shared.layout, shared, self)
      } catch {
        state.withLock { $0.inUse -= 1 }
        throw StoreError(error)
      }
    }
  }

  private func open() throws(SQLiteError) -> Connection {
    let connection = try Connection(path: shared.path, mode: .readOnly)
    // Only the recovery after a crash, or the writer's reopening, holds a lock for a moment.
    connection.setBusyTimeout(milliseconds: StorageLimits.busyMilliseconds)
    connection.offerProcessor(everySteps: StorageLimits.stepsPerTurn)
    try connection.execute(
      """
      PRAGMA cache_size=-\(StorageLimits.readerCacheKiB);
      PRAGMA query_only=ON;
      PRAGMA trusted_schema=OFF;
      PRAGMA mmap_size=0;
      """)
    try SQLFunctions.register(on: connection)
    return connection
  }

  func giveBack(_ connection: Connection, _ layout: StoreLayout) {
    let idle = Idle(connection: connection, layout: layout)
    state.withLock { state in
      state.inUse -= 1
      if !state.isClosed, state.idle.count < StorageLimits.readersIdleMax {
        state.idle.append(idle)
      }
    }
    count()
  }

  private func count() {
    let inUse = state.withLock { $0.inUse }
    shared.tally.count { $0.readers = inUse }
  }

  func close() {
    let idle = state.withLock { state in
      state.isClosed = true
      defer { state.idle = [] }
      return state.idle
    }
    withExtendedLifetime(idle) {}
  }
}
