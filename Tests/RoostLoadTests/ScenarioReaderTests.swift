import Foundation
import RoostModel
import Testing

@testable import RoostLoad

@Suite struct ScenarioReaderTests {
  private func read(_ text: String) throws -> LoadOptions {
    var options = LoadOptions()
    try ScenarioReader.read(Array(text.utf8), file: "s.json", into: &options)
    return options
  }

  private func parse(_ words: String, _ scenario: String) throws -> LoadOptions {
    let arguments = words.split(separator: " ").map(String.init)
    let invocation = try OptionParser.parse(arguments) { _ throws(RecordError) in
      Array(scenario.utf8)
    }
    guard case .run(let options) = invocation else { throw OptionError("no run") }
    return options
  }

  @Test func phasesBecomeRatesOverTime() throws {
    let options = try read(
      """
      {"phases": [{"kind": "warm-up", "seconds": 2}, {"kind": "hold", "seconds": 3, "rate": 100},
       {"kind": "ramp", "seconds": 4, "from": 100, "to": 300},
       {"kind": "steps", "seconds": 6, "from": 100, "to": 300, "steps": 3},
       {"kind": "hold", "seconds": 1, "rate": "200%"}]}
      """)
    let profile = try #require(options.profile)
    #expect(options.warmupSeconds == 2)
    #expect(options.durationSeconds == 14)
    #expect(profile.needsCapacity)
    #expect(profile.phases.map(\.seconds) == [3, 4, 2, 2, 2, 1])
    #expect(
      profile.phases.map(\.to)
        == [100, 300, 100, 200, 300].map(PlannedRate.perSecond) + [.ofCapacity(2)])
  }

  @Test func theCommandLineOverridesWhereverItStands() throws {
    let scenario = """
      {"connections": 9, "depth": 3, "seed": 7, "warmup": 1,
       "phases": [{"kind": "hold", "seconds": 2, "rate": 10},
                  {"kind": "ramp", "seconds": 6, "from": 10, "to": 20}]}
      """
    let options = try parse("--connections 5 u --scenario s.json --duration 4", scenario)
    #expect(options.connections == 5)
    #expect(options.depth == 3)
    #expect(options.seed == 7)
    #expect(options.profile?.phases.map(\.seconds) == [1, 3])
    let fixed = try parse("u --scenario s.json --rate 50", scenario)
    #expect(fixed.profile == nil && fixed.ratePerSecond == 50)
  }

  @Test(arguments: [
    ("{", ["s.json:1: ", "ends early"]), ("[]", ["s.json: it is an array", "an object with"]),
    ("{\"conections\": 1}", ["s.json: \"conections\"", "did you mean \"connections\"?"]),
    ("{\"connections\": 0}", ["s.json: connections: it is 0", "1 to 10,000"]),
    ("{\"mix\": {\"gte\": 1}}", ["mix: \"gte\"", "did you mean \"get\"?"]),
    ("{\"mix\": {\"get\": 0}}", ["mix", "nothing to do"]),
    ("{\"phases\": [{\"kind\": \"hold\"}]}", ["phases[0]", "needs \"kind\" and \"seconds\""]),
    ("{\"phases\": [{\"kind\": \"jump\", \"seconds\": 1}]}", ["phases[0].kind", "\"ramp\" or"]),
    (
      "{\"phases\": [{\"kind\": \"hold\", \"seconds\": 1, \"rate\": \"fast\"}]}",
      ["phases[0].rate: it is \"fast\"", "like \"200%\""]
    ),
    ("{\"phases\": [{\"kind\": \"ramp\", \"seconds\": 1}]}", ["\"from\" and \"to\""]),
    ("{\"keys\": \"zipfian\"}", ["keys: it is \"zipfian\"", "\"uniform\", \"zipf\" or"]),
    ("{\"keys\": {\"distribution\": \"zipf\", \"exponent\": 99}}", ["keys.exponent: it is 99"]),
    ("{\"thresholds\": [\"get.p99 < 5\"]}", ["thresholds[0]", "a duration with its unit"]),
    ("{\"thresholds\": [\"get.p99\"]}", ["thresholds[0]", "no comparison"]),
    ("{\"thresholds\": [\"throughptu > 5\"]}", ["did you mean throughput?"]),
    ("{\"loop\": \"open\"}", ["loop", "needs a \"rate\""]),
    ("{\"imports\": {\"streams\": 65}}", ["imports.streams: it is 65"]),
  ])
  func aBadFileIsAnsweredWithPlaceValueAndWhatWouldBeRight(
    _ text: String, _ words: [String]
  ) {
    let error = #expect(throws: OptionError.self) { try read(text) }
    let message = error?.description ?? ""
    #expect(message.hasPrefix("s.json"))
    for word in words { #expect(message.contains(word), "\(message)") }
  }
}

@Suite struct ThresholdTests {
  private func result() -> RunResult {
    var tallies = Tallies()
    for latency in 1...1_000 { tallies[.get].succeeded(after: UInt64(latency) * 1_000) }
    tallies[.write].failed(
      FailureKind(code: .unavailable, detail: .none, message: ""), after: 5_000_000)
    return RunResult(
      options: LoadOptions(), target: TargetSummary(url: "u"), tallies: tallies, seconds: 2)
  }

  @Test(arguments: [
    ("get.p99 < 5ms", true), ("p50 <= 501us", true), ("p50 < 100us", false),
    ("get.p99.9 < 1.1 ms", true), ("max >= 1ms", true), ("mean < 0.6ms", true),
    ("errors == 0", false), ("get.errors == 0", true), ("errors < 1%", true),
    ("errors < 0.01%", false), ("throughput >= 500", true), ("goodput > 500", false),
    ("requests == 1001", true), ("fetch.p99 < 1s", false), ("unsent == 0", true),
    ("import.throughput > 1", false),
  ])
  func holdsOrNot(_ rule: String, _ holds: Bool) throws {
    let verdict = try ThresholdParser.read(rule).judge(result())
    #expect(verdict.holds == holds, "\(verdict)")
    #expect(verdict.rule == rule)
  }

  @Test func aThresholdOnErrorsDecidesAlone() throws {
    var result = result()
    #expect(!result.isGood)
    result.options.thresholds = [try ThresholdParser.read("errors < 1%")]
    #expect(result.isGood)
    result.verdicts = [Verdict(rule: "r", found: "f", holds: false)]
    #expect(!result.isGood)
  }
}
