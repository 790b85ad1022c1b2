import RoostImport
import RoostModel
import Testing

@testable import RoostCLI

/// Each rule of `roost doctor` fires where it should and only there.
@Suite struct DoctorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var rule: String
    /// What makes it fire, and how.
    var changes: [(String, Value)]
    var word: String
    var testDescription: String { rule }

    init(_ rule: String, _ word: String, _ changes: KeyValuePairs<String, Value>) {
      self.rule = rule
      self.word = word
      self.changes = changes.map { ($0.key, $0.value) }
    }
  }

  private static func scan(_ calls: Double, scanned: Int64, rows: Int64) -> Value {
    var query = SampleServer.query
    if case .map(let entries) = query {
      var figures = Figures(entries)
      figures.set("callsPerSecond", calls)
      figures.set("rowsScanned", Double(scanned * 1_200))
      figures.set("rows", Double(rows * 1_200))
      query = .map(figures.entries)
    }
    return .list([query])
  }

  private static func imported(_ accepted: Int64, _ rejected: Int64) -> Value {
    .list([
      SampleServer.map([
        "accepted": .int(accepted), "rejected": .int(rejected), "source": .text("a.csv"),
      ])
    ])
  }

  static let firing: [Case] = [
    Case("writerBroken", "CRITICAL", ["writerBroken": .int(1)]),
    Case("outcomesUnknown", "CRITICAL", ["outcomesUnknown": .int(1)]),
    Case("lastError", "warning", ["lastError": .text("disk I/O error")]),
    Case("syncsFailed", "CRITICAL", ["syncsFailed": .int(1)]),
    // Twice the log's 64 MB and 5 % of 100 GB.
    Case("diskFree", "CRITICAL", ["diskFreeBytes": .int((128 << 20) + (5 << 30) - 1)]),
    Case("wal", "warning", ["walBytes": .int((128 << 20) + 1)]),
    Case("checkpoints", "warning", ["window/checkpointsIncomplete": .int(1)]),
    Case("writerBusy", "warning", ["window/writerBusyShare": .double(0.86)]),
    Case("writerStalled", "CRITICAL", ["writerGroupMicroseconds": .int(5_000_001)]),
    Case("oldestRequest", "warning", ["queueOldestMicroseconds": .int(1_000_001)]),
    Case("commitLatency", "warning", ["window/commitMicroseconds/p99": .int(20_001)]),
    Case("durability", "note", ["durability": .text("relaxed")]),
    Case("snapshotAge", "warning", ["server.snapshots.oldestMilliseconds": .int(20_001)]),
    Case("slowConsumers", "warning", ["server.connections.slow": .int(1)]),
    Case("refused", "warning", ["server.window/refused": .int(1)]),
    Case("connections", "warning", ["server.connections.open": .int(9_001)]),
    Case("descriptors", "warning", ["server.descriptors": .int(18_001)]),
    Case("clockSteps", "warning", ["server.clock.steps": .int(1)]),
    Case("uptime", "note", ["server.uptimeMilliseconds": .int(59_999)]),
    Case("fullScans", "warning", ["queries": scan(1.1, scanned: 10_000, rows: 9_000)]),
    Case("scansPerRow", "warning", ["queries": scan(1.1, scanned: 500, rows: 5)]),
    Case(
      "rowCache", "warning",
      ["server.cache.bytes": .int(47 << 20), "server.window/cacheHitShare": .double(0.89)]),
    Case(
      "statements", "warning",
      ["window/statementHits": .int(94), "window/statementMisses": .int(6)]),
    Case(
      "readers", "warning",
      ["server.queue.queriesRunning": .int(16), "server.queue.queries": .int(1)]),
    Case("rejectedRows", "warning", ["imports": imported(980, 11)]),
  ]

  /// The same rules at their thresholds, or with what keeps them quiet.
  static let quiet: [Case] = [
    Case("writerBroken", "ok", ["writerBroken": .int(0)]),
    Case("outcomesUnknown", "ok", ["outcomesUnknown": .int(0)]),
    Case("lastError", "ok", ["lastError": .null]), Case("syncsFailed", "ok", [:]),
    Case("diskFree", "ok", ["diskFreeBytes": .int((128 << 20) + (5 << 30))]),
    Case("wal", "ok", ["walBytes": .int(128 << 20)]), Case("checkpoints", "ok", [:]),
    Case("writerBusy", "ok", ["window/writerBusyShare": .double(0.85)]),
    Case("writerStalled", "ok", ["writerGroupMicroseconds": .int(5_000_000)]),
    Case("oldestRequest", "ok", ["queueOldestMicroseconds": .int(1_000_000)]),
    Case("commitLatency", "ok", ["window/commitMicroseconds/p99": .int(20_000)]),
    Case("durability", "ok", ["durability": .text("group")]),
    Case("snapshotAge", "ok", ["server.snapshots.oldestMilliseconds": .int(20_000)]),
    Case("slowConsumers", "ok", ["server.connections.slowEver": .int(9)]),
    Case("refused", "ok", ["server.refused": .int(9)]),
    Case("connections", "ok", ["server.connections.open": .int(9_000)]),
    Case("descriptors", "ok", ["server.descriptors": .int(18_000)]), Case("clockSteps", "ok", [:]),
    Case("uptime", "ok", ["server.uptimeMilliseconds": .int(60_000)]),
    Case("fullScans", "ok", ["queries": scan(1.0, scanned: 300_000, rows: 1)]),
    Case("scansPerRow", "ok", ["queries": scan(5, scanned: 99, rows: 1)]),
    // Cold, not too small.
    Case("rowCache", "ok", ["server.window/cacheHitShare": .double(0.1)]),
    // Too few to judge.
    Case(
      "statements", "ok", ["window/statementHits": .int(9), "window/statementMisses": .int(90)]),
    Case("readers", "ok", ["server.queue.queriesRunning": .int(16)]),
    Case("rejectedRows", "ok", ["imports": imported(990, 10)]),
  ]

  private func sample(_ changes: [(String, Value)]) -> ServerSample {
    var sample = SampleServer.healthy()
    for (name, value) in changes { sample = SampleServer.changed(sample, name, value) }
    return sample
  }

  @Test(arguments: firing)
  func aRuleFires(_ one: Case) throws {
    let verdicts = DoctorRules.verdicts(sample(one.changes))
    let verdict = try #require(verdicts.first { $0.rule.name == one.rule }).verdict
    guard case .found(let finding) = verdict else {
      Issue.record("\(one.rule): \(verdict)")
      return
    }
    #expect(finding.word == one.word)
    for text in [finding.what, finding.figure, finding.threshold, finding.advice] {
      #expect(!text.isEmpty)
    }
    // Nothing else fires with it.
    for (rule, verdict) in verdicts where rule.name != one.rule {
      if case .found(let other) = verdict {
        Issue.record("\(rule.name) too: \(other)")
      }
    }
    let report = DoctorReport(sample(one.changes))
    let codes: [String: Int32] = ["CRITICAL": 4, "warning": 1, "note": 0]
    #expect(report.exitCode == codes[one.word])
    #expect(report.text(Style(isColoured: false)).contains(one.word))
  }

  @Test(arguments: quiet)
  func aRuleStaysQuiet(_ one: Case) throws {
    let verdicts = DoctorRules.verdicts(sample(one.changes))
    let verdict = try #require(verdicts.first { $0.rule.name == one.rule }).verdict
    guard case .well(let figure) = verdict else {
      Issue.record("\(one.rule): \(verdict)")
      return
    }
    #expect(!figure.isEmpty)
  }

  @Test func everyRuleIsTestedBothWays() {
    let names = DoctorRules.all.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(Self.firing.map(\.rule)) == Set(names))
    #expect(Set(Self.quiet.map(\.rule)) == Set(names))
  }

  @Test func aHealthyServerPrintsWhatWasLookedAt() {
    let report = DoctorReport(SampleServer.healthy())
    let lines = report.text(Style(isColoured: false)).split(separator: "\n").map { String($0) }
    #expect(lines.count == DoctorRules.all.count + 1)
    #expect(lines.dropLast().allSatisfy { $0.hasPrefix("ok        ") }, "\(lines)")
    #expect(lines.last == "25 rules: 0 critical, 0 warnings, 0 notes")
    #expect(report.exitCode == ExitCode.done)
  }

  @Test func aServerThatTellsNothingIsNotCalledHealthy() throws {
    let report = DoctorReport(ServerSample([], time: 0))
    #expect(report.exitCode == ExitCode.done)
    #expect(report.summary == "25 rules: 0 critical, 0 warnings, 0 notes, 25 not told")
    let json = try JSONDocument.read(Array(report.json.utf8))
    guard case .array(let rules)? = json["rules"] else {
      Issue.record("\(json)")
      return
    }
    #expect(rules.count == 25)
    #expect(rules.first?["verdict"] == .string("untold"))
  }

  @Test func theWorstIsOnTop() {
    let report = DoctorReport(
      sample([
        ("server.clock.steps", .int(1)), ("syncsFailed", .int(2)), ("durability", .text("relaxed")),
      ]))
    let lines = report.text(Style(isColoured: false)).split(separator: "\n").map { String($0) }
    #expect(lines[0] == "CRITICAL  the disk refused to keep what was written")
    #expect(lines[1] == "          2; should be at most 0")
    #expect(lines[2].hasPrefix("          → check the disk"))
    #expect(lines[3].hasPrefix("warning   the machine's clock jumped"))
    #expect(lines[6].hasPrefix("note      a power loss"))
    #expect(report.exitCode == ExitCode.critical)
  }
}
