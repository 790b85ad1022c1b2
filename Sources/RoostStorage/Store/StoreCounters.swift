import RoostModel

/// Rows of one entity that commits touched.
struct ChangeCounts: Sendable {
  var inserted = 0
  var updated = 0
  var deleted = 0

  /// How many rows more there are.
  var added: Int { inserted - deleted }

  static func += (lhs: inout ChangeCounts, rhs: ChangeCounts) {
    lhs.inserted += rhs.inserted
    lhs.updated += rhs.updated
    lhs.deleted += rhs.deleted
  }
}

/// The last checkpoint.
struct CheckpointFigures: Sendable {
  /// On the store's clock.
  var ended: UInt64
  /// Frames in the WAL, moved or not; 0 when it failed.
  var frames: Int
  var microseconds: Int
}

/// Figures for statistics: what is counted only grows, what is measured is how it is now.
struct StoreCounters: Sendable {
  var rows: [EntityID: Int] = [:]
  /// Since the store was opened.
  var changes: [EntityID: ChangeCounts] = [:]
  var commits = 0
  var groups = 0
  var requests = 0
  var failedRequests = 0
  /// Of all entities.
  var changed = ChangeCounts()
  var importsBegun = 0
  var chunks = 0
  var duplicateChunks = 0
  var importRowsAccepted = 0
  var importRowsRejected = 0
  private(set) var walFrames = 0
  private(set) var walFramesHighest = 0
  var checkpoints = 0
  var checkpointsIncomplete = 0
  var checkpointMicrosecondsMax = 0
  var lastCheckpoint: CheckpointFigures?
  /// Pages without content, when the last checkpoint was made or the store was opened.
  var freelistPages: Int?
  var busy = 0
  var outcomesUnknown = 0
  /// From an unknown outcome until the file is opened anew.
  var isWriterBroken = false
  var groupMicrosecondsMax = 0
  /// When the group under way began, on the store's clock.
  var groupBegan: UInt64?
  /// COMMITs that succeeded, with their sync if the durability is full.
  var commitTimes = LatencyHistogram()
  var cacheHits = 0
  var cacheMisses = 0
  var cacheBytes = 0
  var statementHits = 0
  var statementMisses = 0
  var readers = 0
  var lastError: String?
  /// Syncs between commits, in durability `group`.
  var syncsFailed = 0
  /// What is over of the writer's time.
  private var busyNanoseconds: UInt64 = 0
  /// Since when it works.
  private var busySince: UInt64?

  init(rows: [EntityID: Int]) { self.rows = rows }

  mutating func noteWAL(frames: Int) {
    walFrames = frames
    walFramesHighest = max(walFramesHighest, frames)
  }

  mutating func endGroup(_ statements: (hits: Int, misses: Int)) {
    statementHits += statements.hits
    statementMisses += statements.misses
    groupBegan = nil
  }

  // MARK: The writer's time

  mutating func beginWork(_ now: UInt64) { busySince = busySince ?? now }

  mutating func endWork(_ now: UInt64) {
    busyNanoseconds = busyNanoseconds(at: now)
    busySince = nil
  }

  /// How long the writer has worked instead of waiting for requests, also now.
  func busyNanoseconds(at now: UInt64) -> UInt64 {
    guard let busySince, now > busySince else { return busyNanoseconds }
    return busyNanoseconds &+ (now - busySince)
  }
}
