import CSQLite
import Glibc

/// One connection to a database file, in multi-thread mode: one thread at a time uses it.
///
/// Not Sendable: it belongs to whoever made it, or to whom it was handed whole.
package final class Connection {
  package enum Mode: Sendable {
    case create
    case readWrite
    case readOnly
  }

  let handle: OpaquePointer
  package let interrupter: Interrupter
  private var idle: [String: [Statement]] = [:]
  private var idleCount = 0
  private var beginning: Statement?
  private var committing: Statement?
  private let statementsMax: Int
  /// How many statements ``take(_:)`` found and how many it prepared since they were forgotten.
  ///
  /// Used by one thread and never while it is changed: a check of that would cost ten times what
  /// the counting does.
  @exclusivity(unchecked) package private(set) var statementFigures = (hits: 0, misses: 0)
  private var rowChangeBox: CallbackBox<(RowChange, Int64) -> Void>?
  private var walBox: CallbackBox<(Int) -> Void>?

  /// Without statistics SQLite takes no lock of the whole process for each allocation, of which
  /// an import makes five a row. Refused, and harmless, when the process has used SQLite before.
  private static let keepsNoMemoryStatistics = csqlite_keep_no_memory_statistics() == SQLITE_OK

  /// Opens the file; checkpoints by themselves are off in every connection.
  ///
  /// - Parameters:
  ///   - path: The database file.
  ///   - mode: Whether it may be made or written.
  ///   - statementsMax: How many idle prepared statements are kept.
  /// - Throws: What SQLite says, such as CANTOPEN.
  package init(path: String, mode: Mode, statementsMax: Int = 128) throws(SQLiteError) {
    _ = Connection.keepsNoMemoryStatistics
    var opened: OpaquePointer?
    let access =
      switch mode {
      case .create: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
      case .readWrite: SQLITE_OPEN_READWRITE
      case .readOnly: SQLITE_OPEN_READONLY
      }
    let result = sqlite3_open_v2(
      path, &opened, access | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard result == SQLITE_OK, let opened else {
      let error = SQLiteError(connection: opened, result: result, sql: nil)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    interrupter = Interrupter(opened)
    self.statementsMax = statementsMax
    sqlite3_wal_autocheckpoint(opened, 0)
  }

  deinit {
    interrupter.clear()
    idle.removeAll()
    beginning = nil
    committing = nil
    // Statements that someone still holds keep the connection alive until they are gone.
    sqlite3_close_v2(handle)
  }

  /// How long a statement waits for a lock that another connection holds.
  package func setBusyTimeout(milliseconds: Int32) {
    sqlite3_busy_timeout(handle, milliseconds)
  }

  // MARK: Statements

  /// A statement ready to be bound: from the cache, or prepared anew.
  ///
  /// It is the caller's until ``giveBack(_:)``; two callers never share one.
  package func take(_ sql: String) throws(SQLiteError) -> Statement {
    // In place: one look for the text, and no copy of what lies there.
    if let statement = idle[sql]?.popLast() {
      idleCount -= 1
      statementFigures.hits += 1
      statement.connection = self
      return statement
    }
    statementFigures.misses += 1
    return try Statement(self, sql)
  }

  package func giveBack(_ statement: Statement) {
    statement.reset()
    statement.clearBindings()
    if idleCount >= statementsMax {
      idle.removeAll(keepingCapacity: true)
      idleCount = 0
    }
    statement.connection = nil
    idle[statement.sql, default: []].append(statement)
    idleCount += 1
  }

  package func dropStatements() {
    idle.removeAll()
    idleCount = 0
  }

  package func forgetStatementFigures() { statementFigures = (0, 0) }

  /// Begins a transaction, by a statement that stays prepared.
  package func begin() throws(SQLiteError) { try run(&beginning, "BEGIN") }

  /// Ends a transaction, by a statement that stays prepared.
  package func commit() throws(SQLiteError) { try run(&committing, "COMMIT") }

  private func run(_ kept: inout Statement?, _ sql: String) throws(SQLiteError) {
    if let kept { return try kept.run() }
    let statement = try Statement(self, sql)
    // What the connection keeps must not keep the connection.
    statement.connection = nil
    kept = statement
    try statement.run()
  }

  /// Runs statements without parameters or results.
  package func execute(_ sql: String) throws(SQLiteError) {
    let result = sqlite3_exec(handle, sql, nil, nil, nil)
    if result != SQLITE_OK {
      throw SQLiteError(connection: handle, result: result, sql: sql)
    }
  }

  /// The first column of the first row as an integer; nil without a row.
  package func integer(_ sql: String) throws(SQLiteError) -> Int64? {
    let statement = try take(sql)
    defer { giveBack(statement) }
    return try statement.step() ? statement.int64(0) : nil
  }

  /// The first column of the first row as text; nil without a row.
  package func text(_ sql: String) throws(SQLiteError) -> String? {
    let statement = try take(sql)
    defer { giveBack(statement) }
    return try statement.step() ? statement.string(0) : nil
  }

  // MARK: State

  /// The engine's version, such as "3.40.1".
  package static var version: String { String(cString: sqlite3_libversion()) }

  package var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

  /// Rows the last statement changed.
  package var changes: Int { Int(sqlite3_changes64(handle)) }

  /// How far a checkpoint goes (SQLite, `sqlite3_wal_checkpoint_v2`).
  package enum CheckpointMode: Sendable {
    /// Moves what it can and waits for nobody.
    case passive
    /// Waits for readers, as long as the busy timeout says, so that the next commit begins the WAL
    /// anew.
    case restart
    /// The same, and cuts the WAL's file.
    case truncate

    fileprivate var number: Int32 {
      switch self {
      case .passive: SQLITE_CHECKPOINT_PASSIVE
      case .restart: SQLITE_CHECKPOINT_RESTART
      case .truncate: SQLITE_CHECKPOINT_TRUNCATE
      }
    }
  }

  /// Moves pages from the WAL to the file.
  ///
  /// - Parameter mode: Whom it waits for.
  /// - Returns: Frames in the WAL, and how many of them are in the file now.
  /// - Throws: BUSY when readers took longer than the timeout; what could be moved has been.
  package func checkpoint(_ mode: CheckpointMode) throws(SQLiteError) -> (frames: Int, moved: Int) {
    var frames: Int32 = 0
    var moved: Int32 = 0
    let result = sqlite3_wal_checkpoint_v2(handle, nil, mode.number, &frames, &moved)
    if result != SQLITE_OK {
      throw SQLiteError(connection: handle, result: result, sql: nil)
    }
    return (Int(frames), Int(moved))
  }

  /// Page cache figures since the connection was opened.
  package var cacheFigures: (hits: Int, misses: Int, bytes: Int) {
    (
      status(SQLITE_DBSTATUS_CACHE_HIT), status(SQLITE_DBSTATUS_CACHE_MISS),
      status(SQLITE_DBSTATUS_CACHE_USED)
    )
  }

  private func status(_ kind: Int32) -> Int {
    var current: Int32 = 0
    var highest: Int32 = 0
    sqlite3_db_status(handle, kind, &current, &highest, 0)
    return Int(current)
  }

  // MARK: Hooks

  /// Offers the processor to whoever waits for it, each time statements have run `steps`
  /// instructions of SQLite's machine, counted over all runs of a statement.
  ///
  /// One instruction can be long, such as the one that sorts.
  package func offerProcessor(everySteps steps: Int32) {
    sqlite3_progress_handler(
      handle, steps,
      { _ in
        sched_yield()
        return 0
      }, nil)
  }

  /// Calls for each row that a statement of this connection inserts, updates or deletes.
  package func onRowChange(_ body: @escaping (RowChange, Int64) -> Void) {
    let box = CallbackBox(body)
    rowChangeBox = box
    sqlite3_update_hook(
      handle,
      { context, operation, _, _, row in
        guard let context else { return }
        CallbackBox<(RowChange, Int64) -> Void>.from(context).body(RowChange(operation), row)
      }, box.pointer)
  }

  /// Calls after each commit with the number of frames in the WAL.
  package func onCommit(_ body: @escaping (Int) -> Void) {
    let box = CallbackBox(body)
    walBox = box
    sqlite3_wal_hook(
      handle,
      { context, _, _, frames in
        if let context { CallbackBox<(Int) -> Void>.from(context).body(Int(frames)) }
        return SQLITE_OK
      }, box.pointer)
  }
}

/// What happened to a row.
package enum RowChange: Sendable {
  case insert
  case update
  case delete

  init(_ operation: Int32) {
    self =
      switch operation {
      case SQLITE_INSERT: .insert
      case SQLITE_DELETE: .delete
      default: .update
      }
  }
}
