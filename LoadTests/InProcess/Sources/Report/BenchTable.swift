/// A result for people.
enum BenchTable {
  static func text(_ result: BenchResult) -> String {
    let options = result.options
    var lines = [
      "\(grouped(result.count)) objects of 10 attributes, \(options.repeats) repeats, durability "
        + "full, seed \(options.seed); objects a second, medians",
      row("", "Roost", "SQLite", "ratio", "GRDB, quoted, not measured here"),
    ]
    for measure in Measure.allCases where options.measures.contains(measure) {
      let ratio = result.ratio(measure).map { fixed($0) } ?? "-"
      lines.append(
        row(
          measure.title, rate(result, measure, .roost), rate(result, measure, .sqlite), ratio,
          measure.quoted.map { "\($0.figure) (\($0.way))" } ?? ""))
    }
    return lines.joined(separator: "\n") + "\n\n"
  }

  private static func rate(_ result: BenchResult, _ measure: Measure, _ side: Side) -> String {
    result.rate(measure, side).map { grouped(Int($0.rounded())) } ?? "-"
  }

  private static func row(
    _ title: String, _ ours: String, _ theirs: String, _ ratio: String, _ quoted: String
  ) -> String {
    let cells = [left(title, 22), right(ours, 12), right(theirs, 12), right(ratio, 7)]
    let line = cells.joined() + "   " + quoted
    return String(line.reversed().drop { $0 == " " }.reversed())
  }

  private static func left(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - text.count)) + text
  }

  /// `1,234,567`.
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Two places behind the point, for numbers of ordinary size.
  static func fixed(_ number: Double) -> String {
    let hundredths = (min(abs(number), 1e12) * 100).rounded()
    let whole = Int(hundredths) / 100
    let rest = Int(hundredths) % 100
    return "\(number < 0 ? "-" : "")\(whole).\(rest < 10 ? "0" : "")\(rest)"
  }
}
