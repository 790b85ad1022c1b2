/// Rows of one entity in packed form, as they leave SQLite and travel to the client.
///
/// Columns stand in `columns`' order in each row; column 0, where asked for, is the row's
/// identifier as an integer. A row that is missing (a get of an unknown key) is null throughout.
/// A computed selection has entity 0 and columns 1…n in the order of the selection.
public struct RowBatch: Hashable, Sendable {
  /// The entity of the rows; 0 for computed values.
  public var entity: EntityID
  /// The schema's generation these column identifiers belong to.
  public var schemaVersion: UInt32
  /// The properties whose values stand in each row, in this order.
  public var columns: [PropertyID]
  /// How many rows there are.
  public var rowCount: Int
  /// `rowCount * columns.count` packed values without any header.
  public var body: [UInt8]

  /// Takes rows that are packed already.
  public init(
    entity: EntityID, schemaVersion: UInt32, columns: [PropertyID], rowCount: Int = 0,
    body: [UInt8] = []
  ) {
    self.entity = entity
    self.schemaVersion = schemaVersion
    self.columns = columns
    self.rowCount = rowCount
    self.body = body
  }

  /// Appends header and rows: `10 | entity | schema version | c | c columns | r | r*c values`.
  public func encode(into writer: inout PackedWriter) {
    writer.byte(PackedTag.batch)
    writer.varint(UInt64(entity))
    writer.varint(UInt64(schemaVersion))
    writer.count(columns.count)
    for column in columns { writer.varint(UInt64(column)) }
    writer.count(rowCount)
    writer.raw(body)
  }

  /// Reads a batch and checks that its values are well formed and complete.
  ///
  /// - Complexity: O(bytes); one copy of the body, no value is materialised.
  public init(from reader: inout PackedReader) throws(PackedError) {
    let start = reader.offset
    guard try reader.byte() == PackedTag.batch else {
      throw .unexpectedValue(expected: "a row batch", at: start)
    }
    entity = try reader.identifier()
    schemaVersion = try reader.identifier()
    let columnCount = try reader.count()
    guard columnCount <= Limits.columnsMax else {
      throw .countTooLarge(UInt64(columnCount), at: start)
    }
    columns = []
    for _ in 0..<columnCount { columns.append(try reader.identifier()) }
    rowCount = try reader.count(bytesEach: max(1, columnCount))
    guard rowCount == 0 || columnCount > 0 else {
      throw .countTooLarge(UInt64(rowCount), at: start)
    }
    var probe = reader
    // Cannot overflow: rowCount * columnCount is at most the bytes that remain.
    for _ in 0..<rowCount * columnCount { try probe.skip() }
    body = [UInt8](try reader.raw(count: probe.offset - reader.offset))
  }

  /// All values, row by row; for tests, tools and small results.
  public func rows() throws(PackedError) -> [[Value]] {
    do {
      return try body.withUnsafeBytes { buffer in
        var reader = PackedReader(buffer)
        var rows: [[Value]] = []
        for _ in 0..<rowCount {
          var row: [Value] = []
          row.reserveCapacity(columns.count)
          for _ in columns { row.append(try reader.value()) }
          rows.append(row)
        }
        return rows
      }
    } catch let error as PackedError {
      throw error
    } catch {
      throw .truncated(at: 0)
    }
  }
}
