package import RoostModel

/// What happened on a client's connection.
package enum ClientEvent {
  /// HELLO came; what the server can do is known.
  indirect case ready(ServerHello)
  /// A message; `isLast` means that the stream has ended with OK and no trailers.
  case message(stream: UInt32, MessageBody, credit: Int, isLast: Bool)
  /// The stream has ended; the only word about it unless a message was the last.
  indirect case ended(stream: UInt32, EndStatus)
  /// ``ClientConnection/isWritable(_:)`` had said no and would now say yes.
  case writable(stream: UInt32)
  /// Open no more streams here. Streams the server has not looked at end by themselves with
  /// UNAVAILABLE 120 and may be sent again elsewhere.
  indirect case goAway(GoAway)
  indirect case notice(kind: UInt16, Value)
  /// The server broke the contract: flush the output and close; all calls have failed.
  indirect case failed(WireError)
}

/// Why a call could not be started; nothing of it was sent.
package enum CallError: Error, Hashable, Sendable {
  /// The connection is closed or about to be.
  case closing
  /// The server's limit of open streams is reached; open another connection or wait.
  case tooManyStreams
  /// All stream ids of this connection are used up.
  case exhausted
  /// Over the server's `max_message`.
  case tooLarge
  /// Too much waits for credit already.
  case full

  package var storeError: StoreError {
    switch self {
    case .closing: StoreError(.unavailable, .draining, "the connection is closing")
    case .tooManyStreams: StoreError(.resourceExhausted, .streams, "too many calls are open")
    case .exhausted: StoreError(.unavailable, .none, "the connection has no stream ids left")
    case .tooLarge: StoreError(.resourceExhausted, .messageSize, "the message is too large")
    case .full: StoreError(.resourceExhausted, .queue, "too many messages wait for credit")
    }
  }
}
