import RoostImport

/// Reads what `roost-load --json` printed.
enum RecordReader {
  /// Reads the two lines of a result among others; `name` stands in errors.
  static func read(_ bytes: [UInt8], name: String) throws(RecordError) -> RunRecord {
    var details: JSONValue?
    var summary: JSONValue?
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      guard line.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else { continue }
      let value = try document(Array(line), "\(name):\(index + 1)")
      if value["run"] != nil { details = value }
      if value["requestsPerSecond"] != nil { summary = value }
    }
    guard let details, let summary else {
      throw RecordError("\(name) holds no result: make one with roost-load URL --json >FILE")
    }
    guard let format = details["format"]?.count, format <= UInt64(JSONReport.formatVersion) else {
      let version = JSONReport.formatVersion
      throw RecordError(
        "\(name): its format is \(details["format"]?.canonicalText ?? "not given"); this program "
          + "reads up to \(version). Read it with the roost-load that made it")
    }
    return record(details, summary)
  }

  /// What a result says of itself.
  static func record(of result: RunResult) throws(RecordError) -> RunRecord {
    let text = JSONReport.details(result) + "\n" + JSONReport.summary(result) + "\n"
    return try read(Array(text.utf8), name: "this run")
  }

  private static func document(_ line: [UInt8], _ place: String) throws(RecordError) -> JSONValue {
    do throws(InputFault) {
      return try JSONDocument.read(line)
    } catch {
      throw RecordError("\(place): \(error.reason)")
    }
  }

  private static func record(_ details: JSONValue, _ summary: JSONValue) -> RunRecord {
    let run = details["run"] ?? .null
    var operations: [RunRecord.Line] = []
    var all = Histogram()
    for member in summary["operations"]?.parts ?? [] {
      let latencies = histogram(details["distributions"]?[member.key])
      all.merge(latencies)
      operations.append(line(member.key, member.value, latencies))
    }
    var record = RunRecord(total: line("all", summary, all), operations: operations)
    record.url = run["url"]?.text ?? ""
    record.entity = run["entity"]?.text
    record.scenario = run["scenario"]?.text
    record.rows = run["rows"]?.count ?? 0
    record.server = run["server"]?.text ?? ""
    record.startedAt = run["startedAt"]?.text ?? ""
    record.mix = run["mix"]?.text ?? ""
    record.loop = loop(run)
    record.seconds = summary["seconds"]?.double ?? 0
    record.unsent = run["unsent"]?.count ?? 0
    record.timeline = (details["series"]?.elements ?? []).map(point)
    record.facts = facts(run)
    record.generator = generator(run["generator"] ?? .null)
    record.failures = (run["failures"]?.elements ?? []).map(failure)
    if let imports = run["imports"], imports != .null {
      let rows = Figures.grouped(imports["rows"]?.count ?? 0)
      let rate = Figures.grouped(imports["rowsPerSecond"]?.count ?? 0)
      let streams = imports["streams"]?.count ?? 0
      record.facts.append(
        RunRecord.Fact(
          name: "imports beside", value: "\(streams) at once, \(rows) rows, \(rate) rows/s"))
    }
    record.notes = (run["notes"]?.elements ?? []).compactMap(\.text)
    record.verdicts = (run["verdicts"]?.elements ?? []).map { value in
      Verdict(
        rule: value["rule"]?.text ?? "", found: value["found"]?.text ?? "",
        holds: value["holds"]?.flag ?? false)
    }
    return record
  }

  private static func line(
    _ name: String, _ value: JSONValue, _ latencies: Histogram
  ) -> RunRecord.Line {
    RunRecord.Line(
      name: name, requests: value["requests"]?.count ?? 0, errors: value["errors"]?.count ?? 0,
      requestsPerSecond: value["requestsPerSecond"]?.double ?? 0, latencies: latencies)
  }

  private static func histogram(_ pairs: JSONValue?) -> Histogram {
    var histogram = Histogram()
    for pair in pairs?.elements ?? [] {
      let parts = pair.elements
      guard parts.count == 2, let latency = parts[0].nanoseconds, let times = parts[1].count
      else { continue }
      histogram.record(latency, times: times)
    }
    return histogram
  }

  private static func point(_ value: JSONValue) -> TimelinePoint {
    var operations: [String: IntervalFigures] = [:]
    for member in value["operations"]?.parts ?? [] {
      operations[member.key] = figures(member.value)
    }
    return TimelinePoint(
      start: value["start"]?.double ?? 0, seconds: value["seconds"]?.double ?? 0,
      isWarmUp: value["warmup"]?.flag ?? false, total: figures(value), operations: operations)
  }

  private static func figures(_ value: JSONValue) -> IntervalFigures {
    let latency = value["latencyMicroseconds"]
    return IntervalFigures(
      requests: value["requests"]?.count ?? 0, errors: value["errors"]?.count ?? 0,
      p50: latency?["p50"]?.nanoseconds ?? 0, p99: latency?["p99"]?.nanoseconds ?? 0,
      p999: latency?["p999"]?.nanoseconds ?? 0, max: latency?["max"]?.nanoseconds ?? 0)
  }

  private static func loop(_ run: JSONValue) -> String {
    if let shape = run["shape"]?.text { return shape }
    let shape = "\(run["connections"]?.count ?? 0) × \(run["depth"]?.count ?? 0)"
    guard let rate = run["rate"]?.count else { return "closed loop, \(shape)" }
    return "open loop, \(Figures.grouped(rate)) requests/s over \(shape)"
  }

  /// What stands in ``RunRecord``'s other members, or is no option, is left out.
  private static let apart: Set = [
    "url", "entity", "rows", "server", "startedAt", "generator", "failures", "notes", "unsent",
    "loop", "interrupted", "restoredRows", "verdicts", "shape",
    "removedRows", "scenario", "imports", "search",
  ]

  private static let words = [
    "warmupSeconds": "warm-up", "durationSeconds": "measured", "intervalSeconds": "interval",
    "timeoutSeconds": "timeout", "rate": "requests per second",
  ]

  private static func facts(_ run: JSONValue) -> [RunRecord.Fact] {
    run.parts.compactMap { member in
      if apart.contains(member.key) || member.value == .null { return nil }
      var value = member.value.text ?? member.value.canonicalText
      if let number = member.value.double, member.key.hasSuffix("Seconds") {
        value = Figures.fixed(number, decimals: number == number.rounded() ? 0 : 1) + " s"
      }
      return RunRecord.Fact(name: words[member.key] ?? member.key, value: value)
    }
  }

  private static func generator(_ value: JSONValue) -> GeneratorRecord {
    GeneratorRecord(
      threadShares: (value["cpuShares"]?.elements ?? []).compactMap(\.double),
      isLimiting: value["isLimiting"]?.flag ?? false,
      lag: value["lagMicrosecondsP99"]?.nanoseconds)
  }

  private static func failure(_ value: JSONValue) -> String {
    let count = Figures.grouped(value["count"]?.count ?? 0)
    return "\(count) × \(value["status"]?.text ?? "?") \(value["detail"]?.count ?? 0): "
      + (value["message"]?.text ?? "")
  }
}
