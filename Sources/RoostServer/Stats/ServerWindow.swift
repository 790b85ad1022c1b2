import RoostModel
import RoostTransport
import RoostWire

/// Counters of which a minute's rates are told.
struct WindowFigures: Sendable {
  var stats = ServerStats()
  var cacheHits: UInt64 = 0
  var cacheMisses: UInt64 = 0
  var cpuMicroseconds = ProcessFigures.cpuMicroseconds
}

extension ServerCore {
  var windowFigures: WindowFigures {
    WindowFigures(
      stats: stats, cacheHits: cache.hits, cacheMisses: cache.misses)
  }

  /// Takes the window's snapshot if one is due; called before the counters are looked at, and
  /// several times a second while anybody is connected.
  func rollWindow() { window.roll(windowFigures, now: clock.now.nanoseconds) }

  var windowEntries: [MapEntry] {
    let (base, seconds) = window.since(clock.now.nanoseconds)
    let now = windowFigures
    let hits = now.cacheHits &- base.cacheHits
    let looks = hits &+ (now.cacheMisses &- base.cacheMisses)
    var cpu: Double?
    if let new = now.cpuMicroseconds, let old = base.cpuMicroseconds {
      cpu = max(0, Double(new - old) / 1e6 / seconds)
    }
    func rate(_ counter: (ServerStats) -> UInt64) -> Value {
      .double(Double(counter(now.stats) &- counter(base.stats)) / seconds)
    }
    return [
      MapEntry("bytesInPerSecond", rate(\.bytesIn)),
      MapEntry("bytesOutPerSecond", rate(\.bytesOut)),
      MapEntry("cacheHitShare", looks == 0 ? .null : .double(Double(hits) / Double(looks))),
      MapEntry("cpuShare", cpu.map { .double($0) } ?? .null),
      MapEntry("failed", .natural(now.stats.failed &- base.stats.failed)),
      MapEntry("importRowsPerSecond", rate(\.rowsImported)),
      MapEntry("methods", .map(methods(now.stats, base.stats, seconds))),
      MapEntry("refused", .natural(now.stats.refused &- base.stats.refused)),
      MapEntry("seconds", .double(seconds)),
    ]
  }

  /// Methods that were called within the window.
  private func methods(
    _ now: ServerStats, _ base: ServerStats, _ seconds: Double
  ) -> [MapEntry] {
    var entries: [MapEntry] = []
    for method in WireMethod.allCases {
      let (new, old) = (now[method], base[method])
      let latency = new.latency.since(old.latency)
      guard latency.count > 0 || new.started != old.started else { continue }
      let failed = Double(new.failed &- old.failed) / seconds
      entries.append(
        MapEntry(
          method.name,
          .map(
            [MapEntry("failedPerSecond", .double(failed))] + latency.quantileEntries
              + [MapEntry("perSecond", .double(Double(latency.count) / seconds))])))
    }
    return entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
