import RoostModel
import RoostTransport
import RoostWire

extension ServerCore {
  /// The server's figures; `Protocol/SPEC.md`, "Stats", says what each means.
  var statisticsEntries: [MapEntry] {
    [
      MapEntry("server.bytesIn", number(stats.bytesIn)),
      MapEntry("server.bytesOut", number(stats.bytesOut)),
      MapEntry("server.cache.bytes", .int(Int64(cache.byteCount))),
      MapEntry("server.cache.bytesMax", .int(Int64(cache.bytesMax))),
      MapEntry("server.cache.evictions", number(cache.evictions)),
      MapEntry("server.cache.hits", number(cache.hits)),
      MapEntry("server.cache.misses", number(cache.misses)),
      MapEntry("server.cache.rows", .int(Int64(cache.rowCount))),
      MapEntry("server.commit", number(changes.knownCommit)),
      MapEntry("server.connections.accepted", number(stats.connectionsAccepted)),
      MapEntry("server.connections.failed", number(stats.connectionsFailed)),
      MapEntry("server.connections.open", .int(Int64(sessions.count))),
      MapEntry("server.connections.refused", number(stats.connectionsRefused)),
      MapEntry("server.import.bytesQueued", .int(Int64(importBytesQueued))),
      MapEntry("server.import.rowsAccepted", number(stats.rowsImported)),
      MapEntry("server.import.rowsRejected", number(stats.rowsRejected)),
      MapEntry("server.import.running", .int(Int64(importsRunning))),
      MapEntry("server.loop.turns", number(loop.turnCount)),
      MapEntry("server.methods", .map(stats.methodEntries)),
      MapEntry("server.queue.gets", .int(Int64(getsQueued))),
      MapEntry("server.queue.queries", .int(Int64(queries.waitingCount))),
      MapEntry("server.queue.queriesRunning", .int(Int64(queries.runningCount))),
      MapEntry("server.queue.writeBytes", .int(Int64(writeBytesQueued))),
      MapEntry("server.queue.writes", .int(Int64(writesQueued))),
      MapEntry("server.requests", number(stats.requestsStarted)),
      MapEntry("server.residentBytes", ServerStats.residentBytes().map(Value.int) ?? .null),
      MapEntry("server.uptimeMilliseconds", .int(uptimeMilliseconds)),
    ]
  }

  private func number(_ value: UInt64) -> Value { .int(Int64(clamping: value)) }

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
