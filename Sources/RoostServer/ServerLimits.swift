/// Every bound of the server beyond those of wire and transport; all of them show in its stats.
public struct ServerLimits: Hashable, Sendable {
  /// Bytes of rows kept for gets.
  public var rowCacheBytes = 48 << 20
  /// Open connections; one more is told UNAVAILABLE 122 and closed.
  public var connectionsMax = 10_000
  /// Connections beyond them that may ask for health and statistics and end calls, so that an
  /// operator still gets in; whatever else they ask for is UNAVAILABLE 122, and they are closed.
  public var operatorConnectionsMax = 4
  /// How long such a connection may ask for nothing.
  public var operatorIdleMax = Duration.seconds(10)
  /// Connections that have not said HELLO yet.
  public var unreadyConnectionsMax = 1_024
  /// Threads that run queries.
  public var readerThreads = 4
  /// Threads that take writes and chunks apart.
  public var writerThreads = 2
  /// Fetches that hold a snapshot at once; more wait.
  public var snapshotsMax = 16
  /// Queries that wait for a reader; one more is RESOURCE_EXHAUSTED 62.
  public var queriesQueuedMax = 1_024
  /// Gets that wait for the point reader; one more is RESOURCE_EXHAUSTED 62.
  public var getsQueuedMax = 65_536
  /// Bytes of rows read for the gets of a turn before their answers go; the others wait for that.
  public var getBytesReadMax = 8 << 20
  /// Writes on their way to the store; one more is RESOURCE_EXHAUSTED 62.
  public var writesQueuedMax = 4_096
  /// Bytes of writes on their way to the store.
  public var writeBytesQueuedMax = 64 << 20
  /// Bytes of import chunks on their way to the store; above it importing connections are not read.
  public var importBytesQueuedMax = 32 << 20
  /// Imports that run at once; one more is RESOURCE_EXHAUSTED 62.
  public var importsMax = 256
  /// Unsent bytes of a connection at which its requests wait.
  public var unsentBytesMax = 1 << 20
  /// How long a fetch may keep its snapshot.
  public var snapshotAgeMax = Duration.seconds(30)
  /// How long a client may take nothing of a fetch before its snapshot is given up.
  public var stallMax = Duration.seconds(10)
  /// How long a connection with unsent bytes may take none of them.
  public var unsentStallMax = Duration.seconds(30)
  /// How long clients have between the first word of a drain and the end of what is idle.
  public var drainNotice = Duration.milliseconds(100)
  /// How long running calls may take to end once the server drains.
  public var drainGrace = Duration.seconds(10)
  /// How often connections are looked over for time-outs.
  public var tickInterval = Duration.milliseconds(250)

  /// The defaults.
  public init() {}
}
