import RoostAdmin
import RoostModel
import RoostTransport

extension ServerCore {
  /// Clients and their snapshots all together: no label names a connection, so that the number of
  /// series stays bounded.
  var clientFamilies: [MetricFamily] {
    let census = Census(sessions.values, now: loop.now)
    return [
      MetricFamily(
        "roost_connections_active", .gauge, "Connections with calls under way.",
        .whole(Int64(census.active))),
      MetricFamily(
        "roost_slow_consumers", .gauge, "Clients that take nothing of what waits for them.",
        .whole(Int64(census.slow))),
      MetricFamily(
        "roost_slow_consumers_total", .counter, "Times that a client began to take nothing.",
        .natural(stats.slowEver)),
      MetricFamily(
        "roost_unsent_bytes", .gauge, "Bytes that wait for clients to take them.",
        .whole(Int64(census.unsentBytes))),
      MetricFamily(
        "roost_oldest_snapshot_seconds", .gauge, "The age of the oldest snapshot of a fetch.",
        .fraction(Double(census.oldestSnapshotMilliseconds) / 1_000)),
      MetricFamily(
        "roost_snapshots_expired_total", .counter, "Fetches ended for a snapshot held too long.",
        .natural(stats.snapshotsExpired)),
      MetricFamily(
        "roost_refused_total", .counter, "Calls refused because a queue was full.",
        .natural(stats.refused)),
      MetricFamily(
        "roost_clock_steps_total", .counter, "Jumps of the wall clock by more than a second.",
        .natural(clockWatch.steps)),
      MetricFamily(
        "roost_statuses_total", .counter, "Calls that did not end well, by status.",
        stats.statusSamples),
    ]
  }

  /// Reads by entity; the store tells rows and changes.
  var modelFamilies: [MetricFamily] {
    func family(
      _ name: String, _ help: String, _ figure: (ModelFigures) -> UInt64
    ) -> MetricFamily {
      MetricFamily(
        "roost_model_\(name)_total", .counter, help,
        plans.schema.entities.map {
          MetricSample(.natural(figure(models[$0.id])), MetricLabel("entity", $0.name))
        })
    }
    return [
      family("gets", "Rows that gets brought.", \.gets),
      family("get_misses", "Those of them that came from the store.", \.getMisses),
      family("queries", "Fetches and counts.", \.queries),
      family("rows_read", "Rows that fetches brought.", \.rowsRead),
      family("rows_scanned", "Rows stepped over for want of an index.", \.rowsScanned),
      family("full_scans", "Queries that went through all rows.", \.fullScans),
    ]
  }
}

extension ServerStats {
  fileprivate var statusSamples: [MetricSample] {
    var samples: [MetricSample] = []
    for entry in statusEntries {
      guard case .int(let count) = entry.value else { continue }
      samples.append(MetricSample(.whole(count), MetricLabel("status", entry.key)))
    }
    return samples
  }
}
