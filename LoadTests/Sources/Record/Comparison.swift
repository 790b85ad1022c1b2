/// Two runs side by side, for people.
enum Comparison {
  static func text(_ left: RunRecord, _ right: RunRecord, names: (String, String)) -> String {
    var lines = [
      "A  \(names.0): \(heading(left))", "B  \(names.1): \(heading(right))", "",
    ]
    lines += TextTable.lines(rows(left, right))
    lines.append("")
    lines += warnings(left, right)
    return lines.joined(separator: "\n") + "\n"
  }

  static func heading(_ record: RunRecord) -> String {
    [record.mix, record.loop, "\(Figures.fixed(record.seconds, decimals: 1)) s", record.startedAt]
      .filter { !$0.isEmpty }.joined(separator: " · ")
  }

  /// A row for each figure of each operation both runs have.
  static func rows(_ left: RunRecord, _ right: RunRecord) -> [[String]] {
    var rows = [["", "", "A", "B", "B / A"]]
    for (name, first, second) in pairs(left, right) {
      var isFirst = true
      for figure in figures(first, second) {
        rows.append([isFirst ? name : "", figure.name, figure.left, figure.right, figure.ratio])
        isFirst = false
      }
    }
    return rows
  }

  static func pairs(
    _ left: RunRecord, _ right: RunRecord
  ) -> [(name: String, left: RunRecord.Line, right: RunRecord.Line)] {
    var pairs = [("all", left.total, right.total)]
    for line in left.operations {
      guard let other = right.operations.first(where: { $0.name == line.name }) else { continue }
      if left.operations.count > 1 || right.operations.count > 1 {
        pairs.append((line.name, line, other))
      }
    }
    return pairs
  }

  /// One figure of both runs, and the second as a multiple of the first.
  struct Figure: Hashable {
    var name: String
    var left: String
    var right: String
    var ratio: String
  }

  static func figures(_ left: RunRecord.Line, _ right: RunRecord.Line) -> [Figure] {
    var figures = [
      Figure(
        name: "requests/s", left: Figures.fixed(left.requestsPerSecond, decimals: 0),
        right: Figures.fixed(right.requestsPerSecond, decimals: 0),
        ratio: ratio(left.requestsPerSecond, right.requestsPerSecond))
    ]
    let (first, second) = (left.latencies.percentiles, right.latencies.percentiles)
    let latencies = [
      ("p50", first.p50, second.p50), ("p99", first.p99, second.p99),
      ("p99.9", first.p999, second.p999), ("max", first.max, second.max),
    ]
    for (name, a, b) in latencies where !left.latencies.isEmpty && !right.latencies.isEmpty {
      figures.append(
        Figure(
          name: name, left: Figures.duration(a), right: Figures.duration(b),
          ratio: ratio(Double(a), Double(b))))
    }
    figures.append(
      Figure(
        name: "errors", left: Figures.grouped(left.errors), right: Figures.grouped(right.errors),
        ratio: left.errors == 0 ? "" : ratio(Double(left.errors), Double(right.errors))))
    return figures
  }

  static func ratio(_ left: Double, _ right: Double) -> String {
    left > 0 ? Figures.fixed(right / left, decimals: 2) + "×" : "-"
  }

  private static func warnings(_ left: RunRecord, _ right: RunRecord) -> [String] {
    var lines: [String] = []
    for (name, record) in [("A", left), ("B", right)] where record.generator.isLimiting {
      lines.append("note  the generator was the limit of \(name), not the server")
    }
    if left.mix != right.mix || left.loop != right.loop {
      lines.append("note  the runs asked for different work: the ratios compare that, too")
    }
    return lines
  }
}
