import RoostModel

/// Stands between a connection and a stream's handler: a stream that ended before it brought
/// anything is judged like a unary call, later the handler must decide.
final class StreamRelay: StreamHandler {
  private weak var session: ClientSession?
  private let call: SessionCall
  private let handler: any StreamHandler
  private var hasReceived = false

  init(_ session: ClientSession, _ call: SessionCall, _ handler: any StreamHandler) {
    self.session = session
    self.call = call
    self.handler = handler
  }

  func opened(_ connection: RoostConnection, stream: UInt32) {
    handler.opened(connection, stream: stream)
  }

  func received(_ message: UnsafeRawBufferPointer, wireBytes: Int) {
    hasReceived = true
    if !call.isFinished { handler.received(message, wireBytes: wireBytes) }
  }

  func creditReturned() { if !call.isFinished { handler.creditReturned() } }

  func ended(_ failure: AttemptFailure?, trailers: [MapEntry]) {
    guard !call.isFinished else { return }
    if let failure, !hasReceived, let session { return session.failed(call, failure) }
    call.markFinished()
    handler.ended(failure, trailers: trailers)
  }
}
