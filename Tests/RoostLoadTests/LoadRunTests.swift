import Foundation
import RoostClient
import RoostModel
import RoostServer
import RoostTestSupport
import Testing

@testable import RoostLoad

/// Whole runs against a server of this process, over sockets.
@Suite(.serialized) struct LoadRunTests {
  private static let rows = 500

  private static let schema = StoreSchema(entities: [
    EntitySchema(
      name: "Airline",
      properties: [
        PropertySchema(name: "code", kind: .attribute(.text), isOptional: false)
      ], uniqueConstraints: [["code"]]),
    EntitySchema(
      name: "Flight",
      properties: [
        PropertySchema(name: "ident", kind: .attribute(.text), isOptional: false),
        PropertySchema(name: "distance", kind: .attribute(.int), isOptional: true),
        PropertySchema(name: "status", kind: .attribute(.text), isOptional: true),
      ], uniqueConstraints: [["ident"]]),
  ])

  /// Serves a store with flights whose identifiers have gaps while `body` runs.
  private func serving(
    rows: Int = LoadRunTests.rows, _ body: (String, RoostClient) async throws -> Void
  ) async throws {
    let server = try await MainActor.run {
      let server = try RoostServer(
        ServerConfiguration(store: .memory, port: 0, schema: LoadRunTests.schema))
      try server.start()
      return server
    }
    let port = await server.port
    let url = "roost://127.0.0.1:\(port)"
    let client = try await RoostClient.connect(url)
    do {
      try await fill(client, rows)
      try await body(url, client)
    } catch {
      client.close()
      await server.stop()
      throw error
    }
    client.close()
    await server.stop()
  }

  private func fill(_ client: RoostClient, _ rows: Int) async throws {
    let schema = try await client.schema()
    let flight = try #require(schema.entity(named: "Flight"))
    let inserts = (0..<rows).map { index in
      let values: [Value] = [.text("F\(index)"), .int(Int64(index % 7)), .text("S\(index % 3)")]
      return WriteOperation.insert(
        flight.id, row: nil, zip(flight.properties, values).map { Assignment($0.id, $1) })
    }
    guard rows > 0 else { return }
    let written = try await client.write(
      WriteBatch(operations: inserts, schemaVersion: schema.version))
    let deletes = written.results.enumerated().filter { $0.offset % 5 == 2 }.map {
      WriteOperation.delete(flight.id, .row($0.element.row), ifRevision: nil)
    }
    _ = try await client.write(WriteBatch(operations: deletes, schemaVersion: schema.version))
  }

  private func run(_ url: String, _ words: String) async throws -> RunResult {
    let arguments = [url] + words.split(separator: " ").map(String.init)
    guard case .run(let options) = try OptionParser.parse(arguments) else {
      throw OptionError("help")
    }
    return try await LoadRun(
      options: options, url: RoostURL(url), terminal: Terminal(isInteractive: false)
    ).run()
  }

  private func allRows(_ client: RoostClient) async throws -> [[Value]] {
    let schema = try await client.schema()
    let flight = try #require(schema.entity(named: "Flight"))
    var rows: [[Value]] = []
    for try await batch in client.fetch(Query(entity: flight.id)) { rows += try batch.rows() }
    return rows
  }

  @Test func everyOperationSucceedsAndTheDataIsAsBefore() async throws {
    try await serving { url, client in
      let before = try await allRows(client)
      let result = try await run(
        url,
        "--mix get=4,fetch=1,count=1,write=2,echo=1,batch=1,lookup=1,slow=1,churn=1 "
          + "--connections 4 --depth 3 --threads 2 "
          + "--duration 0.4 --warmup 0.1 --fetch-rows 10 --interval 0.1")
      #expect(result.target.entity == "Flight")
      #expect(result.target.rows == UInt64(LoadRunTests.rows * 4 / 5))
      #expect(result.tallies.total.errors == 0, "\(result.tallies.total.failures)")
      for operation in result.options.mix.operations {
        #expect(result.tallies[operation].requests > 0, "\(operation)")
      }
      let fetches = result.tallies[.fetch]
      #expect(fetches.rows > 0 && fetches.rows <= fetches.requests * 10)
      #expect(result.tallies[.get].bytes > result.tallies[.get].requests)
      let measured = result.timeline.filter { !$0.isWarmUp }
      #expect(result.timeline.contains { $0.isWarmUp })
      #expect(measured.reduce(0) { $0 + $1.seconds } <= result.seconds + 0.001)
      // Answers to what the warm-up sent count in the interval they came in.
      let inSeries = measured.reduce(0) { $0 + $1.total.requests }
      #expect(inSeries >= result.tallies.total.requests)
      #expect((result.restored ?? 0) > 0)
      #expect(!result.couldNotRestore)
      #expect(result.generator.threadShares.count == 2)
      #expect(try await allRows(client) == before)
    }
  }

  @Test func keptWritesStayPlausible() async throws {
    try await serving { url, client in
      let before = try await allRows(client)
      let result = try await run(
        url, "--mix write=1 --connections 2 --duration 0.2 --warmup 0 --keep-writes")
      #expect(result.tallies.total.errors == 0)
      #expect(result.restored == nil)
      let after = try await allRows(client)
      #expect(after != before)
      #expect(after.map { $0.prefix(2) } == before.map { $0.prefix(2) })
      #expect(Set(after.map { $0[2] }).isSubset(of: Set(before.map { $0[2] })))
    }
  }

  @Test func aFixedRateIsHeld() async throws {
    try await serving { url, _ in
      let result = try await run(
        url, "--rate 400 --connections 3 --duration 0.5 --warmup 0.2")
      #expect(result.tallies[.get].errors == 0)
      #expect(result.tallies[.get].requests + result.unsent == 200)
      #expect(!result.generator.lag.isEmpty)
    }
  }

  @Test func aScriptSeesThatTheMeasuringHasBegun() async throws {
    try await withTemporaryDirectory { directory in
      let file = directory.appendingPathComponent("begun").path
      try await serving { url, _ in
        _ = try await run(
          url, "--connections 1 --duration 0.2 --warmup 0.1 --measuring-file \(file)")
      }
      #expect(FileManager.default.fileExists(atPath: file))
    }
  }

  @Test func anotherEntityCanBeNamed() async throws {
    try await serving { url, _ in
      let wrong = await #expect(throws: LoadError.self) {
        try await run(url, "--entity Flihgt --duration 0.1")
      }
      #expect(wrong?.description.contains("did you mean Flight?") == true)
      #expect(wrong?.exitCode == .wrongCall)
      let empty = await #expect(throws: LoadError.self) {
        try await run(url, "--entity Airline --duration 0.1")
      }
      #expect(empty?.description.contains("no rows") == true)
      #expect(empty?.exitCode == .failed)
    }
  }

  @Test func echoesNeedNoRows() async throws {
    try await serving(rows: 0) { url, _ in
      let result = try await run(
        url, "--mix echo=1 --connections 2 --duration 0.1 --warmup 0 --echo-bytes 100")
      #expect(result.tallies[.echo].requests > 0)
      #expect(result.tallies[.echo].bytes == result.tallies[.echo].requests * 100)
    }
  }

  @Test func figuresNeedNoRowsAndComeWhole() async throws {
    try await serving(rows: 0) { url, _ in
      let result = try await run(
        url, "--mix stats=1 --connections 2 --duration 0.1 --warmup 0")
      let tally = result.tallies[.stats]
      #expect(tally.requests > 0 && tally.errors == 0)
      #expect(tally.bytes > tally.requests * 1_000)
    }
  }

  @Test func tooMuchDepthIsLoweredAndSaidSo() async throws {
    try await serving { url, _ in
      let result = try await run(
        url, "--mix fetch=1 --connections 1 --depth 500 --duration 0.1 --warmup 0")
      #expect(result.tallies.total.errors == 0, "\(result.tallies.total.failures)")
      #expect(result.options.depth < 500)
      #expect(result.notes.contains { $0.contains("depth 500 was lowered") })
    }
  }

  @Test func aServerThatIsNotThereIsUnreachable() async throws {
    let error = await #expect(throws: LoadError.self) {
      try await run("roost://127.0.0.1:1", "--duration 0.1")
    }
    #expect(error?.exitCode == .unreachable)
  }

  @Test func aServerThatStopsInTheMiddleIsCountedAsFailure() async throws {
    let server = try await MainActor.run {
      let server = try RoostServer(
        ServerConfiguration(store: .memory, port: 0, schema: LoadRunTests.schema))
      try server.start()
      return server
    }
    let url = "roost://127.0.0.1:\(await server.port)"
    async let outcome = run(
      url, "--mix echo=1 --connections 2 --duration 1 --warmup 0 --timeout 0.5")
    // Once requests have been answered the server goes away.
    while await requests(server) < 100 { await Task.yield() }
    await server.stop()
    let result = try await outcome
    #expect(result.tallies[.echo].requests > 0)
    #expect(result.notes.contains { $0.contains("connections were lost") })
    #expect(result.seconds >= 1)
  }

  @MainActor private func requests(_ server: RoostServer) -> Int64 {
    for entry in server.statistics where entry.key == "server.requests" {
      if case .int(let count) = entry.value { return count }
    }
    return 0
  }
}
