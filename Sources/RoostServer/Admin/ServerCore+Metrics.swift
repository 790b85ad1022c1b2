import RoostAdmin
import RoostModel
import RoostTransport
import RoostWire

extension ServerCore {
  /// The server's figures under Prometheus' names; the same as in ``statisticsEntries``.
  var metricFamilies: [MetricFamily] {
    trafficFamilies + clientFamilies + cacheFamilies + queueFamilies + importFamilies
      + modelFamilies + stats.methodFamilies
  }

  private var trafficFamilies: [MetricFamily] {
    [
      MetricFamily(
        "roost_uptime_seconds", .gauge, "Since the server was made.",
        .fraction(Double(uptimeMilliseconds) / 1_000)),
      MetricFamily(
        "roost_received_bytes_total", .counter, "Bytes taken from clients.",
        .natural(stats.bytesIn)),
      MetricFamily(
        "roost_sent_bytes_total", .counter, "Bytes given to clients.", .natural(stats.bytesOut)),
      MetricFamily(
        "roost_connections_open", .gauge, "Connections of clients.",
        .whole(Int64(sessions.count))),
      MetricFamily(
        "roost_connections_accepted_total", .counter, "Connections that became sessions.",
        .natural(stats.connectionsAccepted)),
      MetricFamily(
        "roost_connections_refused_total", .counter, "Connections too many, or while draining.",
        .natural(stats.connectionsRefused)),
      MetricFamily(
        "roost_connections_failed_total", .counter, "Connections that broke the protocol.",
        .natural(stats.connectionsFailed)),
      MetricFamily(
        "roost_loop_turns_total", .counter, "Turns of the event loop.",
        .natural(loop.turnCount)),
      MetricFamily(
        "roost_commit_number", .gauge, "The last commit the server knows of.",
        .natural(changes.knownCommit)),
    ]
  }

  private var cacheFamilies: [MetricFamily] {
    [
      MetricFamily(
        "roost_row_cache_bytes", .gauge, "Bytes of rows kept for gets.",
        .whole(Int64(cache.byteCount))),
      MetricFamily(
        "roost_row_cache_limit_bytes", .gauge, "Bytes of rows that may be kept.",
        .whole(Int64(cache.bytesMax))),
      MetricFamily(
        "roost_row_cache_rows", .gauge, "Rows kept for gets.", .whole(Int64(cache.rowCount))),
      MetricFamily(
        "roost_row_cache_hits_total", .counter, "Rows answered from the cache.",
        .natural(cache.hits)),
      MetricFamily(
        "roost_row_cache_misses_total", .counter, "Rows the cache did not have.",
        .natural(cache.misses)),
      MetricFamily(
        "roost_row_cache_evictions_total", .counter, "Rows given up for others.",
        .natural(cache.evictions)),
    ]
  }

  private var queueFamilies: [MetricFamily] {
    [
      MetricFamily(
        "roost_gets_queued", .gauge, "Gets that wait for the store.", .whole(Int64(getsQueued))),
      MetricFamily(
        "roost_queries_queued", .gauge, "Queries that wait for a reader.",
        .whole(Int64(queries.waitingCount))),
      MetricFamily(
        "roost_queries_running", .gauge, "Queries that have a reader.",
        .whole(Int64(queries.runningCount))),
      MetricFamily(
        "roost_writes_queued", .gauge, "Writes on their way to the store.",
        .whole(Int64(writesQueued))),
      MetricFamily(
        "roost_writes_queued_bytes", .gauge, "Bytes of writes on their way to the store.",
        .whole(Int64(writeBytesQueued))),
    ]
  }

  private var importFamilies: [MetricFamily] {
    [
      MetricFamily(
        "roost_imports_running", .gauge, "Imports under way.", .whole(Int64(importsRunning))),
      MetricFamily(
        "roost_imports_queued_bytes", .gauge, "Bytes of chunks on their way to the store.",
        .whole(Int64(importBytesQueued))),
      MetricFamily(
        "roost_import_rows_total", .counter, "Rows of imports by what became of them.",
        [
          MetricSample(.natural(stats.rowsImported), MetricLabel("outcome", "accepted")),
          MetricSample(.natural(stats.rowsRejected), MetricLabel("outcome", "rejected")),
        ]),
    ]
  }
}

extension ServerStats {
  /// Calls of every method, those never called left out.
  var methodFamilies: [MetricFamily] {
    var ended: [MetricSample] = []
    var inFlight: [MetricSample] = []
    var durations: [MetricSample] = []
    for method in WireMethod.allCases where self[method].started > 0 {
      let figures = self[method]
      let label = MetricLabel("method", method.name)
      for (outcome, count) in [
        ("succeeded", figures.succeeded), ("failed", figures.failed),
        ("cancelled", figures.cancelled),
      ] {
        ended.append(MetricSample(.natural(count), label, MetricLabel("outcome", outcome)))
      }
      inFlight.append(MetricSample(.natural(figures.inFlight), label))
      durations.append(MetricSample(.histogram(figures.latency.figures), label))
    }
    return [
      MetricFamily("roost_requests_total", .counter, "Calls that ended, by how they did.", ended),
      MetricFamily("roost_requests_in_flight", .gauge, "Calls under way.", inFlight),
      MetricFamily(
        "roost_request_duration_seconds", .histogram,
        "From a call's arrival to its end; calls answered in one turn count the same time each.",
        durations),
    ]
  }
}

extension LatencyHistogram {
  /// From 8 µs to 67 s by doublings: edges of this histogram's own buckets, so nothing is guessed.
  var figures: HistogramFigures {
    let bounds = LatencyHistogram.exponents.map { Double(UInt64(1) << $0) / 1e6 }
    let cumulative = counts(below: LatencyHistogram.exponents)
    return HistogramFigures(
      bounds: bounds, cumulative: cumulative, count: count,
      sum: Double(sumNanoseconds) / 1e9)
  }

  private static let exponents: ClosedRange<UInt64> = 3...26
}
