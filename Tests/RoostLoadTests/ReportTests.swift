import Foundation
import RoostModel
import Testing

@testable import RoostLoad

@Suite struct FiguresTests {
  @Test(arguments: [
    (UInt64(0), "0 ns"), (999, "999 ns"), (1_000, "1.00 µs"), (12_345, "12.3 µs"),
    (999_499, "999 µs"), (999_500, "1.00 ms"), (1_234_567, "1.23 ms"), (99_960_000, "100 ms"),
    (2_500_000_000, "2.50 s"), (1_099_511_627_775, "1,100 s"),
  ])
  func durationsHaveThreeDigitsAndAUnit(_ nanoseconds: UInt64, _ text: String) {
    #expect(Figures.duration(nanoseconds) == text)
  }

  @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
  func largeNumbersAreGrouped(_ number: Int, _ text: String) {
    #expect(Figures.grouped(number) == text)
  }

  @Test(arguments: [
    (0.0, 1, "0.0"), (9.996, 2, "10.00"), (-0.04, 1, "0.0"), (1_234.56, 1, "1,234.6"),
    (.nan, 1, "-"), (.infinity, 0, "-"),
  ])
  func decimalsAreRounded(_ number: Double, _ decimals: Int, _ text: String) {
    #expect(Figures.fixed(number, decimals: decimals) == text)
  }
}

@Suite struct RunReportTests {
  private func result(failing: Bool = false) throws -> RunResult {
    var options = LoadOptions()
    options.mix = try Mix("get=9,write=1")
    var tallies = Tallies()
    for latency in 1...1_000 { tallies[.get].succeeded(after: UInt64(latency) * 1_000) }
    tallies[.write].succeeded(after: 2_000_000)
    if failing {
      tallies[.write].failed(
        FailureKind(code: .resourceExhausted, detail: .queue, message: "say \"full\"\n"),
        after: 1)
    }
    let target = TargetSummary(url: "roost://h:1", entity: "Flight", rows: 336_776)
    return RunResult(options: options, target: target, tallies: tallies, seconds: 2)
  }

  @Test func theSummaryHasTheKeysScriptsRelyOn() throws {
    let line = JSONReport.summary(try result(failing: true))
    #expect(!line.contains("\n"))
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    let names: Set = ["requests", "errors", "seconds", "requestsPerSecond", "latencyMicroseconds"]
    #expect(Set(whole.keys) == names.union(["operations"]))
    #expect(whole["requests"] as? Int == 1_002)
    #expect(whole["errors"] as? Int == 1)
    #expect(whole["seconds"] as? Double == 2)
    #expect(whole["requestsPerSecond"] as? Int == 501)
    let latencies = try #require(whole["latencyMicroseconds"] as? [String: Int])
    #expect(Set(latencies.keys) == ["p50", "p99", "p999", "max"])
    #expect(latencies["max"] == 2_000)
    let operations = try #require(whole["operations"] as? [String: [String: Any]])
    #expect(Set(operations.keys) == ["get", "write"])
    for operation in operations.values { #expect(Set(operation.keys) == names) }
    let gets = try #require(operations["get"]?["latencyMicroseconds"] as? [String: Int])
    #expect(gets["p50"] == 500)
  }

  @Test func theDetailsAreJSONWhateverTheServerSays() throws {
    var failed = try result(failing: true)
    failed.notes = ["tab\there \u{1}"]
    failed.generator.threadShares = [0.5, .nan]
    let line = JSONReport.details(failed)
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    #expect(whole["format"] as? Int == JSONReport.formatVersion)
    let run = try #require(whole["run"] as? [String: Any])
    let failures = try #require(run["failures"] as? [[String: Any]])
    #expect(failures.first?["status"] as? String == "RESOURCE_EXHAUSTED")
    #expect(failures.first?["message"] as? String == "say \"full\"\n")
    #expect(run["notes"] as? [String] == ["tab\there \u{1}"])
  }

  @Test func theSeriesAndTheDistributionsSayWhatWasCounted() throws {
    var result = try result()
    result.timeline = [
      TimelinePoint(
        start: -0.5, seconds: 0.5, isWarmUp: true, total: IntervalFigures(result.tallies.total),
        operations: ["get": IntervalFigures(result.tallies[.get])])
    ]
    let whole = try #require(
      try JSONSerialization.jsonObject(with: Data(JSONReport.details(result).utf8))
        as? [String: Any])
    let point = try #require((whole["series"] as? [[String: Any]])?.first)
    #expect(point["start"] as? Double == -0.5)
    #expect(point["warmup"] as? Bool == true)
    #expect(point["requests"] as? Int == 1_001)
    let gets = try #require((point["operations"] as? [String: [String: Any]])?["get"])
    #expect((gets["latencyMicroseconds"] as? [String: Double])?["max"] == 1_000)
    let counts = try #require((whole["distributions"] as? [String: [[Double]]])?["get"])
    #expect(counts.reduce(0) { $0 + $1[1] } == 1_000)
    #expect(counts.first?[0] == 1 && counts.last?[0] == 1_000)
  }

  @Test func theTableShowsOperationsFailuresAndTheGenerator() throws {
    var failed = try result(failing: true)
    failed.generator.threadShares = [0.97]
    failed.unsent = 12_345
    let text = TableReport.text(failed)
    #expect(text.contains("Flight, 336,776 rows"))
    #expect(text.contains("RESOURCE_EXHAUSTED 8/62"))
    #expect(text.contains("It is the limit"))
    #expect(text.contains("12,345 planned requests were never sent"))
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("get  ") || $0.hasPrefix("all  ") }
    #expect(rows.count == 2)
    #expect(rows[0].contains("500 µs") || rows[0].contains("501 µs"))
    #expect(Set(rows.map(\.count)).count == 1)
  }

  @Test func theLiveViewSaysWhatHappensNow() throws {
    let tally = try result().tallies.total
    var options = LoadOptions()
    options.warmupSeconds = 2
    options.durationSeconds = 8
    var view = LiveView(options: options)
    let warm = view.lines(tally, seconds: 1, elapsed: 1, errors: 0).joined(separator: "\n")
    #expect(warm.contains("warm-up 9 s left"))
    #expect(warm.contains("no errors"))
    let lines = view.lines(tally, seconds: 0.5, elapsed: 5, errors: 3)
    #expect(lines[0].contains("measuring 5 s left"))
    #expect(lines[0].hasPrefix(String(repeating: "█", count: 15) + "░"))
    #expect(lines[1].contains("2,002") && lines[1].hasSuffix("▅█"))
    #expect(lines.contains { $0.contains("3 errors") })
    for second in 0..<100 {
      let next = view.lines(tally, seconds: 1, elapsed: Double(second), errors: 0)
      #expect(next.allSatisfy { $0.count < 80 })
    }
  }
}
