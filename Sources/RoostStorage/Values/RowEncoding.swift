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
/// written, is converted as SQLite does, or nil. Text that is not UTF-8 is DATA_LOSS 131: nothing
/// above could read it.
enum RowEncoding {
  /// Appends one value of a row; what has a length is measured before it is copied.
  static func append(
    _ statement: Statement, _ index: Int, _ column: ResultColumn, to writer: inout PackedWriter,
    bytesMax: Int
  ) throws(StoreError) {
    let storage = statement.kind(index)
    if storage == .null {
      writer.null()
      return
    }
    switch column.kind {
    case .int, .uint64: writer.int(statement.int64(index))
    case .text, .json:
      let text = statement.text(index)
      try check(text, writer, bytesMax)
      writer.text(utf8: text)
    case .bool: writer.bool(statement.int64(index) != 0)
    case .reference:
      writer.reference(RowReference(entity: column.destination, row: statement.int64(index)))
    case .double: writer.double(storage == .blob ? .nan : statement.double(index))
    case .date: writer.date(statement.double(index))
    case .data:
      let bytes = statement.blob(index)
      guard bytes.count <= bytesMax - writer.byteCount else { throw tooLarge }
      writer.blob(bytes)
    case .uuid: appendUUID(statement.blob(index), to: &writer)
    case .decimal:
      let text = statement.text(index)
      try check(text, writer, bytesMax)
      writer.byte(PackedTag.decimal)
      writer.count(text.count)
      writer.raw(text)
    }
  }

  @inline(__always)
  private static func check(
    _ text: UnsafeRawBufferPointer, _ writer: borrowing PackedWriter, _ bytesMax: Int
  ) throws(StoreError) {
    guard text.count <= bytesMax - writer.byteCount else { throw tooLarge }
    guard UTF8Check.isValid(text) else { throw notUTF8 }
  }

  private static func appendUUID(
    _ bytes: UnsafeRawBufferPointer, to writer: inout PackedWriter
  ) {
    guard bytes.count == 16 else { return writer.null() }
    writer.byte(PackedTag.uuid)
    writer.raw(bytes)
  }

  static var tooLarge: StoreError {
    StoreError(.resourceExhausted, .resultTooLarge, "the rows take more bytes than may be read")
  }

  static var notUTF8: StoreError {
    StoreError(.dataLoss, .corrupt, "the store's file is damaged: a text is not UTF-8")
  }
}
