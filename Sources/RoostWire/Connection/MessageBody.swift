/// The bytes of one message: a view into the receive buffer, or bytes of its own when it came in
/// fragments, deflated, or had to wait.
///
/// A view is good only until the buffer it came from changes.
package enum MessageBody {
  case view(UnsafeRawBufferPointer)
  case owned([UInt8])

  package static var empty: MessageBody { .owned([]) }

  package var count: Int {
    switch self {
    case .view(let buffer): buffer.count
    case .owned(let bytes): bytes.count
    }
  }

  package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .view(let buffer): return try body(buffer)
    case .owned(let bytes): return try bytes.span.bytes.withTypedBytes(body)
    }
  }

  package var bytes: [UInt8] {
    switch self {
    case .view(let buffer): [UInt8](buffer)
    case .owned(let bytes): bytes
    }
  }
}

extension RawSpan {
  fileprivate func withTypedBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try withUnsafeBytes(body)
  }
}

/// What became of something that was to be sent.
package enum SendResult: Hashable, Sendable {
  /// It is in the output.
  case sent
  /// It waits for the peer's credit and goes by itself.
  case queued
  /// The stream or connection has ended meanwhile; harmless, nothing was written.
  case gone
  /// Too much waits already; nothing was written. See ``WireLimits/queuedBytesMax``.
  case full
  /// The message is over the peer's `max_message`; nothing was written.
  case tooLarge
}
