/// One run, or two over one another, as a page that needs nothing but itself.
enum HTMLReport {
  /// A run and the letter it goes by; "" for a single one.
  struct Entry {
    var name: String
    var record: RunRecord
  }

  static func page(_ record: RunRecord) -> String {
    page(
      heading: record.scenario ?? record.entity.map { "Load on \($0)" } ?? "Load on the protocol",
      sub: subtitle(record), [Entry(name: "", record: record)])
  }

  /// `names` are the files of both.
  static func page(
    comparing left: RunRecord, _ right: RunRecord, names: (String, String)
  ) -> String {
    page(
      heading: "Two runs compared", sub: "A is \(names.0), B is \(names.1)",
      [Entry(name: "A", record: left), Entry(name: "B", record: right)])
  }

  private static func page(heading: String, sub: String, _ entries: [Entry]) -> String {
    let body =
      [notes(entries), tiles(entries)] + charts(entries)
      + [operations(entries), verdicts(entries), health(entries), facts(entries)]
    return """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      <meta name="viewport" content="width=device-width,initial-scale=1">
      <title>\(Page.escaped(heading)) · roost-load</title>
      <style>\(PageStyle.text)</style></head><body><main>
      <h1>\(Page.escaped(heading))</h1><p class="sub">\(Page.escaped(sub))</p>
      \(body.filter { !$0.isEmpty }.joined(separator: "\n"))
      <footer>Made by roost-load. Latencies are counted to three digits; those of an open loop
      from the planned moment of sending.</footer>
      </main></body></html>

      """
  }

  private static func subtitle(_ record: RunRecord) -> String {
    var parts = [record.mix, record.loop]
    parts.append("\(Figures.fixed(record.seconds, decimals: 1)) s")
    if record.entity != nil { parts.append("\(Figures.grouped(record.rows)) rows") }
    parts.append(record.startedAt)
    return parts.filter { !$0.isEmpty }.joined(separator: " · ")
  }

  // MARK: Tiles

  private static func tiles(_ entries: [Entry]) -> String {
    let tiles = entries.count == 2 ? compared(entries[0], entries[1]) : single(entries[0].record)
    return "<div class=\"tiles\">\(tiles.joined(separator: "\n"))</div>"
  }

  private static func single(_ record: RunRecord) -> [String] {
    let latencies = record.total.latencies
    let quantiles = latencies.percentiles
    func duration(_ value: UInt64) -> String {
      latencies.isEmpty ? "-" : Figures.duration(value)
    }
    let errors = record.total.errors
    return [
      tile(Figures.fixed(record.total.requestsPerSecond, decimals: 0), "requests per second"),
      tile(duration(quantiles.p50), "median"), tile(duration(quantiles.p99), "99th percentile"),
      tile(duration(quantiles.p999), "99.9th percentile"), tile(duration(quantiles.max), "longest"),
      tile(
        Figures.grouped(errors), "errors in \(Figures.grouped(record.total.requests)) requests",
        errors > 0 ? "bad" : "good"),
    ]
  }

  private static func compared(_ left: Entry, _ right: Entry) -> [String] {
    Comparison.figures(left.record.total, right.record.total).map { figure in
      let ratio = figure.ratio.isEmpty ? figure.right : figure.ratio
      return tile(ratio, "\(figure.name): \(figure.left) → \(figure.right)")
    }
  }

  private static func tile(_ value: String, _ name: String, _ style: String = "") -> String {
    "<div class=\"tile\"><b class=\"\(style)\">\(Page.escaped(value))</b>"
      + "<span>\(Page.escaped(name))</span></div>"
  }

  // MARK: Texts and tables

  private static func notes(_ entries: [Entry]) -> String {
    var lines: [String] = []
    for entry in entries {
      let prefix = entry.name.isEmpty ? "" : entry.name + ": "
      let record = entry.record
      if record.generator.isLimiting {
        let share = Figures.percent(record.generator.busiest)
        lines.append(
          "\(prefix)The generator was the limit, not the server: its busiest thread used \(share) "
            + "of a processor. The server can do more than this shows.")
      }
      if let lag = record.generator.lag, lag > record.total.latencies.percentiles.p50 {
        lines.append(
          "\(prefix)The generator sent requests late, by \(Figures.duration(lag)) (p99): latencies "
            + "below that are its own, not the server's.")
      }
      if record.unsent > 0 {
        lines.append(
          "\(prefix)\(Figures.grouped(record.unsent)) planned requests were never sent: the rate "
            + "was not held. Their waiting is in the latencies.")
      }
      lines += record.failures.map { "\(prefix)Failed: \($0)" } + record.notes.map { prefix + $0 }
    }
    if lines.isEmpty { return "" }
    return "<div class=\"note\">" + lines.map { "<p>\(Page.escaped($0))</p>" }.joined() + "</div>"
  }

  private static func operations(_ entries: [Entry]) -> String {
    if entries.count == 2 {
      let rows = Comparison.rows(entries[0].record, entries[1].record)
      return "<section class=\"card\"><h2>Operations</h2>\(Page.table(rows))</section>"
    }
    var rows = [["", "requests", "errors", "per second", "p50", "p99", "p99.9", "max"]]
    let record = entries[0].record
    let all = record.operations.count > 1 ? [record.total] : []
    for line in record.operations + all {
      let latencies = line.latencies
      let quantiles = latencies.percentiles
      let values = [quantiles.p50, quantiles.p99, quantiles.p999, quantiles.max]
      rows.append(
        [
          line.name, Figures.grouped(line.requests), Figures.grouped(line.errors),
          Figures.fixed(line.requestsPerSecond, decimals: 0),
        ] + values.map { latencies.isEmpty ? "-" : Figures.duration($0) })
    }
    return "<section class=\"card\"><h2>Operations</h2>\(Page.table(rows))</section>"
  }

  private static func verdicts(_ entries: [Entry]) -> String {
    var rows = [["", "asked for", "found"]]
    for entry in entries {
      for verdict in entry.record.verdicts {
        let mark = verdict.holds ? "holds" : "missed"
        rows.append([
          entry.name.isEmpty ? mark : "\(entry.name) \(mark)", verdict.rule, verdict.found,
        ])
      }
    }
    guard rows.count > 1 else { return "" }
    return "<section class=\"card\"><h2>Thresholds and checks</h2>"
      + "\(Page.table(rows, style: "words"))</section>"
  }

  private static func health(_ entries: [Entry]) -> String {
    sideBySide("Generator", entries) { record in
      let load = record.generator
      let shares = load.threadShares.map(Figures.percent).joined(separator: ", ")
      var facts = [
        RunRecord.Fact(name: "processor share of each thread", value: shares.isEmpty ? "-" : shares)
      ]
      if let lag = load.lag {
        facts.append(RunRecord.Fact(name: "sent late (p99)", value: Figures.duration(lag)))
      }
      let isLimit = load.isLimiting ? "yes: the server can do more" : "no"
      facts.append(RunRecord.Fact(name: "generator was the limit", value: isLimit))
      return facts
    }
  }

  private static func facts(_ entries: [Entry]) -> String {
    sideBySide("Options", entries) { record in
      let server = RunRecord.Fact(name: "server", value: record.server)
      let url = RunRecord.Fact(name: "url", value: record.url)
      return (record.server.isEmpty ? [url] : [server, url]) + record.facts
    }
  }

  /// A row for each name, a column for each run.
  private static func sideBySide(
    _ title: String, _ entries: [Entry], _ facts: (RunRecord) -> [RunRecord.Fact]
  ) -> String {
    let columns = entries.map { facts($0.record) }
    var names: [String] = []
    for fact in columns.joined() where !names.contains(fact.name) { names.append(fact.name) }
    var rows = [[""] + entries.map(\.name)]
    for name in names {
      var row = [name]
      for column in columns { row.append(column.first { $0.name == name }?.value ?? "-") }
      rows.append(row)
    }
    let style = entries.count == 2 ? "facts pair" : "facts"
    return "<section class=\"card\"><h2>\(title)</h2>\(Page.table(rows, style: style))</section>"
  }
}
