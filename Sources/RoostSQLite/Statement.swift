import CSQLite

/// A prepared statement: bind, step, read columns as raw bytes.
///
/// Used by one thread at a time, like its connection. Indexes are SQLite's: parameters from 1,
/// columns from 0.
package final class Statement {
  let handle: OpaquePointer
  /// Keeps the connection open while somebody has the statement; nil while it lies in the
  /// connection's own cache, which would otherwise keep itself alive.
  var connection: Connection?
  package let sql: String
  /// Whatever its user wants to find again with it; it lives as long as the statement.
  ///
  /// Read once a query, and nobody runs in between: a check of that would cost more than the rest.
  @exclusivity(unchecked) package var note: AnyObject?

  init(_ connection: Connection, _ sql: String) throws(SQLiteError) {
    var prepared: OpaquePointer?
    let result = sqlite3_prepare_v3(
      connection.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard result == SQLITE_OK, let prepared else {
      throw SQLiteError(connection: connection.handle, result: result, sql: sql)
    }
    handle = prepared
    self.connection = connection
    self.sql = sql
  }

  deinit { sqlite3_finalize(handle) }

  package var parameterCount: Int { Int(sqlite3_bind_parameter_count(handle)) }
  package var columnCount: Int { Int(sqlite3_column_count(handle)) }

  // MARK: Running

  /// Runs to the next row; false at the end.
  ///
  /// After an error the statement is reset.
  package func step() throws(SQLiteError) -> Bool {
    let result = sqlite3_step(handle)
    if result == SQLITE_ROW { return true }
    if result == SQLITE_DONE { return false }
    let error = SQLiteError(connection: sqlite3_db_handle(handle), result: result, sql: sql)
    sqlite3_reset(handle)
    throw error
  }

  /// Runs a statement that gives no rows, and makes it ready for the next values.
  package func run() throws(SQLiteError) {
    let result = sqlite3_step(handle)
    if result == SQLITE_DONE || result == SQLITE_ROW {
      sqlite3_reset(handle)
      return
    }
    let error = SQLiteError(connection: sqlite3_db_handle(handle), result: result, sql: sql)
    sqlite3_reset(handle)
    throw error
  }

  package func reset() { sqlite3_reset(handle) }
  package func clearBindings() { sqlite3_clear_bindings(handle) }

  // MARK: Parameters

  // Binding fails only for a wrong index or a value above SQLite's length limit; the step that
  // follows would then run with NULL, so the result is checked.

  package func bindNull(_ index: Int) { sqlite3_bind_null(handle, Int32(index)) }

  package func bind(_ index: Int, _ value: Int64) {
    sqlite3_bind_int64(handle, Int32(index), value)
  }

  /// NaN would become NULL: bind it as the caller's own form.
  package func bind(_ index: Int, _ value: Double) {
    sqlite3_bind_double(handle, Int32(index), value)
  }

  /// Binds UTF-8 that stays where it is until the statement is reset or bound anew.
  package func bindText(
    _ index: Int, borrowing bytes: UnsafeRawBufferPointer
  ) throws(SQLiteError) {
    let start = bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing
    try check(
      sqlite3_bind_text64(
        handle, Int32(index), start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)))
  }

  /// Binds bytes that stay where they are until the statement is reset or bound anew.
  package func bindBlob(
    _ index: Int, borrowing bytes: UnsafeRawBufferPointer
  ) throws(SQLiteError) {
    let start = bytes.baseAddress ?? UnsafeRawPointer(Self.nothing)
    try check(sqlite3_bind_blob64(handle, Int32(index), start, UInt64(bytes.count), nil))
  }

  /// Binds a copy.
  package func bind(_ index: Int, _ value: String) throws(SQLiteError) {
    var value = value
    let result = value.withUTF8 { bytes in
      let start = bytes.baseAddress.map { UnsafeRawPointer($0) } ?? UnsafeRawPointer(Self.nothing)
      return sqlite3_bind_text64(
        handle, Int32(index), start.assumingMemoryBound(to: CChar.self), UInt64(bytes.count),
        Self.copies, UInt8(SQLITE_UTF8))
    }
    try check(result)
  }

  /// Binds a copy.
  package func bindText(_ index: Int, _ bytes: [UInt8]) throws(SQLiteError) {
    let result = bytes.withUnsafeBytes { bytes in
      sqlite3_bind_text64(
        handle, Int32(index),
        bytes.baseAddress?.assumingMemoryBound(to: CChar.self) ?? Self.nothing,
        UInt64(bytes.count), Self.copies, UInt8(SQLITE_UTF8))
    }
    try check(result)
  }

  /// Binds a copy.
  package func bind(_ index: Int, _ value: [UInt8]) throws(SQLiteError) {
    let result = value.withUnsafeBytes { bytes in
      sqlite3_bind_blob64(
        handle, Int32(index), bytes.baseAddress ?? UnsafeRawPointer(Self.nothing),
        UInt64(bytes.count), Self.copies)
    }
    try check(result)
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    if result != SQLITE_OK {
      throw SQLiteError(connection: sqlite3_db_handle(handle), result: result, sql: sql)
    }
  }

  /// A null pointer would bind NULL instead of something empty.
  static var nothing: UnsafePointer<CChar> {
    UnsafeRawPointer(("" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
  }

  /// SQLITE_TRANSIENT, which is a cast in C.
  static var copies: sqlite3_destructor_type? {
    unsafeBitCast(-1, to: sqlite3_destructor_type?.self)
  }

  // MARK: Columns

  package func kind(_ column: Int) -> StorageKind {
    StorageKind(sqlite3_column_type(handle, Int32(column)))
  }

  package func int64(_ column: Int) -> Int64 { sqlite3_column_int64(handle, Int32(column)) }
  package func double(_ column: Int) -> Double { sqlite3_column_double(handle, Int32(column)) }
  package func isNull(_ column: Int) -> Bool {
    sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
  }

  /// UTF-8 of a text, valid until the next step, reset or conversion.
  package func text(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_text(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  /// Bytes of a blob, valid until the next step, reset or conversion.
  package func blob(_ column: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_column_blob(handle, Int32(column))
    return UnsafeRawBufferPointer(
      start: start, count: Int(sqlite3_column_bytes(handle, Int32(column))))
  }

  package func string(_ column: Int) -> String { String(decoding: text(column), as: UTF8.self) }
}

/// How SQLite holds a value.
package enum StorageKind: Sendable {
  case null
  case integer
  case real
  case text
  case blob

  init(_ type: Int32) {
    self =
      switch type {
      case SQLITE_INTEGER: .integer
      case SQLITE_FLOAT: .real
      case SQLITE_TEXT: .text
      case SQLITE_BLOB: .blob
      default: .null
      }
  }
}
