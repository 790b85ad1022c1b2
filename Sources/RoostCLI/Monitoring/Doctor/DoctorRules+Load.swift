import RoostModel

extension DoctorRules {
  /// What queries, caches and imports cost.
  static let load: [DoctorRule] = [
    DoctorRule(name: "fullScans", subject: "full scans") { sample in
      worstQuery(
        sample, MonitorLimits.fullScanRows, { QueryFigures.perCall("rowsScanned", $0) },
        "rows read by each call"
      ) { "a query that is called often reads whole tables: \($0)" }
    },
    DoctorRule(name: "scansPerRow", subject: "rows read for one given") { sample in
      worstQuery(
        sample, MonitorLimits.scannedPerRow, QueryFigures.scannedPerRow, "rows read for one given"
      ) { "a query that is called often reads much for what it gives: \($0)" }
    },
    DoctorRule(name: "rowCache", subject: "row cache") { sample in
      let bytes = sample.figures.number("server.cache.bytes")
      let most = sample.figures.number("server.cache.bytesMax")
      guard let bytes, let most else { return .untold }
      // A cache with room left is only cold.
      guard most > 0, bytes >= most * MonitorLimits.cacheFullShare else {
        return .well("\(FigureForm.bytes(bytes)) of \(FigureForm.bytes(most))")
      }
      guard let share = sample.figures.number("server.window", "cacheHitShare") else {
        return .well("not asked in the last \(window(sample))")
      }
      guard share < MonitorLimits.cacheHitShare else {
        return .well("\(FigureForm.share(share)) hit")
      }
      return .found(
        DoctorFinding(
          level: .warning, what: "the row cache is full and too small for what is read",
          figure: "\(FigureForm.share(share)) hit",
          threshold: "at least \(FigureForm.share(MonitorLimits.cacheHitShare))",
          advice: "serve from a program with a larger rowCacheBytes, or read fewer rows by key"))
    },
    DoctorRule(name: "statements", subject: "prepared statements") { sample in
      let hits = sample.figures.number("window", "statementHits")
      let misses = sample.figures.number("window", "statementMisses")
      guard let hits, let misses else { return .untold }
      let all = hits + misses
      guard all >= MonitorLimits.statementsLeast else {
        return .well("\(FigureForm.grouped(all)) in \(window(sample))")
      }
      return DoctorRule.above(
        misses / all, MonitorLimits.statementMissShare, .warning, FigureForm.share,
        (
          "too many queries have to be compiled before they run",
          "let queries differ in their values only, not in their form"
        ))
    },
    DoctorRule(name: "readers", subject: "readers") { sample in
      let running = sample.figures.number("server.queue.queriesRunning")
      let waiting = sample.figures.number("server.queue.queries")
      let most = sample.figures.number("server.snapshots.max")
      guard let running, let waiting, let most else { return .untold }
      let figure = "\(FigureForm.grouped(running)) of \(FigureForm.grouped(most)) busy"
      guard running >= most, waiting > 0 else { return .well(figure) }
      return .found(
        DoctorFinding(
          level: .warning, what: "every reader is busy and queries wait",
          figure: "\(figure), \(FigureForm.grouped(waiting)) waiting", threshold: "none waiting",
          advice: "roost slow URL names the queries that cost most"))
    },
    DoctorRule(name: "rejectedRows", subject: "rejected rows") { sample in rejectedRows(sample) },
  ]

  /// The worst of the queries that scan whole tables more than once a second.
  private static func worstQuery(
    _ sample: ServerSample, _ threshold: Double, _ figure: (Figures) -> Double?, _ unit: String,
    _ what: (String) -> String
  ) -> DoctorVerdict {
    guard let queries = sample.rows(.queries) else { return .untold }
    var worst: (value: Double, query: Figures)?
    for query in queries where isOftenScanned(query) {
      guard let value = figure(query), value > worst?.value ?? -1 else { continue }
      worst = (value, query)
    }
    guard let worst, worst.value >= threshold else {
      return .well(worst.map { "\(FigureForm.grouped($0.value)) \(unit)" } ?? "none")
    }
    let text = TableWriter.oneLine(worst.query.text("shape") ?? FigureForm.missing)
    let shape = DisplayWidth.fitted(text, MonitorLimits.shapeWidth)
    return .found(
      DoctorFinding(
        level: .warning, what: what(shape),
        figure: "\(FigureForm.grouped(worst.value)) \(unit)",
        threshold: "below \(FigureForm.grouped(threshold))",
        advice: ScanAdvice(worst.query, in: sample).text ?? "see roost slow URL"))
  }

  private static func isOftenScanned(_ query: Figures) -> Bool {
    query.flag("fullScan") == true
      && query.number("callsPerSecond") ?? 0 > MonitorLimits.fullScanCallsPerSecond
  }

  private static func rejectedRows(_ sample: ServerSample) -> DoctorVerdict {
    guard let imports = sample.rows(.imports) else { return .untold }
    var worst: (share: Double, job: Figures)?
    for job in imports {
      guard let accepted = job.number("accepted"), let rejected = job.number("rejected"),
        accepted + rejected > 0
      else { continue }
      let share = rejected / (accepted + rejected)
      if share > worst?.share ?? -1 { worst = (share, job) }
    }
    guard let worst else { return .well("no imports") }
    let source = TableWriter.oneLine(worst.job.text("source") ?? worst.job.text("entity") ?? "-")
    return DoctorRule.above(
      worst.share, MonitorLimits.rejectedShare, .warning, FigureForm.share,
      (
        "an import's rows do not fit: \(source)",
        "roost import --rejects FILE keeps each with its reason"
      ))
  }
}
