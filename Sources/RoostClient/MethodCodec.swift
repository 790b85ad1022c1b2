import RoostModel
import RoostWire

/// Requests to bytes, replies from bytes; the forms themselves are RoostWire's.
enum MethodCodec {
  static func getRow(_ entity: EntityID, _ row: Int64, into writer: inout PackedWriter) {
    GetRequest.encode(entity: entity, row: row, into: &writer)
  }

  static func importChunk(_ chunk: ImportChunk) -> [UInt8] {
    var writer = PackedWriter(reserving: chunk.rows.body.count + 64)
    chunk.encode(into: &writer)
    return writer.bytes
  }

  /// Bytes of a request, whose own faults are the caller's.
  static func request(
    _ encode: (inout PackedWriter) throws(MessageError) -> Void
  ) throws(ClientError) -> [UInt8] {
    var writer = PackedWriter()
    do throws(MessageError) {
      try encode(&writer)
    } catch {
      throw ClientError(.invalidArgument, .local, error.message, detail: error.detail)
    }
    return writer.bytes
  }

  /// A reply's value; bytes that are no such value are the server's fault.
  static func reply<Reply>(
    _ bytes: [UInt8],
    _ decode: (UnsafeRawBufferPointer) throws(MessageError) -> Reply
  ) throws(ClientError) -> Reply {
    let result: Result<Reply, MessageError> = bytes.withUnsafeBytes { buffer in
      Result { () throws(MessageError) in try decode(buffer) }
    }
    switch result {
    case .success(let reply): return reply
    case .failure(let error): throw .badReply(error.message)
    }
  }
}
