import RoostModel
import RoostSQLite

/// What a result column holds, so that it can be packed without looking at the schema.
struct ResultColumn: Sendable {
  let kind: ColumnKind
  /// The entity of a reference.
  let destination: EntityID

  init(_ kind: ColumnKind, destination: EntityID = 0) {
    self.kind = kind
    self.destination = destination
  }

  init(_ column: ColumnLayout) { self.init(column.kind, destination: column.destination) }

  static let rowID = ResultColumn(.int)
}

/// Packs rows straight from SQLite's memory.
///
/// A value of another storage class than the column's, which only a foreign program can have
/// written, is converted as SQLite does, or nil.
enum RowEncoding {
  static func append(
    _ statement: Statement, _ columns: [ResultColumn], to writer: inout PackedWriter
  ) {
    for index in columns.indices {
      append(statement, index, columns[index], to: &writer)
    }
  }

  static func append(
    _ statement: Statement, _ index: Int, _ column: ResultColumn, to writer: inout PackedWriter
  ) {
    let storage = statement.kind(index)
    if storage == .null {
      writer.null()
      return
    }
    switch column.kind {
    case .int, .uint64: writer.int(statement.int64(index))
    case .text, .json: writer.text(utf8: statement.text(index))
    case .bool: writer.bool(statement.int64(index) != 0)
    case .reference:
      writer.reference(RowReference(entity: column.destination, row: statement.int64(index)))
    case .double: writer.double(storage == .blob ? .nan : statement.double(index))
    case .date: writer.date(statement.double(index))
    case .data: writer.blob(statement.blob(index))
    case .uuid: appendUUID(statement.blob(index), to: &writer)
    case .decimal: appendDecimal(statement.text(index), to: &writer)
    }
  }

  private static func appendUUID(
    _ bytes: UnsafeRawBufferPointer, to writer: inout PackedWriter
  ) {
    guard bytes.count == 16 else { return writer.null() }
    writer.byte(PackedTag.uuid)
    writer.raw(bytes)
  }

  private static func appendDecimal(
    _ bytes: UnsafeRawBufferPointer, to writer: inout PackedWriter
  ) {
    writer.byte(PackedTag.decimal)
    writer.count(bytes.count)
    writer.raw(bytes)
  }
}
