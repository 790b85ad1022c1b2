/// The result for people.
enum TableReport {
  static func text(_ result: RunResult) -> String {
    var lines = heading(result)
    lines.append("")
    lines += table(result)
    lines.append("")
    lines += remarks(result)
    return lines.joined(separator: "\n") + "\n"
  }

  private static func heading(_ result: RunResult) -> [String] {
    let options = result.options
    var target = result.target.url
    if let entity = result.target.entity {
      target += " · \(entity), \(Figures.grouped(result.target.rows)) rows"
    }
    let seconds = Figures.fixed(result.seconds, decimals: 1)
    return [
      target,
      "\(options.mix) · \(options.loopText) · \(seconds) s after "
        + "\(Figures.fixed(options.warmupSeconds, decimals: 1)) s of warm-up · "
        + "\(options.threads) thread\(options.threads == 1 ? "" : "s") · seed \(options.seed)",
    ]
  }

  private static func table(_ result: RunResult) -> [String] {
    var rows = [["", "requests", "errors", "requests/s", "p50", "p99", "p99.9", "max"]]
    for operation in result.options.mix.operations {
      rows.append(row(operation.name, result.tallies[operation], result))
    }
    if result.options.mix.operations.count > 1 {
      rows.append(row("all", result.tallies.total, result))
    }
    return TextTable.lines(rows)
  }

  private static func row(_ name: String, _ tally: Tally, _ result: RunResult) -> [String] {
    let latencies = tally.latencies
    let quantiles = [0.5, 0.99, 0.999].map { latencies.value(atQuantile: $0) } + [latencies.max]
    return [
      name, Figures.grouped(tally.requests), Figures.grouped(tally.errors),
      Figures.fixed(result.perSecond(tally.requests), decimals: 0),
    ] + quantiles.map { latencies.isEmpty ? "-" : Figures.duration($0) }
  }

  private static func remarks(_ result: RunResult) -> [String] {
    let total = result.tallies.total
    var lines: [String] = []
    for (kind, count) in FailureLine.sorted(total) {
      lines.append("failed     " + FailureLine.text(kind, count))
    }
    lines.append("generator  " + generator(result))
    if result.unsent > 0 {
      let unsent = Figures.grouped(result.unsent)
      lines.append(
        "overload   \(unsent) planned requests were never sent: the rate was not held. "
          + "Their waiting is in the latencies.")
    }
    if let imports = result.imports {
      let rows = Figures.grouped(imports.accepted)
      lines.append(
        "import     \(rows) rows by \(imports.streams) at once, "
          + "\(Figures.fixed(imports.rowsPerSecond, decimals: 0)) rows/s, "
          + "\(Figures.grouped(imports.rejected)) rejected")
      lines += imports.failures.map { "import     ended early: \($0)" }
    }
    if let writes = result.target.writes { lines.append("writes     " + writes) }
    if let restored = result.restored {
      lines.append("restored   \(Figures.grouped(restored)) rows have their own values again")
    }
    if let removed = result.removed {
      lines.append("deleted    \(Figures.grouped(removed)) rows that this run had made")
    }
    for step in result.search?.steps ?? [] {
      var more = step.unsent > 0 ? ", \(Figures.grouped(step.unsent)) never sent" : ""
      if step.reached < step.rate * 0.99 {
        more += ", \(Figures.fixed(step.reached, decimals: 0))/s reached"
      }
      lines.append(
        "tried      \(Figures.fixed(step.rate, decimals: 0))/s: \(step.found)\(more), "
          + (step.holds ? "holds" : "misses"))
    }
    for verdict in result.verdicts {
      lines.append(
        (verdict.holds ? "holds      " : "MISSED     ") + "\(verdict.rule): \(verdict.found)")
    }
    if result.wasInterrupted { lines.append("note       interrupted before its time was over") }
    return lines + result.notes.map { "note       " + $0 }
  }

  private static func generator(_ result: RunResult) -> String {
    let load = result.generator
    let shares = load.threadShares.map(Figures.percent).joined(separator: ", ")
    var text = "\(shares.isEmpty ? "-" : shares) of a processor"
    if result.options.threads > 1 { text += " per thread" }
    if !load.lag.isEmpty {
      text += "; sent late by " + Figures.duration(load.lag.value(atQuantile: 0.99)) + " (p99)"
    }
    if load.isLimiting {
      text += ". It is the limit, not the server: give it more --threads"
    }
    return text
  }
}

/// Columns side by side: the first to the left, the others to the right.
enum TextTable {
  static func lines(_ rows: [[String]]) -> [String] {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let padding = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 ? cell + padding : padding + cell
      }
      return cells.joined(separator: "  ")
    }
  }
}
