import Foundation
import RoostClient
import RoostModel
import RoostServer
import RoostTestSupport
import Testing

@testable import RoostLoad

/// The files of LoadTests/Scenarios, each for a moment against a server of this process.
@Suite(.serialized) struct ScenarioFilesTests {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("LoadTests/Scenarios")
  private static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
    .filter { $0.hasSuffix(".json") }.sorted()

  private func options(_ url: String, _ name: String, _ words: String = "") throws -> LoadOptions {
    let file = ScenarioFilesTests.folder.appendingPathComponent(name).path
    let arguments = [url, "--scenario", file] + words.split(separator: " ").map(String.init)
    guard case .run(let options) = try OptionParser.parse(arguments) else {
      throw OptionError("no run")
    }
    return options
  }

  private func serving(_ body: (String, RoostClient) async throws -> Void) async throws {
    let server = try await MainActor.run {
      let server = try RoostServer(ServerConfiguration(store: .memory, port: 0))
      try server.start()
      return server
    }
    let url = "roost://127.0.0.1:\(await server.port)"
    let client = try await RoostClient.connect(url)
    do { try await body(url, client) } catch {
      client.close()
      await server.stop()
      throw error
    }
    client.close()
    await server.stop()
  }

  private func run(_ options: LoadOptions) async throws -> RunResult {
    let url = try RoostURL(options.url)
    let terminal = Terminal(isInteractive: false)
    let resolved = try await Calibration(url: url, terminal: terminal).resolve(options)
    return try await LoadRun(options: resolved, url: url, terminal: terminal).run()
  }

  private func rowsLeft(_ client: RoostClient) async throws -> Int {
    let schema = try await client.schema()
    guard let entity = schema.entity(named: DataPlan.ownEntity) else { return 0 }
    return try await client.count(Query(entity: entity.id))
  }

  @Test func thereAreTheNineUsesPeopleHave() { #expect(ScenarioFilesTests.names.count >= 9) }

  @Test(arguments: ScenarioFilesTests.names)
  func everyFileRunsAndLeavesNothingBehind(_ name: String) async throws {
    try await serving { url, client in
      var options = try options(url, name, "--duration 0.3 --warmup 0.1")
      let rows = min(options.data?.rows ?? 0, 300)
      options.data?.rows = rows
      options.imports?.rows = 500
      options.connections = min(options.connections, 20)
      options.slowMilliseconds = 5
      // What a busy machine reaches in a moment proves nothing about rates.
      options.thresholds = []
      let result = try await run(options)
      #expect(result.tallies.total.requests > 0)
      if name != "overload.json" {
        #expect(result.tallies.total.errors == 0, "\(result.tallies.total.failures)")
      }
      #expect(result.verdicts.allSatisfy { $0.holds }, "\(result.verdicts)")
      #expect(!result.couldNotRestore, "\(result.notes)")
      #expect(try await rowsLeft(client) == 0)
      if let imports = options.imports {
        #expect(result.imports?.accepted == imports.streams * imports.rows)
      }
      #expect(try RecordReader.record(of: result).operations.count > 0)
    }
  }

  @Test func aLostInsertIsFound() async throws {
    try await serving { url, client in
      var options = try options(url, "writes-durable.json", "--duration 0.2 --warmup 0")
      options.data = nil
      options.connections = 4
      options.keepsWrites = true
      options.thresholds = []
      let result = try await run(options)
      #expect(result.verdicts.allSatisfy { $0.holds })
      // The same rows judged again after one of them has gone.
      let schema = try await client.schema()
      let entity = try #require(schema.entity(named: DataPlan.ownEntity))
      let maker = try RowMaker(entity, tag: 9, textBytes: 20)
      let data = OwnData(
        client: client, entity: entity, schemaVersion: schema.version, maker: maker)
      var own = OwnRows(maker, lane: 0, lanes: 1)
      let number = own.beginInsert()
      let written = try await client.write(
        WriteBatch(
          operations: [.insert(entity.id, row: nil, maker.assignments(.insert, number))],
          schemaVersion: schema.version))
      let row = try #require(written.results.first?.row)
      own.inserted(number, row: row)
      let check = OwnDataCheck(data: data, before: 0, imports: nil)
      #expect(try await check.run([own]).allSatisfy { $0.holds })
      own.inserted(own.beginInsert(), row: row + 1_000_000)
      let lost = try await check.run([own])
      #expect(lost.contains { !$0.holds && $0.found.contains("1 are missing") })
      #expect(try await data.remove() == 1)
    }
  }

  @Test func keptDataIsFoundAgain() async throws {
    try await serving { url, client in
      for _ in 0..<2 {
        var options = try options(url, "reads.json", "--duration 0.1 --warmup 0")
        options.data = DataPlan(rows: 50, textBytes: 10, keeps: true)
        let result = try await run(options)
        #expect(result.isGood, "\(result.verdicts) \(result.notes)")
        #expect(try await rowsLeft(client) == 50)
      }
    }
  }

  @Test func rowsOfAFileGoInAndStay() async throws {
    try await withTemporaryDirectory { directory in
      let rows = directory.appendingPathComponent("items.csv")
      try
        "key,number,amount,date,isOpen,note\na,1,2.5,2024-01-01,true,x\nb,2,3,2024-01-02,false,y\n"
        .write(to: rows, atomically: true, encoding: .utf8)
      let scenario = directory.appendingPathComponent("s.json").path
      try await serving { url, client in
        _ = try await client.register(
          StoreSchema(entities: [OwnData.itemSchema]), mode: .apply)
        for (file, fault) in [("items.csv", nil), ("items.txt", "must end in"), ("no.csv", "read")]
        {
          try #"{"entity": "RoostLoadItem", "data": {"file": "\#(file)"}, "mix": {"lookup": 1}}"#
            .write(toFile: scenario, atomically: true, encoding: .utf8)
          let words = [url, "--scenario", scenario, "--duration", "0.1", "--warmup", "0"]
          guard case .run(let options) = try OptionParser.parse(words) else { return }
          if let fault {
            let error = await #expect(throws: LoadError.self) { try await run(options) }
            #expect(error?.description.contains(fault) == true, "\(error?.description ?? "")")
          } else {
            let result = try await run(options)
            #expect(result.isGood, "\(result.tallies.total.failures)")
          }
        }
        #expect(try await rowsLeft(client) == 2)
      }
    }
  }

  @Test func aSearchEndsWithARateThatHolds() async throws {
    try await serving { url, _ in
      var options = try options(url, "reads.json", "--duration 0.1 --warmup 0 --connections 2")
      options.data = DataPlan(rows: 50, textBytes: 10, keeps: true)
      options.mix = try Mix("get=1")
      let search = RateSearch(
        url: try RoostURL(url), terminal: Terminal(isInteractive: false),
        target: try ThresholdParser.read("p50 < 10s"))
      let result = try await search.run(options)
      let found = try #require(result.search)
      #expect(found.steps.count <= LoadLimits.searchStepsMax + 2)
      #expect(!found.steps.isEmpty)
      #expect(JSONReport.details(result).contains("\"search\":{"))
    }
  }
}
