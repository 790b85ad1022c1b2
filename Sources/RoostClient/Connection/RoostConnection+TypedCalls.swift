public import RoostModel
import RoostWire

/// The methods by name, for many calls: a handler hears their ends, none makes a closure.
///
/// Like ``RoostConnection/call(_:deadline:isWrite:handler:tag:body:)`` they tell the handler once,
/// later and on the loop's thread, also when nothing could be sent.
extension RoostConnection {
  /// One row by its identifier; the answer is a batch of one.
  public func get(
    _ entity: EntityID, row: Int64, deadline: LoopInstant = .never, handler: any CallHandler,
    tag: UInt64
  ) {
    call(.get, deadline: deadline, handler: handler, tag: tag) {
      MethodCodec.getRow(entity, row, into: &$0)
    }
  }

  /// The same bytes back.
  public func echo(
    _ bytes: [UInt8], deadline: LoopInstant = .never, handler: any CallHandler, tag: UInt64
  ) {
    call(.echo, deadline: deadline, handler: handler, tag: tag) { $0.raw(bytes) }
  }

  /// The server's figures and the lists asked for, each of at most 100 entries.
  public func statistics(
    sections: [StatisticsSection], deadline: LoopInstant = .never, handler: any CallHandler,
    tag: UInt64
  ) {
    call(.stats, deadline: deadline, handler: handler, tag: tag) {
      StatisticsRequest(sections: sections).encode(into: &$0)
    }
  }

  /// How many rows a query gives; see ``CallReply/count()``.
  ///
  /// - Throws: ``ClientError`` with code `invalidArgument` for a query that cannot be sent; the
  ///   handler hears nothing then.
  public func count(
    _ query: Query, deadline: LoopInstant = .never, handler: any CallHandler, tag: UInt64
  ) throws(ClientError) {
    let body = try MethodCodec.request { writer throws(MessageError) in
      try CountRequest.encode(query, into: &writer)
    }
    call(.count, deadline: deadline, handler: handler, tag: tag) { $0.raw(body) }
  }

  /// Commits operations together; see ``CallReply/writeResult()``.
  public func write(
    _ batch: WriteBatch, deadline: LoopInstant = .never, handler: any CallHandler, tag: UInt64
  ) {
    call(.write, deadline: deadline, isWrite: true, handler: handler, tag: tag) {
      batch.encode(into: &$0)
    }
  }

  /// Reads all rows of a query as fast as they come, and keeps none.
  ///
  /// The reply's trailers tell how many rows there were, its ``CallReply/byteCount`` how large they
  /// were.
  ///
  /// - Throws: ``ClientError`` with code `invalidArgument` for a query that cannot be sent; the
  ///   handler hears nothing then.
  public func readThrough(
    _ query: Query, deadline: LoopInstant = .never, handler: any CallHandler, tag: UInt64
  ) throws(ClientError) {
    let body = try MethodCodec.request { writer throws(MessageError) in
      try FetchRequest(query).encode(into: &writer)
    }
    let reader = ReadThrough(handler, tag)
    _ = open(.fetch, deadline: deadline, credit: nil, body: { $0.raw(body) }, handler: reader)
  }
}

/// Takes the messages of one stream, returns their credit at once and tells the end.
private final class ReadThrough: StreamHandler {
  private let handler: any CallHandler
  private let tag: UInt64
  private weak var connection: RoostConnection?
  private var stream: UInt32 = 0
  private var byteCount = 0

  init(_ handler: any CallHandler, _ tag: UInt64) {
    self.handler = handler
    self.tag = tag
  }

  func opened(_ connection: RoostConnection, stream: UInt32) {
    self.connection = connection
    self.stream = stream
  }

  func received(_ message: UnsafeRawBufferPointer, wireBytes: Int) {
    byteCount += message.count
    connection?.release(stream, wireBytes)
  }

  func creditReturned() {}

  func ended(_ failure: AttemptFailure?, trailers: [MapEntry]) {
    if let failure { return handler.answered(tag, CallReply(failure, trailers: trailers)) }
    handler.answered(tag, CallReply(byteCount: byteCount, trailers: trailers))
  }
}

extension CallReply {
  /// The answer of a count.
  ///
  /// - Throws: ``ClientError``: why the call failed, or `badReply`.
  public func count() throws(ClientError) -> Int {
    try decoded(CountRequest.decodeReply)
  }

  /// The answer of a write.
  ///
  /// - Throws: ``ClientError``: why the call failed, or `badReply`.
  public func writeResult() throws(ClientError) -> WriteResult {
    try decoded(WriteResult.init)
  }

  private func decoded<Answer>(
    _ decode: (UnsafeRawBufferPointer) throws(MessageError) -> Answer
  ) throws(ClientError) -> Answer {
    if let error { throw error }
    do throws(MessageError) {
      return try decode(body)
    } catch {
      throw .badReply(error.message)
    }
  }
}
