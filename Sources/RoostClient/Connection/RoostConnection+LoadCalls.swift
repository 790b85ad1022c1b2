public import RoostModel
import RoostWire

/// Further methods by name for handlers; see ``RoostConnection/get(_:row:deadline:handler:tag:)``.
extension RoostConnection {
  /// Rows by their identifiers, at most ``Limits/getKeysMax``; the answer is a batch of them.
  public func get(
    _ entity: EntityID, rows: [Int64], deadline: LoopInstant = .never, handler: any CallHandler,
    tag: UInt64
  ) {
    let request = GetRequest(entity: entity, keys: rows.map(GetKey.row))
    call(.get, deadline: deadline, handler: handler, tag: tag) { request.encode(into: &$0) }
  }

  /// One row by the values of a unique constraint; the answer is a batch of one.
  public func get(
    _ entity: EntityID, constraint: [PropertyID], key: [Value], deadline: LoopInstant = .never,
    handler: any CallHandler, tag: UInt64
  ) {
    let request = GetRequest(entity: entity, keys: [.constraint(constraint, key)])
    call(.get, deadline: deadline, handler: handler, tag: tag) { request.encode(into: &$0) }
  }

  /// Reads all rows of a query as a reader does who falls behind, and keeps none.
  ///
  /// - Parameters:
  ///   - query: Which rows.
  ///   - credit: Bytes the server may send ahead.
  ///   - pause: How long each message keeps its credit.
  ///   - deadline: When the whole must be over.
  ///   - handler: Hears the end; the reply's trailers tell how many rows there were.
  ///   - tag: Names the call to the handler.
  /// - Throws: ``ClientError`` with code `invalidArgument` for a query that cannot be sent; the
  ///   handler hears nothing then.
  public func readSlowly(
    _ query: Query, credit: UInt32, pause: Duration, deadline: LoopInstant = .never,
    handler: any CallHandler, tag: UInt64
  ) throws(ClientError) {
    let body = try MethodCodec.request { writer throws(MessageError) in
      try FetchRequest(query).encode(into: &writer)
    }
    let reader = SlowReader(handler, tag, pause)
    _ = open(.fetch, deadline: deadline, credit: credit, body: { $0.raw(body) }, handler: reader)
  }
}

/// Takes the messages of one stream, and returns the credit of each a while later.
private final class SlowReader: StreamHandler {
  private let handler: any CallHandler
  private let tag: UInt64
  private let pause: Duration
  private weak var connection: RoostConnection?
  private var stream: UInt32 = 0
  private var byteCount = 0

  init(_ handler: any CallHandler, _ tag: UInt64, _ pause: Duration) {
    self.handler = handler
    self.tag = tag
    self.pause = pause
  }

  func opened(_ connection: RoostConnection, stream: UInt32) {
    self.connection = connection
    self.stream = stream
  }

  func received(_ message: UnsafeRawBufferPointer, wireBytes: Int) {
    byteCount += message.count
    connection?.scope.after(pause) { [weak connection, stream] in
      connection?.release(stream, wireBytes)
    }
  }

  func creditReturned() {}

  func ended(_ failure: AttemptFailure?, trailers: [MapEntry]) {
    if let failure { return handler.answered(tag, CallReply(failure, trailers: trailers)) }
    handler.answered(tag, CallReply(byteCount: byteCount, trailers: trailers))
  }
}
