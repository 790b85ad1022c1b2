/// Every bound of the transport; the server shows those it uses in its stats.
package struct TransportLimits: Hashable, Sendable {
  /// Bytes one readiness brings at most; the loop has one buffer of this size for all channels.
  package var readBytes = 256 << 10
  /// Unsent bytes at which a channel stops reading its peer.
  package var outputHighWater = 1 << 20
  /// Unsent bytes at which it reads again and asks its handler for more.
  package var outputLowWater = 256 << 10
  /// Spare capacity an output buffer keeps once it is empty.
  package var outputKeptBytes = 128 << 10
  /// Jobs that wait for the loop; more are refused.
  package var mailboxJobs = 1 << 17
  /// Events taken in one turn.
  package var eventsPerTurn = 256
  /// Connections accepted in one turn, so that a storm cannot starve those that are open.
  package var acceptsPerTurn = 64
  /// How long a listener rests when descriptors have run out.
  package var acceptPause = Duration.milliseconds(100)
  /// What a graceful close still reads, so that a reset does not eat the last words.
  package var drainBytes = 64 << 10
  package var drainTime = Duration.seconds(1)
  /// Connections the kernel keeps until they are accepted.
  package var backlog = 1_024

  package init() {}
}
