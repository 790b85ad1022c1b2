import RoostModel

/// What a store did in about the last minute, as a map.
struct WindowStatistics {
  private let figures: StoreTally.Figures

  init(_ figures: StoreTally.Figures) { self.figures = figures }

  /// In the order of their names.
  var entries: [MapEntry] {
    [
      grown("busy", \.busy), grown("checkpoints", \.checkpoints),
      grown("checkpointsIncomplete", \.checkpointsIncomplete),
      MapEntry("commitMicroseconds", .map(commitTimes)), grown("commits", \.commits),
      grown("failedRequests", \.failedRequests), grown("groups", \.groups),
      grown("requests", \.requests), grown("rowsDeleted", \.changed.deleted),
      grown("rowsInserted", \.changed.inserted), grown("rowsUpdated", \.changed.updated),
      MapEntry("seconds", .double(figures.seconds)), grown("statementHits", \.statementHits),
      grown("statementMisses", \.statementMisses),
      MapEntry("writerBusyShare", .double(busyShare)),
    ]
  }

  private func grown(_ name: String, _ number: KeyPath<StoreCounters, Int>) -> MapEntry {
    MapEntry(name, .int(Int64(figures.counters[keyPath: number] - figures.base[keyPath: number])))
  }

  private var busyShare: Double {
    let now = figures.counters.busyNanoseconds(at: figures.now)
    let then = figures.base.busyNanoseconds(at: figures.baseTaken)
    return min(max(Double(now) - Double(then), 0) / 1e9 / figures.seconds, 1)
  }

  private var commitTimes: [MapEntry] {
    let times = figures.counters.commitTimes.since(figures.base.commitTimes)
    let numbers: [(String, UInt64)] = [
      ("count", times.count), ("max", times.maxMicroseconds), ("p50", times.quantile(0.5)),
      ("p99", times.quantile(0.99)), ("p999", times.quantile(0.999)),
    ]
    return numbers.map { MapEntry($0.0, .int(Int64(clamping: $0.1))) }
  }
}
