import CSQLite

/// What a statement did beyond giving rows.
package struct StatementWork: Hashable, Sendable {
  /// Steps through a table or index that no condition narrowed.
  package var scanSteps = 0
  /// Sorts that no index spared.
  package var sorts = 0
  /// Rows put into indexes that SQLite made for the statement alone.
  package var autoIndexRows = 0

  package static func += (lhs: inout StatementWork, rhs: StatementWork) {
    lhs.scanSteps += rhs.scanSteps
    lhs.sorts += rhs.sorts
    lhs.autoIndexRows += rhs.autoIndexRows
  }

  package init() {}
}

extension Statement {
  /// What it has done since the last call, over all its runs; SQLite counts in 32 bits.
  ///
  /// - Complexity: O(1): three loads and stores.
  package func takeWork() -> StatementWork {
    var work = StatementWork()
    work.scanSteps = take(SQLITE_STMTSTATUS_FULLSCAN_STEP)
    work.sorts = take(SQLITE_STMTSTATUS_SORT)
    work.autoIndexRows = take(SQLITE_STMTSTATUS_AUTOINDEX)
    return work
  }

  private func take(_ counter: Int32) -> Int {
    Int(UInt32(bitPattern: sqlite3_stmt_status(handle, counter, 1)))
  }
}
