/// From where on a figure is worth a word, and the bounds of what monitoring shows and keeps.
///
/// Shares are of 1.
enum MonitorLimits {
  static let writerBusyShare = 0.85
  static let stalledGroupMicroseconds = 5e6
  static let oldestRequestMicroseconds = 1e6
  static let commitMicroseconds = 20e3
  static let snapshotMilliseconds = 20e3
  static let walOverLimit = 2.0
  /// Free disk: so many times the log's limit and this share of the disk.
  static let diskFreeWALs = 2.0
  static let diskFreeShare = 0.05
  static let fullScanRows = 10e3
  static let fullScanCallsPerSecond = 1.0
  static let scannedPerRow = 100.0
  static let connectionsShare = 0.9
  static let descriptorsShare = 0.9
  static let cacheHitShare = 0.9
  /// The row cache counts as full from here on.
  static let cacheFullShare = 0.95
  static let statementMissShare = 0.05
  static let statementsLeast = 100.0
  static let rejectedShare = 0.01
  /// Without a window of its own a server is judged over this.
  static let windowSeconds = 60.0

  /// Rows of a section of a reply: the most a server gives.
  static let sectionRowsMax = 1_000
  /// Models and running imports on the one screen.
  static let screenModelsMax = 20
  static let screenImportsMax = 4
  /// Columns of a text from a client on the screen.
  static let clientTextWidth = 32
  /// Columns of a query's shape within a sentence.
  static let shapeWidth = 100
  /// Seconds between rows of `--watch`.
  static let watchSeconds = 0.1...3_600.0
  /// What two machines' clocks may differ in between two replies.
  static let clockSlackSeconds = 0.25
  /// How long a lost server is left alone at most, if the interval is not longer.
  static let watchBackoffMax = 10.0
  /// Rows between two headers where there is no terminal to fill.
  static let watchRowsPerHeader = 20
  /// How long a reply may take before it counts as lost.
  static let replyTimeout = Duration.seconds(5)
  /// Queries `roost slow` prints unless told.
  static let slowQueries = 10
}
