import CSQLite

/// One column of the row a statement stands on, as SQLite holds it.
package struct Cell {
  package var kind: StorageKind
  /// The number, or the bits of the double.
  package var bits: Int64
  /// Text and blobs: valid until the next step, reset or conversion of this column.
  package var bytes: UnsafeRawBufferPointer

  /// A cell to be filled.
  package static var null: Cell {
    Cell(kind: .null, bits: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
  }
}

extension Statement {
  /// Reads the row's first columns, in one call for all of them.
  ///
  /// `sqlite3_column_value` finds the column once for its kind, value and length; its result is
  /// safe here because the connection is used by one thread.
  ///
  /// - Returns: The bytes of all texts and blobs together.
  package func read(into cells: UnsafeMutableBufferPointer<Cell>) -> Int {
    var byteCount = 0
    for index in cells.indices {
      let value = sqlite3_column_value(handle, Int32(truncatingIfNeeded: index))
      switch sqlite3_value_type(value) {
      case SQLITE_INTEGER:
        cells[index].kind = .integer
        cells[index].bits = sqlite3_value_int64(value)
      case SQLITE_FLOAT:
        cells[index].kind = .real
        cells[index].bits = Int64(bitPattern: sqlite3_value_double(value).bitPattern)
      case SQLITE_TEXT:
        cells[index].kind = .text
        let start = UnsafeRawPointer(sqlite3_value_text(value))
        let count = Int(sqlite3_value_bytes(value))
        cells[index].bytes = UnsafeRawBufferPointer(start: start, count: count)
        byteCount += count
      case SQLITE_BLOB:
        cells[index].kind = .blob
        let start = sqlite3_value_blob(value)
        let count = Int(sqlite3_value_bytes(value))
        cells[index].bytes = UnsafeRawBufferPointer(start: start, count: count)
        byteCount += count
      default: cells[index].kind = .null
      }
    }
    return byteCount
  }
}
