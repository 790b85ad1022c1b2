package import RoostModel

extension RowBatch {
  /// A row batch and nothing after it: the answer of a get.
  package init(message body: UnsafeRawBufferPointer) throws(MessageError) {
    var reader = PackedReader(body)
    self = try reader.message { r throws(PackedError) in try RowBatch(from: &r) }
    try reader.messageEnd()
  }
}
