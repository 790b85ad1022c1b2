import RoostModel
import RoostSQLite

/// The figures of a store as a map; `Protocol/SPEC.md`, "Stats", says what each is.
///
/// - Complexity: O(entities), and waits for nobody but for locks of a few instructions.
struct StoreStatistics {
  private let shared: StoreShared
  private let isClosed: Bool
  private let layout: StoreLayout
  private let figures: StoreTally.Figures
  private let waiting: RequestQueue.Figures
  private let disk: DiskFigures.Sizes

  private static let engine = Connection.version

  init(_ shared: StoreShared, _ queue: RequestQueue, isClosed: Bool) {
    self.shared = shared
    self.isClosed = isClosed
    layout = shared.layout
    waiting = queue.figures
    disk = shared.disk.sizes
    figures = shared.tally.figures
  }

  private var counters: StoreCounters { figures.counters }

  /// In the order of their names.
  var entries: [MapEntry] {
    var entries: [MapEntry] = []
    for (name, number) in numbers + gauges { entries.append(MapEntry(name, .int(Int64(number)))) }
    for (name, number) in optionalNumbers {
      entries.append(MapEntry(name, number.map { .int(Int64($0)) } ?? .null))
    }
    entries += [
      MapEntry("changes", .map(changes)), MapEntry("durability", .text(shared.durability.rawValue)),
      MapEntry("engine", .text("sqlite " + Self.engine)),
      MapEntry("lastError", counters.lastError.map { .text($0) } ?? .null),
      MapEntry("path", .text(shared.path)), MapEntry("rows", .map(rows)),
      MapEntry("sqliteVersion", .text(Self.engine)), MapEntry("store", .text(shared.identifier)),
      MapEntry("window", .map(WindowStatistics(figures).entries)),
    ]
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private var rows: [MapEntry] {
    layout.byName.map { MapEntry($0.name, .int(Int64(counters.rows[$0.id] ?? 0))) }
  }

  private var changes: [MapEntry] {
    layout.byName.map { name, id in
      let changes = counters.changes[id] ?? ChangeCounts()
      return MapEntry(
        name,
        .map([
          MapEntry("deleted", .int(Int64(changes.deleted))),
          MapEntry("inserted", .int(Int64(changes.inserted))),
          MapEntry("updated", .int(Int64(changes.updated))),
        ]))
    }
  }

  /// What only grows.
  private var numbers: [(String, Int)] {
    [
      ("busy", counters.busy), ("cacheHits", counters.cacheHits),
      ("cacheMisses", counters.cacheMisses),
      ("checkpointMicrosecondsMax", counters.checkpointMicrosecondsMax),
      ("checkpoints", counters.checkpoints),
      ("checkpointsIncomplete", counters.checkpointsIncomplete), ("chunks", counters.chunks),
      ("chunksDuplicate", counters.duplicateChunks), ("commits", counters.commits),
      ("failedRequests", counters.failedRequests),
      ("groupMicrosecondsMax", counters.groupMicrosecondsMax), ("groups", counters.groups),
      ("importRowsAccepted", counters.importRowsAccepted),
      ("importRowsRejected", counters.importRowsRejected), ("importsBegun", counters.importsBegun),
      ("outcomesUnknown", counters.outcomesUnknown),
      ("queueDepthMax", waiting.requestsHighest), ("queueRefused", waiting.refused),
      ("requests", counters.requests), ("rowsDeleted", counters.changed.deleted),
      ("rowsInserted", counters.changed.inserted), ("rowsUpdated", counters.changed.updated),
      ("statementHits", counters.statementHits), ("statementMisses", counters.statementMisses),
      ("syncsFailed", counters.syncsFailed),
      ("walBytesHighest", StorageLimits.walBytes(frames: counters.walFramesHighest)),
      ("writerBusyMicroseconds", Int(clamping: counters.busyNanoseconds(at: figures.now) / 1_000)),
    ]
  }

  /// What is so now, and its bounds.
  private var gauges: [(String, Int)] {
    [
      ("cacheBytes", counters.cacheBytes), ("closed", isClosed ? 1 : 0),
      ("queueBytes", waiting.bytes), ("queueDepth", waiting.requests),
      ("queueLimit", StorageLimits.queueRequestsMax),
      ("queueLimitBytes", StorageLimits.queueBytesMax),
      ("queueOldestMicroseconds", waiting.oldestMicroseconds), ("readers", counters.readers),
      ("schemaVersion", Int(layout.schema.version)),
      ("walBytes", StorageLimits.walBytes(frames: counters.walFrames)),
      ("walBytesLimit", StorageLimits.walBytes(frames: StorageLimits.walFramesBusy)),
      ("walFrames", counters.walFrames), ("writerBroken", counters.isWriterBroken ? 1 : 0),
      ("writerGroupMicroseconds", counters.groupBegan.map { microseconds(since: $0) } ?? 0),
    ]
  }

  /// What may be unknown.
  private var optionalNumbers: [(String, Int?)] {
    let checkpoint = counters.lastCheckpoint
    return [
      ("checkpointLastFrames", checkpoint?.frames),
      ("checkpointLastMicroseconds", checkpoint?.microseconds),
      ("checkpointLastMillisecondsAgo", checkpoint.map { microseconds(since: $0.ended) / 1_000 }),
      ("diskBytes", disk.diskBytes), ("diskFreeBytes", disk.freeBytes),
      ("fileBytes", disk.fileBytes), ("freelistPages", counters.freelistPages),
    ]
  }

  private func microseconds(since moment: UInt64) -> Int {
    figures.now > moment ? Int(clamping: (figures.now - moment) / 1_000) : 0
  }
}
