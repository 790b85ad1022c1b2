import CSQLite

/// One call of a function of ours from SQL: its arguments, and where the result goes.
///
/// Valid only during the call.
package struct FunctionCall {
  private let context: OpaquePointer
  private let values: UnsafeMutablePointer<OpaquePointer?>
  package let count: Int

  init(_ context: OpaquePointer, _ values: UnsafeMutablePointer<OpaquePointer?>, _ count: Int32) {
    self.context = context
    self.values = values
    self.count = Int(count)
  }

  package func kind(_ index: Int) -> StorageKind { StorageKind(sqlite3_value_type(values[index])) }
  package func isNull(_ index: Int) -> Bool {
    sqlite3_value_type(values[index]) == SQLITE_NULL
  }
  package func int64(_ index: Int) -> Int64 { sqlite3_value_int64(values[index]) }
  package func double(_ index: Int) -> Double { sqlite3_value_double(values[index]) }

  package func text(_ index: Int) -> UnsafeRawBufferPointer {
    let start = sqlite3_value_text(values[index])
    return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(values[index])))
  }

  package func string(_ index: Int) -> String { String(decoding: text(index), as: UTF8.self) }

  package func giveNull() { sqlite3_result_null(context) }
  package func give(_ value: Int64) { sqlite3_result_int64(context, value) }
  package func give(_ value: Double) { sqlite3_result_double(context, value) }
  package func give(_ value: Bool) { sqlite3_result_int64(context, value ? 1 : 0) }

  package func give(_ value: String) {
    var value = value
    value.withUTF8 { bytes in
      UnsafeRawBufferPointer(bytes).withMemoryRebound(to: CChar.self) {
        sqlite3_result_text64(
          context, $0.baseAddress ?? Statement.nothing, UInt64($0.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type?.self), UInt8(SQLITE_UTF8))
      }
    }
  }

  package func give(_ value: [UInt8]) {
    value.withUnsafeBytes {
      sqlite3_result_blob64(
        context, $0.baseAddress ?? UnsafeRawPointer(Statement.nothing), UInt64($0.count),
        unsafeBitCast(-1, to: sqlite3_destructor_type?.self))
    }
  }

  package func fail(_ message: String) { sqlite3_result_error(context, message, -1) }
}

extension Connection {
  /// Makes a deterministic function of ours known to SQL.
  package func addFunction(
    _ name: String, arguments: Int, _ body: @escaping (FunctionCall) -> Void
  ) throws(SQLiteError) {
    let box = CallbackBox(body)
    let result = sqlite3_create_function_v2(
      handle, name, Int32(arguments), SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
      box.retainedPointer,
      { context, count, values in
        guard let context, let values, let user = sqlite3_user_data(context) else { return }
        CallbackBox<(FunctionCall) -> Void>.from(user).body(FunctionCall(context, values, count))
      }, nil, nil,
      { user in if let user { CallbackBox<(FunctionCall) -> Void>.release(user) } })
    if result != SQLITE_OK {
      throw SQLiteError(connection: handle, result: result, sql: nil)
    }
  }

  /// Makes an order of texts known to SQL; negative, zero or positive like memcmp.
  package func addCollation(
    _ name: String, _ body: @escaping (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int
  ) throws(SQLiteError) {
    typealias Box = CallbackBox<(UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Int>
    let box = Box(body)
    let result = sqlite3_create_collation_v2(
      handle, name, SQLITE_UTF8, box.retainedPointer,
      { user, leftCount, left, rightCount, right in
        guard let user else { return 0 }
        return Int32(
          Box.from(user).body(
            UnsafeRawBufferPointer(start: left, count: Int(leftCount)),
            UnsafeRawBufferPointer(start: right, count: Int(rightCount))
          ).signum())
      },
      { user in if let user { Box.release(user) } })
    if result != SQLITE_OK {
      throw SQLiteError(connection: handle, result: result, sql: nil)
    }
  }
}
