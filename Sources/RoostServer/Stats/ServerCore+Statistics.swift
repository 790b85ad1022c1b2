import Glibc
import RoostModel
import RoostTransport
import RoostWire

extension ServerCore {
  /// The figures of the store and the server, and the sections asked for, within a message.
  ///
  /// Sections lose their last entries for the reply to be of `bytesMax` bytes at most.
  func statistics(
    _ request: StatisticsRequest, bytesMax: Int
  ) throws(StoreError) -> [MapEntry] {
    rollWindow()
    let store = try engine.statistics()
    var entries = store + statisticsEntries
    var room = SectionRoom(bytesMax, beside: entries, sections: request.sections.count)
    for section in request.sections {
      let found = self.entries(of: section, store, request.limit)
      entries.append(MapEntry(section.rawValue, .list(room.fitted(found))))
    }
    return entries
  }

  private func entries(
    of section: StatisticsSection, _ store: [MapEntry], _ limit: Int
  ) -> [Value] {
    switch section {
    case .clients: clientEntries(limit)
    case .imports: importEntries(limit)
    case .models: modelEntries(store, limit)
    case .operations: operationEntries(limit)
    case .queries: queryEntries(limit)
    }
  }

  /// The server's figures; `Protocol/SPEC.md`, "Stats", says what each means.
  var statisticsEntries: [MapEntry] {
    counterEntries + connectionEntries + queueEntries + processEntries + [
      MapEntry("server.methods", .map(stats.methodEntries)),
      MapEntry("server.statuses", .map(stats.statusEntries)),
      MapEntry("server.window", .map(windowEntries)),
    ]
  }

  private var counterEntries: [MapEntry] {
    [
      MapEntry("server.bytesIn", .natural(stats.bytesIn)),
      MapEntry("server.bytesOut", .natural(stats.bytesOut)),
      MapEntry("server.cache.bytes", .int(Int64(cache.byteCount))),
      MapEntry("server.cache.bytesMax", .int(Int64(cache.bytesMax))),
      MapEntry("server.cache.evictions", .natural(cache.evictions)),
      MapEntry("server.cache.hits", .natural(cache.hits)),
      MapEntry("server.cache.misses", .natural(cache.misses)),
      MapEntry("server.cache.rows", .int(Int64(cache.rowCount))),
      MapEntry("server.commit", .natural(changes.knownCommit)),
      MapEntry("server.import.bytesQueued", .int(Int64(importBytesQueued))),
      MapEntry("server.import.rowsAccepted", .natural(stats.rowsImported)),
      MapEntry("server.import.rowsRejected", .natural(stats.rowsRejected)),
      MapEntry("server.import.running", .int(Int64(importsRunning))),
      MapEntry("server.refused", .natural(stats.refused)),
      MapEntry("server.requests", .natural(stats.requestsStarted)),
    ]
  }

  private var connectionEntries: [MapEntry] {
    let census = Census(sessions.values, now: loop.now)
    return [
      MapEntry("server.connections.accepted", .natural(stats.connectionsAccepted)),
      MapEntry("server.connections.active", .int(Int64(census.active))),
      MapEntry("server.connections.failed", .natural(stats.connectionsFailed)),
      MapEntry("server.connections.max", .int(Int64(limits.connectionsMax))),
      MapEntry("server.connections.open", .int(Int64(sessions.count))),
      MapEntry("server.connections.refused", .natural(stats.connectionsRefused)),
      MapEntry("server.connections.slow", .int(Int64(census.slow))),
      MapEntry("server.connections.slowEver", .natural(stats.slowEver)),
      MapEntry("server.connections.unready", .int(Int64(census.unready))),
      MapEntry("server.snapshots.expired", .natural(stats.snapshotsExpired)),
      MapEntry("server.snapshots.max", .int(Int64(limits.snapshotsMax))),
      MapEntry("server.snapshots.oldestClient", .natural(census.oldestSnapshotClient)),
      MapEntry("server.snapshots.oldestMilliseconds", .int(census.oldestSnapshotMilliseconds)),
      MapEntry("server.snapshots.open", .int(Int64(queries.runningCount))),
      MapEntry("server.unsentBytes", .int(Int64(census.unsentBytes))),
      MapEntry("server.unsentBytesHighest", .int(Int64(census.unsentBytesHighest))),
      MapEntry("server.unsentBytesHighestClient", .natural(census.unsentBytesHighestClient)),
    ]
  }

  private var queueEntries: [MapEntry] {
    [
      MapEntry("server.queue.gets", .int(Int64(getsQueued))),
      MapEntry("server.queue.getsMax", .int(Int64(limits.getsQueuedMax))),
      MapEntry("server.queue.queries", .int(Int64(queries.waitingCount))),
      MapEntry("server.queue.queriesMax", .int(Int64(limits.queriesQueuedMax))),
      MapEntry("server.queue.queriesRunning", .int(Int64(queries.runningCount))),
      MapEntry("server.queue.writeBytes", .int(Int64(writeBytesQueued))),
      MapEntry("server.queue.writes", .int(Int64(writesQueued))),
      MapEntry("server.queue.writesMax", .int(Int64(limits.writesQueuedMax))),
    ]
  }

  private var processEntries: [MapEntry] {
    func known(_ value: Int64?) -> Value { value.map(Value.int) ?? .null }
    return [
      MapEntry("server.clock.steps", .natural(clockWatch.steps)),
      MapEntry("server.cpuMicroseconds", known(ProcessFigures.cpuMicroseconds)),
      MapEntry("server.descriptors", known(ProcessFigures.descriptors)),
      MapEntry("server.descriptorsMax", known(ProcessFigures.descriptorsMax)),
      MapEntry("server.draining", .int(isDraining ? 1 : 0)),
      MapEntry("server.instance", .text(instance)),
      MapEntry("server.loop.turns", .natural(loop.turnCount)),
      MapEntry("server.pid", .int(Int64(getpid()))),
      MapEntry("server.processors", .int(ProcessFigures.processors)),
      MapEntry("server.ready", .int(isDraining ? 0 : 1)),
      MapEntry("server.residentBytes", known(ProcessFigures.residentBytes)),
      MapEntry("server.threads", known(ProcessFigures.threads)),
      MapEntry("server.uptimeMilliseconds", .int(uptimeMilliseconds)),
      MapEntry("server.version", .text(RoostVersion.current)),
    ]
  }

  /// Every bound a client may meet, keys ascending.
  var limitEntries: [MapEntry] {
    let entries: [(String, Int)] = [
      ("columns", Limits.columnsMax),
      ("connections", limits.connectionsMax),
      ("expressionDepth", Limits.expressionDepthMax),
      ("expressionNodes", Limits.expressionNodesMax),
      ("frameBytes", wireLimits.frameBytesMax),
      ("getBytesRead", limits.getBytesReadMax),
      ("getKeys", Limits.getKeysMax),
      ("getsQueued", limits.getsQueuedMax),
      ("importBytesQueued", limits.importBytesQueuedMax),
      ("importChunkRows", Limits.chunkRowsMax),
      ("imports", limits.importsMax),
      ("longStreams", wireLimits.longStreamsMax),
      ("messageBytes", wireLimits.messageBytesMax),
      ("operatorConnections", limits.operatorConnectionsMax),
      ("queriesQueued", limits.queriesQueuedMax),
      ("rowCacheBytes", limits.rowCacheBytes),
      ("snapshots", limits.snapshotsMax),
      ("timeoutMilliseconds", Int(wireLimits.timeoutMillisecondsMax)),
      ("unaryStreams", wireLimits.unaryStreamsMax),
      ("unsentBytes", limits.unsentBytesMax),
      ("valueBytes", Limits.valueBytesMax),
      ("writeOperations", Limits.writeOperationsMax),
      ("writesQueued", limits.writesQueuedMax),
    ]
    return entries.map { MapEntry($0.0, .int(Int64($0.1))) }
  }
}
