/// Bounds of the admin port.
package enum AdminLimits {
  /// Connections at once, each with a thread; one more waits to be accepted.
  package static let connectionsMax: UInt32 = 16
  /// Seconds a connection may be silent, whether it asks or takes its answer.
  package static let idleSecondsMax: UInt32 = 5
  /// Bytes of request line and headers, and as much for the headers of the answer.
  package static let connectionBytesMax = 8 << 10
  /// Bytes of stack of a connection's thread.
  package static let stackBytes = 512 << 10
  /// Characters of a token: at least what 96 random bits need in base64.
  package static let tokenBytes = 16...1_024
  /// How long a request may wait for the figures.
  package static let answerMilliseconds = 2_000
  /// Connections that wait to be accepted.
  package static let backlog: Int32 = 64
}
