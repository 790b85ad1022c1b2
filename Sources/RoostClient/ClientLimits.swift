/// Every bound the client keeps; what the server bounds is in its HELLO.
public enum ClientLimits {
  /// Bytes of a host's name.
  public static let hostBytesMax = 253
  /// Calls of one client that wait for a connection or a free stream.
  public static let waitingCallsMax = 16_384
  /// Bytes of requests on one connection that the socket has not taken.
  public static let unsentBytesMax = 64 << 20
  /// Streamed messages of one connection stop growing the unsent bytes here.
  public static let unsentStreamBytesMax = 1 << 20
  /// Bytes read from one connection in one turn of the loop.
  public static let readBytesMax = 256 << 10
  /// How long after its deadline a write still waits for the server's word on it.
  public static let writeGrace = Duration.seconds(2)
  /// Times one call is sent, the first included.
  public static let attemptsMax = 4
  /// Import chunks in flight and not acknowledged.
  public static let importChunksMax = 64
  /// Times an import is taken up again without a single acknowledgement in between.
  public static let importResumptionsMax = 8
  /// Rows of one import chunk, and the bytes that end it sooner.
  public static let importChunkRows = 1_000
  /// Bytes of rows after which an import chunk is sent.
  public static let importChunkBytes = 128 << 10
  /// Row batches of one fetch that are kept while the caller is busy; their bytes are bounded by
  /// the window long before.
  public static let fetchBatchesMax = 32_768
  /// Connections of one loop.
  public static let connectionsMax = 16_384
}
