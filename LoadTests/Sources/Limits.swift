/// Every bound of the load generator.
enum LoadLimits {
  static let connectionsMax = 10_000
  static let depthMax = 1_024
  static let threadsMax = 64
  static let durationSecondsMax = 86_400.0
  static let rateMax: UInt64 = 10_000_000
  static let weightMax = 1_000_000
  /// Runs of neighbouring row identifiers that are kept to choose from; 16 bytes each.
  static let keyRangesMax = 4_000_000
  /// Attributes that are looked at for one that writes may change.
  static let writeCandidatesMax = 8
  /// Rows that writes change and put back.
  static let writeRowsMax = 10_000
  /// Rows of one page that `fetch` reads.
  static let fetchRowsMax = 10_000
  /// Latencies at and above this (18 minutes) count as this.
  static let latencyNanosecondsMax: UInt64 = (1 << 40) - 1
  /// How long a slot whose call failed, or whose connection is lost, waits before the next one.
  static let failurePauseNanoseconds: UInt64 = 10_000_000
  /// Different failures that are told apart in a result.
  static let failureKindsMax = 64
  /// Connections of one thread that are being made at once.
  static let connectsAtOnce = 64
  /// How long a lost connection stays lost before it is made again.
  static let reconnectPause = Duration.milliseconds(200)
  /// How long after the last deadline an answer may still come.
  static let lastAnswerGrace = Duration.seconds(1)
  /// How long the threads have to take their plans before the run begins.
  static let startDelay = Duration.milliseconds(50)
  /// Rows of one get.
  static let batchKeysMax = 1_000
  /// Rows of which each thread changes some by their key.
  static let upsertRowsMax = 1_000
  /// Rows a thread makes and remembers; from then on it deletes instead.
  static let ownRowsMax = 5_000_000
  /// Rows that are asked for by their key.
  static let lookupKeysMax = 10_000
  /// Rows a run makes before it begins.
  static let dataRowsMax = 10_000_000
  static let textBytesMax = 65_536
  /// Imports beside the requests, and rows of each.
  static let besideStreamsMax = 64
  static let besideRowsMax = 100_000_000
  /// How long a closed loop runs to find the capacity of a server.
  static let capacitySeconds = 2.0
  /// Bounds of a search for the highest rate; a step takes its warm-up besides.
  static let searchStepsMax = 16
  static let searchSecondsMax = 600.0
  static let searchStepSecondsMax = 30.0
  /// Bytes of a result or scenario that is read.
  static let fileBytesMax = 64 << 20
  /// Intervals of a time series; longer runs have longer intervals.
  static let timelinePointsMax = 2_000
  /// Intervals after the end, for late answers; later ones count in the last of them.
  static let lateIntervalsMax = 1_000
  /// Intervals whose histograms are kept, because a thread may still tell of them.
  static let openIntervalsMax = 3
  /// How often the threads hand over what they counted.
  static let tickNanoseconds: UInt64 = 1_000_000_000
}
