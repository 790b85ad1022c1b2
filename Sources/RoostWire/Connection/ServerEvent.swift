package import RoostModel

/// A call that has come in whole: its head has been judged, its slot is taken.
package struct IncomingRequest: Sendable {
  package var stream: UInt32
  package var method: WireMethod
  /// Already clamped to the server's longest; nil for none.
  package var timeoutMilliseconds: UInt32?
  package var minToken: UInt64?
  package var metadata: [MapEntry]
  /// The client sends nothing more on this stream.
  package var isLast: Bool
  /// Credit to give back when the message has been taken; 0 when it came inside REQUEST.
  package var credit: Int
}

/// What happened on a server's connection; each must be dealt with before the next is asked for.
package enum ServerEvent {
  /// Answer with ``ServerConnection/accept(_:)`` or ``ServerConnection/fail(_:)``.
  indirect case hello(ClientHello)
  /// Exactly one end must be given: ``ServerConnection/reply(_:_:)`` or
  /// ``ServerConnection/end(_:_:)``.
  case request(IncomingRequest, MessageBody)
  /// Another message of a bidirectional call.
  case message(stream: UInt32, MessageBody, credit: Int, isLast: Bool)
  /// The client sends nothing more on this stream.
  case inputEnded(stream: UInt32)
  /// Stop working for it; an end must still be given.
  case cancelled(stream: UInt32)
  /// ``ServerConnection/isWritable(_:)`` had said no and would now say yes.
  case writable(stream: UInt32)
  /// The client will open no more streams.
  indirect case goAway(GoAway)
  /// Nothing more will be read. Flush the output, shut down, drop what comes, close.
  indirect case failed(WireError)
  /// The bytes are not ours: flush the output, if any, and close.
  case foreign(Preface.Verdict)
}
