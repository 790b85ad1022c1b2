import RoostModel

/// The topics of the store, of imports and of the process.
extension StatsScreen {
  var writer: ScreenLine {
    let busy = figures.number("window", "writerBusyShare")
    let oldest = figures.number("queueOldestMicroseconds")
    let group = figures.number("writerGroupMicroseconds")
    let isBroken = figures.flag("writerBroken") == true
    let refused = figures.number("queueRefused")
    return ScreenLine(
      "writer",
      [
        isBroken ? ScreenSegment("BROKEN", .critical) : nil,
        ScreenSegment(
          "busy \(FigureForm.share(busy))",
          exceeds(busy, MonitorLimits.writerBusyShare) ? .warning : .fine),
        plain("queue \(count("queueDepth")) (max \(count("queueDepthMax")))"),
        ScreenSegment(
          "oldest wait \(FigureForm.time(microseconds: oldest))",
          exceeds(oldest, MonitorLimits.oldestRequestMicroseconds) ? .warning : .fine),
        ScreenSegment(
          "group \(FigureForm.time(microseconds: group))",
          exceeds(group, MonitorLimits.stalledGroupMicroseconds) ? .critical : .fine, rank: 2),
        plain("failed \(count("failedRequests"))", rank: 1),
        plain("refused \(FigureForm.grouped(refused))", rank: 1),
        failedSyncs,
      ].compactMap { $0 })
  }

  private var failedSyncs: ScreenSegment? {
    guard let syncs = figures.number("syncsFailed"), syncs > 0 else { return nil }
    return ScreenSegment("failed syncs \(FigureForm.grouped(syncs))", .critical)
  }

  var readers: ScreenLine {
    let waiting = figures.number("server.queue.queries")
    let oldest = figures.number("server.snapshots.oldestMilliseconds")
    let client = figures.number("server.snapshots.oldestClient")
    let isOld = exceeds(oldest, MonitorLimits.snapshotMilliseconds)
    let holder = exceeds(client, 0) ? " (c#\(FigureForm.grouped(client)))" : ""
    return ScreenLine(
      "readers",
      [
        plain("queries \(count("server.queue.queriesRunning")) running"),
        ScreenSegment(
          "waiting \(FigureForm.grouped(waiting)) of \(count("server.queue.queriesMax"))",
          exceeds(waiting, 0) ? .warning : .fine),
        plain("gets waiting \(count("server.queue.gets"))", rank: 3),
        plain(
          "snapshots \(count("server.snapshots.open"))/\(count("server.snapshots.max"))", rank: 1),
        ScreenSegment(
          "oldest \(FigureForm.time(milliseconds: oldest))\(holder)", isOld ? .warning : .fine),
        plain("expired \(count("server.snapshots.expired"))", rank: 2),
      ])
  }

  var checkpoint: ScreenLine {
    let incomplete = figures.number("window", "checkpointsIncomplete")
    let ago = figures.number("checkpointLastMillisecondsAgo")
    let lastMicroseconds = figures.number("checkpointLastMicroseconds")
    let last =
      ago == nil
      ? "last -"
      : "last \(FigureForm.time(milliseconds: ago)) ago, \(count("checkpointLastFrames")) pages, "
        + FigureForm.time(microseconds: lastMicroseconds)
    return ScreenLine(
      "checkpt",
      [
        plain(last),
        plain(
          "longest \(FigureForm.time(microseconds: figures.number("checkpointMicrosecondsMax")))",
          rank: 2),
        plain("all \(count("checkpoints"))", rank: 1),
        ScreenSegment(
          "incomplete \(FigureForm.grouped(incomplete)) in \(windowText) "
            + "(all \(count("checkpointsIncomplete")))",
          exceeds(incomplete, 0) ? .warning : .fine),
      ])
  }

  var cache: ScreenLine {
    let hits = figures.number("window", "statementHits")
    let misses = figures.number("window", "statementMisses")
    var share: Double?
    if let hits, let misses, hits + misses > 0 { share = hits / (hits + misses) }
    return ScreenLine(
      "cache",
      [
        plain("hit \(FigureForm.share(figures.number("server.window", "cacheHitShare")))"),
        plain(
          "rows \(count("server.cache.rows")), \(bytes("server.cache.bytes")) of "
            + bytes("server.cache.bytesMax")),
        plain("evicted \(count("server.cache.evictions"))", rank: 2),
        plain("statements hit \(FigureForm.share(share))", rank: 1),
      ])
  }

  /// A line for each of the first imports that run.
  var imports: [ScreenLine] {
    guard let rows = sample.rows(.imports) else {
      return [ScreenLine("import", [plain("running \(count("server.import.running"))")])]
    }
    let running = rows.filter { ["running", "paused"].contains($0.text("state") ?? "") }
    guard !running.isEmpty else {
      let accepted = FigureForm.count(figures.number("server.import.rowsAccepted"))
      let rejected = FigureForm.count(figures.number("server.import.rowsRejected"))
      return [
        ScreenLine("import", [plain("none runs"), plain("ever \(accepted), rejected \(rejected)")])
      ]
    }
    let shown = running.prefix(MonitorLimits.screenImportsMax)
    var lines = shown.map { importLine($0) }
    let rest = running.count - shown.count
    if rest > 0 { lines[lines.count - 1].segments.append(plain("and \(rest) more", rank: 1)) }
    return lines
  }

  private func importLine(_ job: Figures) -> ScreenLine {
    let source = SourceName.short(job) ?? TableWriter.oneLine(job.text("agent") ?? "-")
    let entity = TableWriter.oneLine(job.text("entity") ?? "-")
    let rejected = job.number("rejected")
    let paused = job.text("state") == "paused"
    return ScreenLine(
      "import",
      [
        plain(
          "\(DisplayWidth.fitted(source, MonitorLimits.clientTextWidth)) → "
            + DisplayWidth.fitted(entity, MonitorLimits.clientTextWidth)),
        ScreenSegment(
          paused ? "paused" : FigureForm.share(job.number("progressShare")),
          paused ? .warning : .fine),
        plain("\(FigureForm.count(job.number("rowsPerSecond"))) rows/s"),
        plain("eta \(FigureForm.clock(milliseconds: job.number("etaMilliseconds")))"),
        plain("accepted \(FigureForm.count(job.number("accepted")))", rank: 1),
        ScreenSegment(
          "rejected \(FigureForm.count(rejected))", exceeds(rejected, 0) ? .warning : .fine,
          rank: 2),
      ])
  }

  var errors: ScreenLine {
    let unknown = figures.number("outcomesUnknown")
    let statuses = figures.group("server.statuses")
    var segments = [
      ScreenSegment(
        "failed \(FigureForm.grouped(figures.number("server.window", "failed")))", rank: 0),
      ScreenSegment(
        "refused \(FigureForm.grouped(figures.number("server.window", "refused"))) in "
          + windowText,
        exceeds(figures.number("server.window", "refused"), 0) ? .warning : .fine),
      ScreenSegment(
        "outcomes unknown \(FigureForm.grouped(unknown))",
        exceeds(unknown, 0) ? .critical : .fine),
    ]
    let known = (statuses?.entries ?? []).map { ($0.key, statuses?.number($0.key) ?? 0) }
    for (name, number) in known.sorted(by: { $0.1 > $1.1 }) where number > 0 {
      let word = TableWriter.oneLine(name).lowercased().split(separator: "_")
      segments.append(
        plain("\(word.joined(separator: " ")) \(FigureForm.count(number))", rank: segments.count))
    }
    if let last = figures.text("lastError") {
      let text = DisplayWidth.fitted(TableWriter.oneLine(last), 2 * MonitorLimits.clientTextWidth)
      segments.insert(ScreenSegment("last: \(text)", .warning), at: 0)
    }
    return ScreenLine("errors", segments)
  }

  var process: ScreenLine {
    let open = figures.number("server.descriptors")
    let most = figures.number("server.descriptorsMax")
    let isFull = exceeds(open, most.map { $0 * MonitorLimits.descriptorsShare })
    let bytesIn = figures.number("server.window", "bytesInPerSecond")
    let bytesOut = figures.number("server.window", "bytesOutPerSecond")
    return ScreenLine(
      "process",
      [
        plain(
          "cpu \(FigureForm.share(figures.number("server.window", "cpuShare"))) of "
            + "\(count("server.processors")) cpus"),
        plain("rss \(bytes("server.residentBytes"))"),
        ScreenSegment(
          "fds \(FigureForm.grouped(open))/\(FigureForm.count(most))",
          isFull ? .warning : .fine, rank: 1),
        plain("threads \(count("server.threads"))", rank: 2),
        plain("in \(FigureForm.bytes(bytesIn))/s"), plain("out \(FigureForm.bytes(bytesOut))/s"),
      ])
  }
}
