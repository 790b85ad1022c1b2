import CSQLite

/// What SQLite answered instead of doing it. Holds the statement's text, never its values.
package struct SQLiteError: Error, Hashable, Sendable {
  /// The primary code, such as SQLITE_CONSTRAINT.
  package var code: Int32
  /// The precise code, such as SQLITE_CONSTRAINT_UNIQUE.
  package var extendedCode: Int32
  package var message: String
  package var sql: String?

  package init(code: Int32, extendedCode: Int32, message: String, sql: String? = nil) {
    self.code = code
    self.extendedCode = extendedCode
    self.message = message
    self.sql = sql
  }

  /// The error a connection reports at this moment.
  init(connection: OpaquePointer?, result: Int32, sql: String?) {
    let extended = connection.map { sqlite3_extended_errcode($0) } ?? result
    // A result that the connection does not know (a misuse) counts more than its last error.
    let known = extended & 0xFF == result & 0xFF
    code = result & 0xFF
    extendedCode = known ? extended : result
    message =
      known && connection != nil
      ? String(cString: sqlite3_errmsg(connection)) : String(cString: sqlite3_errstr(result))
    self.sql = sql
  }
}

extension SQLiteError {
  // Extended codes are expressions in C's header, which Swift does not import.
  private static let constraintUnique = SQLITE_CONSTRAINT | 8 << 8
  private static let constraintPrimaryKey = SQLITE_CONSTRAINT | 6 << 8

  package var isUniqueConflict: Bool {
    extendedCode == Self.constraintUnique || extendedCode == Self.constraintPrimaryKey
  }
  package var isInterrupt: Bool { code == SQLITE_INTERRUPT }
  package var isBusy: Bool { code == SQLITE_BUSY || code == SQLITE_LOCKED }
  package var isFull: Bool { code == SQLITE_FULL }
  package var isInputOutput: Bool { code == SQLITE_IOERR }
  package var isCorrupt: Bool { code == SQLITE_CORRUPT || code == SQLITE_NOTADB }
  package var isTooBig: Bool { code == SQLITE_TOOBIG }
  /// What preparing a sound statement gives that is too long, too deep or joins too much.
  package var isOverLimits: Bool {
    extendedCode == SQLITE_ERROR && !message.hasPrefix("no such")
  }
  package var isCannotOpen: Bool { code == SQLITE_CANTOPEN }
}

extension SQLiteError: CustomStringConvertible {
  package var description: String { "SQLite \(extendedCode): \(message)" }
}
