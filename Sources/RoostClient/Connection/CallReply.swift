public import RoostModel

/// Hears the ends of many calls, so that a call costs no closure.
public protocol CallHandler: AnyObject {
  /// The call that was made with `tag` has ended; new calls may be made here.
  ///
  /// - Isolation: Runs on the loop's thread and must not block it.
  func answered(_ tag: UInt64, _ reply: CallReply)
}

/// How a call of a ``RoostConnection`` ended.
///
/// It lives only during the completion it is given to: copy what you keep.
public struct CallReply {
  let failure: AttemptFailure?
  /// The reply's message; empty after a failure. Valid during the completion only.
  public let body: UnsafeRawBufferPointer
  /// What the server added to its answer.
  public let trailers: [MapEntry]
  /// How many bytes of messages came.
  public let byteCount: Int

  init(body: UnsafeRawBufferPointer, trailers: [MapEntry] = []) {
    failure = nil
    self.body = body
    self.trailers = trailers
    byteCount = body.count
  }

  /// The end of a stream whose messages were taken as they came.
  init(byteCount: Int, trailers: [MapEntry]) {
    failure = nil
    body = UnsafeRawBufferPointer(start: nil, count: 0)
    self.trailers = trailers
    self.byteCount = byteCount
  }

  init(_ failure: AttemptFailure, trailers: [MapEntry] = []) {
    self.failure = failure
    body = UnsafeRawBufferPointer(start: nil, count: 0)
    self.trailers = trailers
    byteCount = 0
  }

  /// nil when the call succeeded.
  public var error: ClientError? { failure?.error }
}
