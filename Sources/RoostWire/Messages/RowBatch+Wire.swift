package import RoostModel

extension RowBatch {
  /// A row batch and nothing after it: the answer of a get.
  package init(message body: UnsafeRawBufferPointer) throws(MessageError) {
    var reader = PackedReader(body)
    self = try reader.message { r throws(PackedError) in try RowBatch(from: &r) }
    try reader.messageEnd()
  }

  /// Appends the header of a batch; `rowCount * columns.count` values must follow.
  package static func encodeHeader(
    entity: EntityID, schemaVersion: UInt32, columns: [PropertyID], rowCount: Int,
    into writer: inout PackedWriter
  ) {
    writer.byte(PackedTag.batch)
    writer.varint(UInt64(entity))
    writer.varint(UInt64(schemaVersion))
    writer.count(columns.count)
    for column in columns { writer.varint(UInt64(column)) }
    writer.count(rowCount)
  }

  /// Appends a row that is missing.
  package static func encodeMissing(columnCount: Int, into writer: inout PackedWriter) {
    for _ in 0..<columnCount { writer.null() }
  }
}
