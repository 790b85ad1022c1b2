/// Reads thresholds; a mistake says what would be right.
enum ThresholdParser {
  static func read(_ text: String) throws(OptionError) -> Threshold {
    guard let test = Threshold.Test.allCases.first(where: { text.contains($0.rawValue) }),
      let place = text.firstRange(of: test.rawValue)
    else {
      throw OptionError("\"\(text)\" has no comparison: write it like \"get.p99 < 5ms\"")
    }
    let left = trimmed(text[..<place.lowerBound])
    let right = trimmed(text[place.upperBound...])
    let (scope, name) = scope(of: left)
    var figure = try figure(name, in: text)
    if figure == .errors, right.hasSuffix("%") { figure = .errorShare }
    var threshold = Threshold(text: text, scope: scope, figure: figure, test: test, limit: 0)
    threshold.limit = try limit(right, threshold)
    if case .imports = scope { try checkImports(threshold) }
    return threshold
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  private static func scope(of left: String) -> (Threshold.Scope, String) {
    guard let dot = left.firstIndex(of: ".") else { return (.all, left) }
    let first = String(left[..<dot])
    let rest = String(left[left.index(after: dot)...])
    if first == "all" { return (.all, rest) }
    if first == "import" { return (.imports, rest) }
    // The dot of p99.9 divides nothing.
    guard let operation = Operation(named: first) else { return (.all, left) }
    return (.operation(operation), rest)
  }

  private static let names = [
    "p50", "p90", "p99", "p99.9", "max", "mean", "errors", "throughput", "goodput", "requests",
    "unsent",
  ]

  private static func figure(
    _ name: String, in text: String
  ) throws(OptionError) -> Threshold.Figure {
    switch name {
    case "max": return .longest
    case "mean": return .mean
    case "errors": return .errors
    case "throughput": return .throughput
    case "goodput": return .goodput
    case "requests": return .requests
    case "unsent": return .unsent
    case "p999": return .quantile(0.999)
    default:
      if name.hasPrefix("p"), let percent = Double(name.dropFirst()), percent > 0, percent < 100 {
        return .quantile(percent / 100)
      }
      let hint = Spelling.nearest(to: name, in: names).map { "; did you mean \($0)?" }
      throw OptionError(
        "\"\(text)\": there is no figure \"\(name)\""
          + (hint ?? ": there are \(Spelling.list(names)), of an operation with its name and a dot")
      )
    }
  }

  private static let units: [(String, Double)] = [
    ("ns", 1), ("us", 1e3), ("µs", 1e3), ("ms", 1e6), ("s", 1e9),
  ]

  private static func limit(_ text: String, _ threshold: Threshold) throws(OptionError) -> Double {
    if threshold.isLatency {
      for (unit, factor) in units where text.hasSuffix(unit) {
        if let number = Double(trimmed(text.dropLast(unit.count))), number >= 0, number < 1e9 {
          return number * factor
        }
      }
      throw OptionError(
        "\"\(threshold.text)\": \"\(text)\" must be a duration with its unit, like 5ms or 0.5s")
    }
    let isShare = threshold.figure == .errorShare
    guard let number = Double(isShare ? trimmed(text.dropLast()) : text), number >= 0,
      number.isFinite
    else {
      let right = threshold.figure == .errors ? "a number or a share, like 0 or 1%" : "a number"
      throw OptionError("\"\(threshold.text)\": \"\(text)\" must be \(right)")
    }
    return isShare ? number / 100 : number
  }

  private static func checkImports(_ threshold: Threshold) throws(OptionError) {
    switch threshold.figure {
    case .throughput, .goodput, .requests, .errors: return
    default:
      throw OptionError(
        "\"\(threshold.text)\": an import has throughput, requests and errors, in rows")
    }
  }
}
