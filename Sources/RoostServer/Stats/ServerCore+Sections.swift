import FoundationEssentials
import RoostModel
import RoostTransport
import RoostWire

extension ServerCore {
  /// Connections, those with most requests first.
  ///
  /// - Complexity: O(n log n) of the connections; only those told are described.
  func clientEntries(_ limit: Int) -> [Value] {
    // Sorted as numbers: ten thousand sessions would be looked up a hundred thousand times.
    var busiest: [(requests: UInt64, id: UInt64)] = []
    busiest.reserveCapacity(sessions.count)
    for session in sessions.values { busiest.append((session.figures.requests, session.id)) }
    busiest.sort { ($0.requests, $1.id) > ($1.requests, $0.id) }
    return busiest.prefix(limit).compactMap { sessions[$0.id]?.clientEntry(loop.now) }
  }

  /// Calls that have not ended, the oldest first.
  func operationEntries(_ limit: Int) -> [Value] {
    var calls: [(started: LoopInstant, client: UInt64, stream: UInt32)] = []
    for session in sessions.values where !session.calls.isEmpty {
      for call in session.calls.values { calls.append((call.started, session.id, call.stream)) }
    }
    calls.sort { ($0.started, $0.client, $0.stream) < ($1.started, $1.client, $1.stream) }
    return calls.prefix(limit).compactMap {
      sessions[$0.client]?.calls[$0.stream].map { entry(of: $0) }
    }
  }

  private func entry(of call: Call) -> Value {
    let subject = call.subject
    let left = call.deadline.map { Value.int(loop.now.milliseconds(until: $0)) }
    let fields: [(String, Value?)] = [
      ("ageMilliseconds", .int(call.started.milliseconds(until: loop.now))),
      ("agent", .text(call.session.agent)), ("client", .natural(call.session.id)),
      ("deadlineMilliseconds", left ?? .null), ("entity", name(subject.entity)),
      ("method", .text(call.method.name)), ("rows", .int(Int64(call.rowCount))),
      ("state", .text(call.state.rawValue)), ("stream", .int(Int64(call.stream))),
      ("text", .text(subject.text.cut(toBytes: StatisticsLimits.textBytesMax))),
    ]
    return MapFields.map(fields)
  }

  /// Imports that run, the newest first, then the last that ended.
  func importEntries(_ limit: Int) -> [Value] {
    var running: [ImportFigures] = []
    var paused: Set<UInt64> = []
    for session in importersPaused { paused.insert(session.id) }
    for session in sessions.values {
      for case let call as ImportCall in session.calls.values { running.append(call.figures) }
    }
    running.sort { ($0.started, $0.client) > ($1.started, $1.client) }
    return (running + imports.ended).prefix(limit).map { figures in
      entry(of: figures, isPaused: paused.contains(figures.client))
    }
  }

  private func entry(of figures: ImportFigures, isPaused: Bool) -> Value {
    let now = loop.now
    let fields: [(String, Value?)] = [
      ("accepted", .int(Int64(figures.accepted))),
      ("ageMilliseconds", .int(figures.started.milliseconds(until: now))),
      ("agent", .text(figures.agent)), ("bytes", .int(Int64(figures.bytes))),
      ("chunks", .int(Int64(figures.chunks))),
      ("chunksWaiting", .int(Int64(figures.chunksWaiting))),
      ("client", .natural(figures.client)),
      ("endedMillisecondsAgo", figures.ended.map { .int($0.milliseconds(until: now)) } ?? .null),
      ("entity", name(figures.descriptor.entity)),
      ("etaMilliseconds", figures.eta(now).map(Value.int) ?? .null),
      ("id", .text(figures.descriptor.id.uuidString.lowercased())),
      ("progressShare", figures.progressShare.map(Value.double) ?? .null),
      ("rejected", .int(Int64(figures.rejected))),
      ("rowsPerSecond", .double(figures.rowsPerSecond(now))),
      ("source", figures.descriptor.source.map { .text($0.name) } ?? .null),
      ("state", .text(figures.state(isPaused: isPaused))),
      ("status", .text(figures.end.error?.message ?? "")),
    ]
    return MapFields.map(fields)
  }

  /// Entities by name, their rows and changes as the store counts them.
  func modelEntries(_ store: [MapEntry], _ limit: Int) -> [Value] {
    let rows = StoredNumbers(store, "rows")
    let changes = StoredNumbers(store, "changes")
    let entities = plans.schema.entities.sorted {
      $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
    }
    return entities.prefix(limit).map { entity in
      let figures = models[entity.id]
      let changed = changes.inner(entity.name)
      let fields: [(String, Value?)] = [
        ("deleted", changed["deleted"]), ("fullScans", .natural(figures.fullScans)),
        ("getMisses", .natural(figures.getMisses)), ("gets", .natural(figures.gets)),
        ("inserted", changed["inserted"]), ("name", .text(entity.name)),
        ("queries", .natural(figures.queries)), ("rows", rows[entity.name]),
        ("rowsRead", .natural(figures.rowsRead)), ("rowsScanned", .natural(figures.rowsScanned)),
        ("updated", changed["updated"]),
      ]
      return MapFields.map(fields)
    }
  }

  func name(_ entity: EntityID?) -> Value {
    guard let entity, let name = plans.schema.entity(entity)?.name else { return .null }
    return .text(name)
  }
}

/// Bounds of what statistics show; the number of entries is bounded by the request.
enum StatisticsLimits {
  /// Of a query's or a source's text.
  static let textBytesMax = 1_024
  /// Of a request that is taken apart again to be shown.
  static let subjectBytesMax = 4 << 10
  /// Of a client's own name.
  static let agentBytesMax = 256
}

/// Numbers by name from one of the store's figures; the store may not tell it.
private struct StoredNumbers {
  private let values: [String: Value]

  init(_ entries: [MapEntry], _ key: String) {
    guard case .map(let inner)? = entries.first(where: { $0.key == key })?.value else {
      values = [:]
      return
    }
    values = Dictionary(inner.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  subscript(name: String) -> Value? { values[name] }

  func inner(_ name: String) -> [String: Value] {
    guard case .map(let entries)? = values[name] else { return [:] }
    return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }
}

extension Session {
  func clientEntry(_ now: LoopInstant) -> Value {
    var oldest = now
    for call in calls.values { oldest = min(oldest, call.started) }
    let stalled = Int64(clamping: stalled(now).clampedNanoseconds / 1_000_000)
    let fields: [(String, Value?)] = [
      ("address", .text(channel.peerName)),
      ("ageMilliseconds", .int(figures.opened.milliseconds(until: now))),
      ("agent", .text(agent)), ("bytesIn", .natural(figures.bytesIn)),
      ("bytesOut", .natural(figures.bytesOut)), ("calls", .int(Int64(calls.count))),
      ("failed", .natural(figures.failed)), ("id", .natural(id)),
      ("idleMilliseconds", .int(figures.lastInput.milliseconds(until: now))),
      ("oldestCallMilliseconds", .int(oldest.milliseconds(until: now))),
      ("requests", .natural(figures.requests)),
      ("snapshotMilliseconds", .int(snapshotMilliseconds(now))),
      ("stalledMilliseconds", .int(stalled)), ("state", .text(clientState(now))),
      ("unsentBytes", .int(Int64(channel.unsentByteCount))),
    ]
    return MapFields.map(fields)
  }

  private func clientState(_ now: LoopInstant) -> String {
    if isEnding { return "ending" }
    if !isReady { return "unready" }
    if isWaitingForOutput || stalled(now) >= ServerCore.slowAfter { return "blocked" }
    return calls.isEmpty ? "idle" : "active"
  }
}

extension String {
  /// The beginning, if it is longer; whole characters.
  func cut(toBytes bytesMax: Int) -> String {
    guard utf8.count > bytesMax else { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, bytesMax - 3))
    while end > startIndex, end.samePosition(in: self) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
