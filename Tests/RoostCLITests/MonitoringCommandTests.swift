import RoostImport
import RoostModel
import Synchronization
import Testing

@testable import RoostCLI

/// The commands for operators against a server in the same process.
@Suite @MainActor struct MonitoringCommandTests {
  private func filled(_ url: String) async {
    let folder = try? TestFolder()
    let rows = (0..<50).map { "k\($0),\($0)" }.joined(separator: "\n")
    let file = (try? folder?.file("n.csv", "key,n\n\(rows)\n")) ?? ""
    _ = await roost("import", url, file, "--entity", "N", "--create", "--key", "key")
    for _ in 0..<3 { _ = await roost("query", url, "N where n > 40 sort n") }
    _ = await roost("get", url, "N", "k1")
  }

  @Test func statsShowsTheServerOnOneScreen() async throws {
    try await withServer { url in
      await filled(url)
      let stats = await roost("stats", url)
      #expect(stats.exitCode == ExitCode.done, "\(stats.errors)")
      let topics = stats.output.split(separator: "\n").map { String($0.prefix { $0 != " " }) }
      #expect(
        Array(topics.prefix(12)) == [
          "server", "data", "clients", "ops/s", "latency", "writer", "readers", "checkpt", "cache",
          "import", "errors", "process",
        ])
      #expect(stats.output.contains("ready yes"))
      #expect(stats.output.contains("\nN "))
      for line in await roost("stats", url, width: 80).output.split(separator: "\n") {
        let plain = line.split(separator: "\u{1B}").map { part in
          part.first == "[" ? String(part.drop { $0 != "m" }.dropFirst()) : String(part)
        }
        #expect(DisplayWidth.of(plain.joined()) <= 80, "\(line)")
      }
    }
  }

  @Test func sectionsAreTablesAndLists() async throws {
    try await withServer { url in
      await filled(url)
      for section in ["clients", "imports", "models"] {
        let table = await roost("stats", url, section)
        #expect(table.exitCode == ExitCode.done, "\(table.errors)")
        #expect(table.output.split(separator: "\n").count >= 3, "\(table.output)")
        let json = try JSONDocument.read(
          Array(await roost("stats", url, section, "--json").output.utf8))
        guard case .array(let rows) = json else {
          Issue.record("\(json)")
          continue
        }
        #expect(!rows.isEmpty)
      }
      #expect(await roost("stats", url, "models").output.contains("\nN "))
      let all = try JSONDocument.read(Array(await roost("stats", url, "all", "--json").output.utf8))
      #expect(all["clients"] != nil)
      #expect(all["rowsInserted"] == .number("50"))
    }
  }

  /// Nobody reads any more after three rows: as with SIGPIPE that is no fault.
  @Test(arguments: [false, true])
  func watchPrintsRowsUntilNobodyReads(_ isJSON: Bool) async throws {
    try await withServer { url in
      let rows = Mutex<[String]>([])
      let console = Console(
        output: { bytes in
          rows.withLock {
            $0.append(String(decoding: bytes, as: UTF8.self))
            return $0.count < 3
          }
        }, errors: { _ in true })
      let code = await Roost.run(
        ["stats", url, "--watch", "0.1"] + (isJSON ? ["--json"] : []), console)
      #expect(code == ExitCode.done)
      let printed = rows.withLock { $0 }
      #expect(printed.count == 3)
      guard isJSON else {
        #expect(printed[0].hasPrefix("    time  get/s"))
        return
      }
      for row in printed {
        let json = try JSONDocument.read(Array(row.utf8))
        #expect(json["restarted"] == .bool(false))
        #expect(json["connections"] == .number("1"))
      }
    }
  }

  @Test(arguments: [["stats", "--watch"], ["stats"], ["slow"], ["doctor"]])
  func withoutAServerItIsExitCode3(_ words: [String]) async {
    let captured = CapturedConsole()
    let code = await Roost.run(
      [words[0], "roost://127.0.0.1:1"] + words.dropFirst(), captured.console())
    #expect(code == ExitCode.unreachable)
    #expect(captured.outcome(code).errors.contains("nothing listens"))
  }

  @Test func doctorLooksAtEveryRule() async throws {
    try await withServer { url in
      let doctor = await roost("doctor", url)
      // A store in memory with relaxed durability, and young: notes at least.
      #expect(doctor.exitCode != ExitCode.unreachable)
      #expect(doctor.output.contains("note      a power loss"))
      #expect(doctor.output.contains("rules: "))
      let json = try JSONDocument.read(Array(await roost("doctor", url, "--json").output.utf8))
      guard case .array(let rules)? = json["rules"] else {
        Issue.record("\(json)")
        return
      }
      #expect(rules.count == DoctorRules.all.count)
    }
  }
}
