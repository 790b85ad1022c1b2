import RoostImport
import RoostModel

/// The result for programs.
enum JSONReport {
  /// The last line of `--json`, whose keys scripts rely on: all requests, then the same again for
  /// each operation.
  static func summary(_ result: RunResult) -> String {
    let parts = result.options.mix.operations.map { operation in
      "\(quoted(operation.name)):{\(figures(result.tallies[operation], result))}"
    }
    return "{\(figures(result.tallies.total, result)),"
      + "\"operations\":{\(parts.joined(separator: ","))}}"
  }

  /// Grows with every change of ``details(_:)`` that a reader has to know of.
  static let formatVersion = 1

  /// The line before it: how the summary came about, its time series and its distributions.
  static func details(_ result: RunResult) -> String {
    let options = result.options
    var fields: [(String, String)] = [
      ("url", quoted(result.target.url)),
      ("server", quoted(result.target.server)),
      ("startedAt", quoted(result.startedAt)),
      ("entity", result.target.entity.map(quoted) ?? "null"),
      ("rows", "\(result.target.rows)"),
      ("mix", quoted("\(options.mix)")),
      ("loop", quoted(options.isOpenLoop ? "open" : "closed")),
      ("rate", options.ratePerSecond.map { "\($0)" } ?? "null"),
      ("scenario", options.scenario.map(quoted) ?? "null"),
      ("shape", quoted(options.loopText)),
      ("keys", quoted(options.keys.name)),
      ("connections", "\(options.connections)"),
      ("depth", "\(options.depth)"),
      ("threads", "\(options.threads)"),
      ("seed", "\(options.seed)"),
      ("warmupSeconds", number(options.warmupSeconds)),
      ("durationSeconds", number(options.durationSeconds)),
      ("intervalSeconds", number(options.intervalSeconds)),
      ("unsent", "\(result.unsent)"),
      ("restoredRows", result.restored.map { "\($0)" } ?? "null"),
      ("removedRows", result.removed.map { "\($0)" } ?? "null"),
      ("search", result.search.map(search) ?? "null"),
      ("imports", result.imports.map(imports) ?? "null"),
      ("interrupted", "\(result.wasInterrupted)"),
    ]
    fields.append(("generator", generator(result.generator)))
    fields.append(("failures", failures(result.tallies.total)))
    fields.append(("verdicts", "[\(result.verdicts.map(verdict).joined(separator: ","))]"))
    fields.append(("notes", "[\(result.notes.map(quoted).joined(separator: ","))]"))
    let body = fields.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",")
    return "{\"format\":\(formatVersion),\"run\":{\(body)},\"series\":\(series(result)),"
      + "\"distributions\":\(distributions(result))}"
  }

  private static func series(_ result: RunResult) -> String {
    var points: [String] = []
    for point in result.timeline {
      var operations: [String] = []
      for operation in Operation.allCases {
        guard let figures = point.operations[operation.name] else { continue }
        operations.append("\(quoted(operation.name)):{\(interval(figures))}")
      }
      points.append(
        "{\"start\":\(number(point.start)),\"seconds\":\(number(point.seconds)),"
          + "\"warmup\":\(point.isWarmUp),\(interval(point.total)),"
          + "\"operations\":{\(operations.joined(separator: ","))}}")
    }
    return "[\(points.joined(separator: ","))]"
  }

  private static func interval(_ figures: IntervalFigures) -> String {
    let latencies = zip(
      ["p50", "p99", "p999", "max"], [figures.p50, figures.p99, figures.p999, figures.max])
    let parts = latencies.map { "\"\($0)\":\(microseconds($1))" }
    return "\"requests\":\(figures.requests),\"errors\":\(figures.errors),"
      + "\"latencyMicroseconds\":{\(parts.joined(separator: ","))}"
  }

  /// Of each operation how often each latency was counted, so that readers can merge runs.
  private static func distributions(_ result: RunResult) -> String {
    var parts: [String] = []
    for operation in Operation.allCases {
      let latencies = result.tallies[operation].latencies
      if latencies.isEmpty { continue }
      var pairs: [String] = []
      latencies.forEachCount { pairs.append("[\(microseconds($0)),\($1)]") }
      parts.append("\(quoted(operation.name)):[\(pairs.joined(separator: ","))]")
    }
    return "{\(parts.joined(separator: ","))}"
  }

  private static func microseconds(_ nanoseconds: UInt64) -> String {
    let fraction = nanoseconds % 1_000
    if fraction == 0 { return "\(nanoseconds / 1_000)" }
    let digits = "\(fraction)"
    return "\(nanoseconds / 1_000)." + String(repeating: "0", count: 3 - digits.utf8.count) + digits
  }

  private static func figures(_ tally: Tally, _ result: RunResult) -> String {
    let rate = UInt64(result.perSecond(tally.requests).rounded())
    func quantile(_ quantile: Double) -> UInt64 {
      Figures.microseconds(tally.latencies.value(atQuantile: quantile))
    }
    let latencies =
      "\"p50\":\(quantile(0.5)),\"p99\":\(quantile(0.99)),\"p999\":\(quantile(0.999)),"
      + "\"max\":\(Figures.microseconds(tally.latencies.max))"
    return "\"requests\":\(tally.requests),\"errors\":\(tally.errors),"
      + "\"seconds\":\(number(result.seconds)),\"requestsPerSecond\":\(rate),"
      + "\"latencyMicroseconds\":{\(latencies)}"
  }

  private static func generator(_ load: GeneratorLoad) -> String {
    let shares = load.threadShares.map(number).joined(separator: ",")
    let lag = Figures.microseconds(load.lag.value(atQuantile: 0.99))
    return "{\"cpuShares\":[\(shares)],\"isLimiting\":\(load.isLimiting),"
      + "\"lagMicrosecondsP99\":\(load.lag.isEmpty ? "null" : "\(lag)")}"
  }

  private static func imports(_ outcome: ImportOutcome) -> String {
    let failures = outcome.failures.map(quoted).joined(separator: ",")
    return "{\"streams\":\(outcome.streams),\"rows\":\(outcome.accepted),"
      + "\"rejected\":\(outcome.rejected),\"seconds\":\(number(outcome.seconds)),"
      + "\"rowsPerSecond\":\(UInt64(outcome.rowsPerSecond)),\"failures\":[\(failures)]}"
  }

  private static func search(_ outcome: SearchOutcome) -> String {
    let steps = outcome.steps.map { step in
      "{\"rate\":\(number(step.rate)),\"found\":\(quoted(step.found)),"
        + "\"unsent\":\(step.unsent),\"errors\":\(step.errors),\"reached\":\(number(step.reached)),"
        + "\"holds\":\(step.holds)}"
    }
    return "{\"target\":\(quoted(outcome.target)),"
      + "\"heldRate\":\(outcome.held.map(number) ?? "null"),"
      + "\"missedRate\":\(outcome.missed.map(number) ?? "null"),"
      + "\"isConfirmed\":\(outcome.isConfirmed),\"seconds\":\(number(outcome.seconds)),"
      + "\"steps\":[\(steps.joined(separator: ","))]}"
  }

  private static func verdict(_ verdict: Verdict) -> String {
    "{\"rule\":\(quoted(verdict.rule)),\"found\":\(quoted(verdict.found)),"
      + "\"holds\":\(verdict.holds)}"
  }

  private static func failures(_ tally: Tally) -> String {
    let items = FailureLine.sorted(tally).map { kind, count in
      "{\"status\":\(quoted(FailureLine.name(kind.code))),\"detail\":\(kind.detail.rawValue),"
        + "\"count\":\(count),\"message\":\(quoted(kind.message))}"
    }
    return "[\(items.joined(separator: ","))]"
  }

  /// A number of seconds or a share, to three places, without grouping.
  private static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    return Figures.fixed(value, decimals: 3).filter { $0 != "," }
  }

  private static func quoted(_ text: String) -> String { JSONEscapes.quoted(text) }
}
