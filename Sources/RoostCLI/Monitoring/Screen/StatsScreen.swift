import RoostModel

/// The one screen of `roost stats`: a line a topic, what matters most at the left.
struct StatsScreen {
  let sample: ServerSample
  var figures: Figures { sample.figures }

  /// Sections to ask for beside the figures.
  static let sections: [StatisticsSection] = [.imports, .models]

  var lines: [ScreenLine] {
    [server, data, clients, operations, latency, writer, readers, checkpoint, cache] + imports
      + [errors, process]
  }

  /// Seconds behind the figures of the last minute.
  var windowText: String {
    figures.number("server.window", "seconds").map { "\(FigureForm.fixed($0, 0)) s" } ?? "-"
  }

  // MARK: Topics

  var server: ScreenLine {
    let ready = figures.flag("server.ready")
    let isBroken = figures.flag("writerBroken") == true
    let state =
      figures.flag("server.draining") == true
      ? "draining" : isBroken ? "no: the writer is broken" : ready.map { $0 ? "yes" : "no" } ?? "-"
    let isRelaxed = figures.text("durability") == "relaxed"
    return ScreenLine(
      "server",
      [
        plain("v\(text("server.version"))", rank: 1),
        plain("pid \(count("server.pid", grouped: false))"),
        plain("up \(FigureForm.time(milliseconds: figures.number("server.uptimeMilliseconds")))"),
        ScreenSegment("ready \(state)", isBroken || ready == false ? .critical : .fine),
        plain("engine \(text("engine"))", rank: 2),
        ScreenSegment("durability \(text("durability"))", isRelaxed ? .warning : .fine),
        plain("schema \(count("schemaVersion"))", rank: 1),
      ])
  }

  var data: ScreenLine {
    let wal = figures.number("walBytes")
    let walLimit = figures.number("walBytesLimit")
    let isLong = exceeds(wal, walLimit.map { $0 * MonitorLimits.walOverLimit })
    let isTight = exceeds(DiskRoom.needed(figures), figures.number("diskFreeBytes"))
    return ScreenLine(
      "data",
      [
        plain("file \(bytes("fileBytes"))"),
        ScreenSegment(
          "wal \(FigureForm.bytes(wal)) (peak \(bytes("walBytesHighest")))",
          isLong ? .warning : .fine),
        plain("rows \(FigureForm.count(rowCount))"),
        plain("commit \(FigureForm.grouped(figures.number("server.commit")))", rank: 2),
        plain("written \(FigureForm.count(written))", rank: 3),
        ScreenSegment("disk free \(bytes("diskFreeBytes"))", isTight ? .critical : .fine),
        plain("freelist \(count("freelistPages")) pages", rank: 4),
      ])
  }

  var clients: ScreenLine {
    let open = figures.number("server.connections.open")
    let most = figures.number("server.connections.max")
    let slow = figures.number("server.connections.slow")
    let highest = figures.number("server.unsentBytesHighest")
    let client = figures.number("server.unsentBytesHighestClient")
    let isFull = exceeds(open, most.map { $0 * MonitorLimits.connectionsShare })
    return ScreenLine(
      "clients",
      [
        ScreenSegment(
          "\(FigureForm.grouped(open))/\(FigureForm.count(most))", isFull ? .warning : .fine),
        plain("active \(count("server.connections.active"))"),
        plain("unready \(count("server.connections.unready"))", rank: 3),
        plain(
          "unsent \(bytes("server.unsentBytes"))"
            + (exceeds(highest, 0)
              ? " (most \(FigureForm.bytes(highest)) c#\(FigureForm.grouped(client)))" : ""),
          rank: 1),
        ScreenSegment(
          "slow \(FigureForm.count(slow)) (ever \(count("server.connections.slowEver")))",
          exceeds(slow, 0) ? .warning : .fine),
        plain("refused \(count("server.connections.refused"))", rank: 2),
      ])
  }

  var operations: ScreenLine {
    let seconds = figures.number("window", "seconds")
    let groups = figures.number("window", "groups")
    let requests = figures.number("window", "requests")
    var perGroup = ""
    if let groups, let requests, groups > 0 {
      perGroup = " (\(FigureForm.count(requests / groups)) a group)"
    }
    return ScreenLine(
      "ops/s",
      [
        plain("get \(perSecond("Get"))"),
        plain("fetch \(perSecond("Fetch"))"), plain("count \(perSecond("Count"))", rank: 1),
        plain("write \(perSecond("Write"))"),
        plain(
          "commit \(FigureForm.count(rate(figures.number("window", "commits"), seconds)))"
            + perGroup),
        plain("rows \(rowRates(seconds))", rank: 2),
        plain(
          "import \(FigureForm.count(figures.number("server.window", "importRowsPerSecond")))",
          rank: 3),
      ])
  }

  var latency: ScreenLine {
    let commit = figures.commitTimes
    let isSlow = exceeds(commit?.number("p99"), MonitorLimits.commitMicroseconds)
    return ScreenLine(
      "latency",
      [
        plain("get \(latencies("Get"))"), plain("fetch \(latencies("Fetch"))", rank: 1),
        plain("count \(latencies("Count"))", rank: 3), plain("write \(latencies("Write"))"),
        ScreenSegment(
          "commit \(triple(commit, ["p50", "p99", "p999"]))", isSlow ? .warning : .fine),
        plain("ms p50/p99/p999, \(windowText)", rank: 2),
      ])
  }

  // MARK: Figures

  func plain(_ text: String, rank: Int = 0) -> ScreenSegment { ScreenSegment(text, rank: rank) }

  func text(_ name: String) -> String {
    let text = TableWriter.oneLine(figures.text(name) ?? FigureForm.missing)
    return DisplayWidth.fitted(text, MonitorLimits.clientTextWidth)
  }

  func count(_ name: String, grouped: Bool = true) -> String {
    guard let number = figures.number(name) else { return FigureForm.missing }
    return grouped ? FigureForm.grouped(number) : FigureForm.fixed(number, 0)
  }

  func bytes(_ name: String) -> String { FigureForm.bytes(figures.number(name)) }

  func exceeds(_ number: Double?, _ limit: Double?) -> Bool {
    guard let number, let limit else { return false }
    return number > limit
  }

  func rate(_ number: Double?, _ seconds: Double?) -> Double? {
    guard let number, let seconds, seconds > 0 else { return nil }
    return number / seconds
  }

  /// `+3.4k ~12 -0`: inserted, updated and deleted in each second.
  private func rowRates(_ seconds: Double?) -> String {
    guard figures.number("window", "rowsInserted") != nil else { return FigureForm.missing }
    let names = [("+", "rowsInserted"), ("~", "rowsUpdated"), ("-", "rowsDeleted")]
    return names.map { sign, name in
      sign + FigureForm.count(rate(figures.number("window", name), seconds))
    }.joined(separator: " ")
  }

  /// A method that is not among those called in the last minute was not called.
  private func perSecond(_ method: String) -> String {
    guard let methods = figures.group("server.window", "methods") else { return FigureForm.missing }
    return FigureForm.count(methods.number(method, "perSecond") ?? 0)
  }

  /// Of the last minute; a method that was not called in it has none.
  private func latencies(_ method: String) -> String {
    triple(
      figures.group("server.window", "methods", method),
      ["p50Microseconds", "p99Microseconds", "p999Microseconds"])
  }

  private func triple(_ group: Figures?, _ names: [String]) -> String {
    guard let group, names.contains(where: { group.number($0) != nil }) else {
      return FigureForm.missing
    }
    return names.map { FigureForm.milliseconds(group.number($0)) }.joined(separator: "/")
  }

  private var rowCount: Double? {
    guard let rows = figures.group("rows") else { return nil }
    return rows.entries.reduce(0) { $0 + (rows.number($1.key) ?? 0) }
  }

  private var written: Double? {
    let parts = ["rowsInserted", "rowsUpdated", "rowsDeleted"].map { figures.number($0) }
    return parts.contains { $0 != nil } ? parts.reduce(0) { $0 + ($1 ?? 0) } : nil
  }
}
