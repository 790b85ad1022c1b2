import RoostModel
import RoostWire

/// One call of a client through all its attempts.
///
/// `@unchecked Sendable`: made on the caller's thread, and from the moment it is handed to the
/// loop touched by the loop's thread alone.
final class SessionCall: @unchecked Sendable {
  enum Shape {
    /// The completion gets the reply's bytes; it runs on the loop's thread, once.
    case unary((Result<[UInt8], ClientError>) -> Void)
    case stream(any StreamHandler)
  }

  let method: WireMethod
  let kind: CallKind
  let body: [UInt8]
  let deadline: LoopInstant
  /// Message bytes a stream may bring before credit is returned; nil for the connection's own.
  let credit: UInt32?
  let shape: Shape
  var attempt = 0
  /// Where it runs now.
  var place: (connection: RoostConnection, stream: UInt32)?
  /// Whether the session knows of it; a cancellation may overtake the call itself.
  var isStarted = false
  var isCancelled = false
  private(set) var isFinished = false

  init(
    _ method: WireMethod, _ kind: CallKind, body: [UInt8], deadline: LoopInstant,
    credit: UInt32? = nil, shape: Shape
  ) {
    self.method = method
    self.kind = kind
    self.body = body
    self.deadline = deadline
    self.credit = credit
    self.shape = shape
  }

  var isStream: Bool { if case .stream = shape { true } else { false } }

  func finish(_ result: Result<[UInt8], ClientError>) {
    guard !isFinished else { return }
    isFinished = true
    place = nil
    switch (shape, result) {
    case (.unary(let completion), _): completion(result)
    case (.stream(let handler), .failure(let error)):
      handler.ended(.notConnected(error), trailers: [])
    case (.stream, .success): break
    }
  }

  /// A stream's handler has been told by its connection.
  func markFinished() {
    isFinished = true
    place = nil
  }
}

/// Who receives what comes on a stream; runs on the loop's thread.
protocol StreamHandler: AnyObject {
  /// The request is on its way; remember the place for credit and messages.
  func opened(_ connection: RoostConnection, stream: UInt32)
  /// One whole message; the bytes are valid during the call.
  func received(_ message: UnsafeRawBufferPointer, wireBytes: Int)
  /// The server has taken messages, so that more may be sent.
  func creditReturned()
  /// Nothing more comes; nil is OK.
  func ended(_ failure: AttemptFailure?, trailers: [MapEntry])
}
