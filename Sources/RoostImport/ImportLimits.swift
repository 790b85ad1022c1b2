import RoostModel

/// Bounds of reading files; what goes beyond is reported with the bound's name and size.
package enum ImportLimits {
  /// Bytes of one record: a CSV row with its quoted newlines, a JSON object, an NDJSON line.
  package static let recordBytesMax = Limits.valueBytesMax
  /// Objects and arrays inside one another.
  package static let jsonDepthMax = 64
  /// Cells of one CSV row.
  package static let cellsMax = Limits.columnsMax
  /// Rows of one chunk: the knee where larger transactions stop paying.
  package static let chunkRows = 1_000
  /// Bytes after which a chunk is closed.
  package static let chunkBytes = 128 << 10
  /// Rows that decide the types of a pipe, which cannot be read twice.
  package static let inferenceRowsOfPipe = 10_000
  /// Bytes of a value that a message quotes.
  package static let excerptBytes = 60
  /// Names a message offers when a records path was not found.
  package static let namesInMessage = 12
  /// Bytes of a plan or schema file.
  package static let documentBytesMax = 16 << 20
}
