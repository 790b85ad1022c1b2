/// What a run has to keep: `get.p99 < 5ms`, `errors == 0`, `throughput >= 10000`.
struct Threshold: Hashable, Sendable {
  enum Figure: Hashable, Sendable {
    case quantile(Double)
    case longest
    case mean
    case errors
    case errorShare
    case throughput
    /// Requests per second that succeeded.
    case goodput
    case requests
    case unsent
  }

  enum Scope: Hashable, Sendable {
    case all
    case operation(Operation)
    /// Rows of the imports beside; has `throughput`, `requests` and `errors`.
    case imports
  }

  enum Test: String, CaseIterable, Hashable, Sendable {
    // Longer ones first: each is looked for in this order.
    case atMost = "<="
    case atLeast = ">="
    case equal = "=="
    case less = "<"
    case more = ">"

    func holds(_ left: Double, _ right: Double) -> Bool {
      switch self {
      case .atMost: left <= right
      case .atLeast: left >= right
      case .equal: left == right
      case .less: left < right
      case .more: left > right
      }
    }
  }

  var text: String
  var scope: Scope
  var figure: Figure
  var test: Test
  /// Nanoseconds for durations, else the number, a share for a percentage.
  var limit: Double

  /// Whether the figure is a duration.
  var isLatency: Bool {
    switch figure {
    case .quantile, .longest, .mean: true
    default: false
    }
  }

  /// Whether it decides on errors, so that their mere presence does not.
  var allowsErrors: Bool { figure == .errors || figure == .errorShare || figure == .goodput }

  func judge(_ result: RunResult) -> Verdict {
    let value = value(of: result)
    let found = value.map(shown) ?? "no such request"
    return Verdict(rule: text, found: found, holds: value.map { test.holds($0, limit) } ?? false)
  }

  private func shown(_ value: Double) -> String {
    if isLatency { return Figures.duration(UInt64(max(0, value))) }
    if figure == .errorShare { return Figures.fixed(value * 100, decimals: 2) + " %" }
    return Figures.fixed(value, decimals: 0)
  }

  private func value(of result: RunResult) -> Double? {
    if case .imports = scope { return importValue(result) }
    let tally: Tally
    if case .operation(let operation) = scope {
      tally = result.tallies[operation]
    } else {
      tally = result.tallies.total
    }
    switch figure {
    case .quantile(let quantile):
      return tally.latencies.isEmpty ? nil : Double(tally.latencies.value(atQuantile: quantile))
    case .longest: return tally.latencies.isEmpty ? nil : Double(tally.latencies.max)
    case .mean: return tally.latencies.isEmpty ? nil : tally.latencies.mean
    case .errors: return Double(tally.errors)
    case .errorShare:
      return tally.requests > 0 ? Double(tally.errors) / Double(tally.requests) : nil
    case .throughput: return result.perSecond(tally.requests)
    case .goodput: return result.perSecond(tally.requests - tally.errors)
    case .requests: return Double(tally.requests)
    case .unsent: return Double(result.unsent)
    }
  }

  private func importValue(_ result: RunResult) -> Double? {
    guard let imports = result.imports else { return nil }
    switch figure {
    case .throughput, .goodput: return imports.rowsPerSecond
    case .requests: return Double(imports.accepted)
    case .errors: return Double(imports.rejected)
    default: return nil
    }
  }
}
