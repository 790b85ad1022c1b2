/// Where a stream's results go.
package protocol RowSink {
  /// Takes a chunk; blocks while too many are under way.
  mutating func take(_ batch: ImportBatch) throws
  /// Takes a row that cannot go in.
  mutating func reject(_ fault: InputFault) throws
}

/// Bytes of one file in, chunks and rejected rows out, in the file's order.
package protocol RecordStream: AnyObject {
  /// Reads on: `bytes` in any portions, `isLast` with the last of them.
  ///
  /// After an ``InputFault`` that is fatal the stream is ended and takes no more bytes.
  ///
  /// - Throws: ``BindingFault`` if the file's columns do not fit the entity; whatever the sink
  ///   throws.
  func read(
    _ bytes: UnsafeRawBufferPointer, isLast: Bool, into sink: inout some RowSink
  ) throws

  /// The file cannot be read on.
  var isEnded: Bool { get }
  /// What reading has shown about the file as a whole, to be said once.
  var remarks: [String] { get }
}
