import RoostModel
import Synchronization

/// The figures of a store as a map.
struct StoreStatistics {
  let shared: StoreShared
  let queue: RequestQueue
  let isClosed: Bool

  /// In the order of their names.
  var entries: [MapEntry] {
    let counters = shared.counters.withLock { $0 }
    let waiting = queue.figures
    var entries: [MapEntry] = numbers(counters).map { MapEntry($0.0, .int(Int64($0.1))) }
    entries += [
      MapEntry("closed", .int(isClosed ? 1 : 0)),
      MapEntry("durability", .text(shared.durability.rawValue)),
      MapEntry("lastError", counters.lastError.map { .text($0) } ?? .null),
      MapEntry("path", .text(shared.path)),
      MapEntry("queueBytes", .int(Int64(waiting.bytes))),
      MapEntry("queueDepth", .int(Int64(waiting.requests))),
      MapEntry("queueDepthMax", .int(Int64(waiting.highest))),
      MapEntry("queueLimit", .int(Int64(StorageLimits.queueRequestsMax))),
      MapEntry("queueLimitBytes", .int(Int64(StorageLimits.queueBytesMax))),
      MapEntry("rows", .map(rows(counters))),
      MapEntry("store", .text(shared.identifier)),
    ]
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private func rows(_ counters: StoreCounters) -> [MapEntry] {
    let entries = shared.layout.schema.entities.map {
      MapEntry($0.name, .int(Int64(counters.rows[$0.id] ?? 0)))
    }
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  private func numbers(_ counters: StoreCounters) -> [(String, Int)] {
    [
      ("busy", counters.busy), ("cacheBytes", counters.cacheBytes),
      ("cacheHits", counters.cacheHits), ("cacheMisses", counters.cacheMisses),
      ("checkpointMicrosecondsMax", counters.checkpointMicrosecondsMax),
      ("checkpoints", counters.checkpoints),
      ("checkpointsIncomplete", counters.checkpointsIncomplete), ("chunks", counters.chunks),
      ("chunksDuplicate", counters.duplicateChunks), ("commits", counters.commits),
      ("failedRequests", counters.failedRequests),
      ("groupMicrosecondsMax", counters.groupMicrosecondsMax), ("groups", counters.groups),
      ("importRowsAccepted", counters.importRowsAccepted),
      ("importRowsRejected", counters.importRowsRejected), ("imports", counters.importsBegun),
      ("outcomesUnknown", counters.outcomesUnknown), ("readers", counters.readers),
      ("requests", counters.requests), ("rowsDeleted", counters.rowsDeleted),
      ("rowsInserted", counters.rowsInserted), ("rowsUpdated", counters.rowsUpdated),
      ("syncsFailed", counters.syncsFailed),
      ("walBytes", StorageLimits.walBytes(frames: counters.walFrames)),
      ("walFrames", counters.walFrames),
      ("writerBroken", counters.isWriterBroken ? 1 : 0),
    ]
  }
}
