import RoostModel

@testable import RoostCLI

/// Figures of a made-up server, and changes to them.
enum SampleServer {
  /// JSON-like literals to values.
  static func map(_ pairs: KeyValuePairs<String, Value>) -> Value {
    .map(pairs.map { MapEntry($0.key, $0.value) })
  }

  static func figures(_ pairs: KeyValuePairs<String, Value>) -> Figures {
    Figures(pairs.map { MapEntry($0.key, $0.value) })
  }

  /// A server with nothing wrong, some work, and every figure of the contract that is looked at.
  static func healthy(at time: Double = 1_000) -> ServerSample {
    ServerSample(server + store + sections, time: time)
  }

  /// The healthy one with one figure changed; the name may lead into a map: `window/commits`.
  static func with(_ changes: KeyValuePairs<String, Value>, at time: Double = 1_000)
    -> ServerSample
  {
    var sample = healthy(at: time)
    for (name, value) in changes { sample = changed(sample, name, value) }
    return sample
  }

  static func changed(_ sample: ServerSample, _ name: String, _ value: Value) -> ServerSample {
    var sample = sample
    set(name.split(separator: "/").map { String($0) }[...], value, in: &sample.figures.entries)
    return sample
  }

  private static func set(
    _ path: ArraySlice<String>, _ value: Value, in entries: inout [MapEntry]
  ) {
    guard let name = path.first else { return }
    var changed = value
    if path.count > 1 {
      var inner: [MapEntry] = []
      if case .map(let old)? = entries.first(where: { $0.key == name })?.value { inner = old }
      set(path.dropFirst(), value, in: &inner)
      changed = .map(inner)
    }
    entries.removeAll { $0.key == name }
    entries.append(MapEntry(name, changed))
  }

  private static let method = map([
    "perSecond": .double(18_234.4), "failedPerSecond": .double(0), "p50Microseconds": .int(91),
    "p99Microseconds": .int(612), "p999Microseconds": .int(2_410), "maxMicroseconds": .int(9_000),
  ])

  private static func calls(_ count: Int64, failed: Int64 = 0) -> Value {
    map([
      "started": .int(count), "succeeded": .int(count - failed), "failed": .int(failed),
      "cancelled": .int(0), "inFlight": .int(0), "p99Microseconds": .int(700),
    ])
  }

  private static let server: [MapEntry] = [
    MapEntry("server.version", .text("1.0")), MapEntry("server.pid", .int(812)),
    MapEntry("server.ready", .int(1)), MapEntry("server.draining", .int(0)),
    MapEntry("server.processors", .int(2)), MapEntry("server.cpuMicroseconds", .int(5_000_000)),
    MapEntry("server.descriptors", .int(231)), MapEntry("server.descriptorsMax", .int(20_000)),
    MapEntry("server.threads", .int(14)), MapEntry("server.residentBytes", .int(188 << 20)),
    MapEntry("server.uptimeMilliseconds", .int(274_320_000)),
    MapEntry("server.connections.open", .int(212)),
    MapEntry("server.connections.max", .int(10_000)),
    MapEntry("server.connections.active", .int(17)),
    MapEntry("server.connections.unready", .int(0)),
    MapEntry("server.connections.slow", .int(0)),
    MapEntry("server.connections.slowEver", .int(3)),
    MapEntry("server.connections.refused", .int(0)),
    MapEntry("server.unsentBytes", .int(2_048)),
    MapEntry("server.unsentBytesHighest", .int(1_024)),
    MapEntry("server.unsentBytesHighestClient", .int(44)),
    MapEntry("server.snapshots.open", .int(5)), MapEntry("server.snapshots.max", .int(16)),
    MapEntry("server.snapshots.oldestMilliseconds", .int(2_100)),
    MapEntry("server.snapshots.oldestClient", .int(43)),
    MapEntry("server.snapshots.expired", .int(0)), MapEntry("server.queue.queries", .int(0)),
    MapEntry("server.queue.queriesMax", .int(1_024)),
    MapEntry("server.queue.queriesRunning", .int(5)), MapEntry("server.queue.gets", .int(0)),
    MapEntry("server.refused", .int(0)), MapEntry("server.commit", .int(8_812_345)),
    MapEntry("server.statuses", map(["NOT_FOUND": .int(4), "ALREADY_EXISTS": .int(83)])),
    MapEntry("server.clock.steps", .int(0)), MapEntry("server.import.running", .int(1)),
    MapEntry("server.import.rowsAccepted", .int(5_000)),
    MapEntry("server.import.rowsRejected", .int(2)), MapEntry("server.cache.rows", .int(60_012)),
    MapEntry("server.cache.bytes", .int(12 << 20)),
    MapEntry("server.cache.bytesMax", .int(48 << 20)),
    MapEntry("server.cache.evictions", .int(7)),
    MapEntry(
      "server.methods",
      map([
        "Get": calls(1_000_000), "Fetch": calls(500), "Count": calls(100, failed: 3),
        "Write": calls(9_000),
      ])),
    MapEntry(
      "server.window",
      map([
        "seconds": .double(60), "cpuShare": .double(0.61), "bytesInPerSecond": .double(9.1e6),
        "bytesOutPerSecond": .double(22e6), "cacheHitShare": .double(0.9923),
        "importRowsPerSecond": .double(142_000), "refused": .int(0), "failed": .int(5),
        "methods": map(["Get": method, "Fetch": method, "Write": method]),
      ])),
  ]

  private static let store: [MapEntry] = [
    MapEntry("engine", .text("sqlite 3.40.1")), MapEntry("durability", .text("full")),
    MapEntry("schemaVersion", .int(7)), MapEntry("lastError", .null),
    MapEntry("requests", .int(9_000)), MapEntry("failedRequests", .int(0)),
    MapEntry("commits", .int(1_200)),
    MapEntry("rows", map(["Airport": .int(1_458), "Flight": .int(336_776)])),
    MapEntry("rowsInserted", .int(338_234)), MapEntry("rowsUpdated", .int(0)),
    MapEntry("rowsDeleted", .int(0)), MapEntry("writerBroken", .int(0)),
    MapEntry("writerGroupMicroseconds", .int(200)), MapEntry("queueDepth", .int(3)),
    MapEntry("queueDepthMax", .int(41)), MapEntry("queueOldestMicroseconds", .int(1_800)),
    MapEntry("queueRefused", .int(0)), MapEntry("outcomesUnknown", .int(0)),
    MapEntry("syncsFailed", .int(0)), MapEntry("walBytes", .int(12 << 20)),
    MapEntry("walBytesHighest", .int(96 << 20)), MapEntry("walBytesLimit", .int(64 << 20)),
    MapEntry("checkpoints", .int(99)), MapEntry("checkpointsIncomplete", .int(0)),
    MapEntry("checkpointLastMillisecondsAgo", .int(4_000)),
    MapEntry("checkpointLastFrames", .int(1_812)),
    MapEntry("checkpointLastMicroseconds", .int(21_000)),
    MapEntry("checkpointMicrosecondsMax", .int(40_000)), MapEntry("fileBytes", .int(4 << 30)),
    MapEntry("diskFreeBytes", .int(61 << 30)), MapEntry("diskBytes", .int(100 << 30)),
    MapEntry("freelistPages", .int(12)),
    MapEntry(
      "window",
      map([
        "seconds": .double(60), "commits": .int(24_600), "groups": .int(24_600),
        "requests": .int(204_180), "failedRequests": .int(0), "writerBusyShare": .double(0.46),
        "rowsInserted": .int(204_000), "rowsUpdated": .int(0), "rowsDeleted": .int(2_400),
        "commitMicroseconds": map([
          "p50": .int(900), "p99": .int(4_800), "p999": .int(11_000), "max": .int(15_000),
          "count": .int(24_600),
        ]),
        "statementMisses": .int(10), "statementHits": .int(99_990), "checkpoints": .int(3),
        "checkpointsIncomplete": .int(0), "busy": .int(0),
      ])),
  ]

  static let query = map([
    "kind": .text("fetch"), "entity": .text("Flight"),
    "shape": .text("Flight where dest == ? sort ident limit ?"), "calls": .int(1_200),
    "failed": .int(0), "totalMicroseconds": .int(12_400_000), "meanMicroseconds": .int(10_333),
    "p50Microseconds": .int(9_000), "p99Microseconds": .int(41_000),
    "maxMicroseconds": .int(120_000), "waitMicroseconds": .int(20), "rows": .int(14_400),
    "rowsScanned": .int(1_200 * 336_775), "sorts": .int(1), "fullScan": .bool(true),
    "plan": .list([.text("SCAN Flight"), .text("  USE TEMP B-TREE FOR ORDER BY")]),
    "callsPerSecond": .double(0.5),
    "slowest": map([
      "microseconds": .int(120_000), "millisecondsAgo": .int(4_000), "client": .int(12),
      "agent": .text("roost/1"), "text": .text("Flight where dest == \"LAX\" sort ident limit 10"),
    ]),
  ])

  static let job = map([
    "id": .text("A"), "client": .int(9), "agent": .text("roost-import/1"),
    "entity": .text("Flight"), "source": .text("data/people.ndjson"), "state": .text("running"),
    "accepted": .int(120_000), "rejected": .int(12), "rowsPerSecond": .double(142_000),
    "progressShare": .double(0.61), "etaMilliseconds": .int(48_000),
  ])

  private static let sections: [MapEntry] = [
    MapEntry("queries", .list([query])), MapEntry("imports", .list([job])),
    MapEntry(
      "models",
      .list([
        map([
          "name": .text("Airport"), "rows": .int(1_458), "gets": .int(12), "queries": .int(3),
          "inserted": .int(1_458), "updated": .int(0), "deleted": .int(0),
        ]),
        map([
          "name": .text("Flight"), "rows": .int(336_776), "gets": .int(1_000_000),
          "queries": .int(600), "inserted": .int(336_776), "updated": .int(0), "deleted": .int(0),
        ]),
      ])),
  ]
}
