import Foundation
import Glibc
import RoostClient
import RoostModel
import RoostTestSupport
import Testing

/// Clients that die without a word, and schemas that change, while a server is at work for them.
@Suite("A client killed in the middle", .serialized)
struct KilledClientTests {
  private static let rowCount = 400_000

  /// The server keeps what it took, frees what it held for the client, and goes on.
  @Test func leavesAnImportItsRowsAndNothingElse() async throws {
    try await withTemporaryDirectory { directory in
      let store = directory.appendingPathComponent("killed.store")
      let server = try await ServerProcess(store: store)
      defer { server.killNow() }
      let client = try await RoostClient.connect(server.url)
      defer { client.close() }
      let schema = try await client.register(Ledger.schema, mode: .apply).schema
      let file = try Self.rowsFile(in: directory)
      let importing = try Self.roost([
        "import", server.url, file.path, "--entity", "Entry", "--key", "key",
      ])
      try await client.until { ($0["server.import.rowsAccepted"] ?? 0) >= 20_000 }
      kill(importing.processIdentifier, SIGKILL)
      importing.waitUntilExit()
      #expect(importing.terminationReason == .uncaughtSignal, "it was done before the kill")
      let figures = try await client.until { $0.isFreed }
      let entity = try #require(schema.entity(named: "Entry"))
      let present = try await client.count(Query(entity: entity.id))
      #expect(present >= figures["server.import.rowsAccepted"] ?? 0)
      #expect(present < Self.rowCount)
      // It goes on: another import under another name finishes.
      let writer = client.openImport(Ledger.descriptor(7, schema))
      try await writer.send(Ledger.batch(7, 0..<5_000, schema))
      #expect(try await writer.finish().accepted == 5_000)
      server.killNow()
      _ = await server.ended()
      let places = try Ledger.places(in: store)
      #expect(places[0] == Array(0..<present))
      #expect(places[7]?.count == 5_000)
    }
  }

  @Test func leavesAFetchNoSnapshot() async throws {
    try await withTemporaryDirectory { directory in
      let store = directory.appendingPathComponent("fetched.store")
      let server = try await ServerProcess(store: store, durability: "relaxed")
      defer { server.killNow() }
      let client = try await RoostClient.connect(server.url)
      defer { client.close() }
      let schema = try await client.register(Ledger.schema, mode: .apply).schema
      let writer = client.openImport(Ledger.descriptor(1, schema))
      for start in stride(from: 0, to: 100_000, by: 5_000) {
        try await writer.send(Ledger.batch(1, start..<start + 5_000, schema))
      }
      #expect(try await writer.finish().accepted == 100_000)
      // Nobody reads what it prints, so that it stops in the middle of the rows.
      let output = Pipe()
      let fetching = try Self.roost(["query", server.url, "Entry", "--ndjson"], output: output)
      try await client.until { ($0["server.connections.open"] ?? 0) == 2 && $0.hasFetched }
      kill(fetching.processIdentifier, SIGKILL)
      fetching.waitUntilExit()
      #expect(fetching.terminationReason == .uncaughtSignal, "it was done before the kill")
      try await client.until { $0.isFreed }
      let entity = try #require(schema.entity(named: "Entry"))
      #expect(try await client.count(Query(entity: entity.id)) == 100_000)
      withExtendedLifetime(output) {}
    }
  }

  /// Schemas that only add change under a running import, which goes on.
  @Test func aSchemaMayChangeUnderAnImport() async throws {
    try await withTemporaryDirectory { directory in
      let store = directory.appendingPathComponent("changed.store")
      let server = try await ServerProcess(store: store)
      defer { server.killNow() }
      let client = try await RoostClient.connect(server.url)
      let other = try await RoostClient.connect(server.url)
      let schema = try await client.register(Ledger.schema, mode: .apply).schema
      let writer = client.openImport(Ledger.descriptor(1, schema))
      for round in 0..<20 {
        for start in stride(from: round * 5_000, to: (round + 1) * 5_000, by: 500) {
          try await writer.send(Ledger.batch(1, start..<start + 500, schema))
        }
        _ = try await other.register(Self.grown(by: round), mode: .apply)
      }
      let progress = try await writer.finish()
      #expect(progress.accepted == 100_000 && progress.rejected == 0)
      #expect(try await other.schema().entities.count == 21)
      client.close()
      other.close()
      server.killNow()
      _ = await server.ended()
      #expect(try Ledger.places(in: store)[1] == Array(0..<100_000))
    }
  }

  /// The ledger's schema with so many attributes, indexes and entities more.
  private static func grown(by round: Int) -> StoreSchema {
    var schema = Ledger.schema
    for number in 0...round {
      schema.entities[0].properties.append(
        PropertySchema(name: "more\(number)", kind: .attribute(.int), isOptional: true))
      schema.entities[0].indexes.append(["more\(number)"])
      schema.entities.append(
        EntitySchema(
          name: "Other\(number)",
          properties: [
            PropertySchema(name: "name", kind: .attribute(.text), isOptional: true)
          ]))
    }
    return schema
  }

  private static func rowsFile(in directory: URL) throws -> URL {
    var text = "key,source,place,proof\n"
    for place in 0..<rowCount { text += "0/\(place),0,\(place),\(Ledger.proof(0, place))\n" }
    let file = directory.appendingPathComponent("rows.csv")
    try Data(text.utf8).write(to: file)
    return file
  }

  private static func roost(_ arguments: [String], output: Pipe? = nil) throws -> Process {
    let process = Process()
    process.executableURL = ServerProcess.executable
    process.arguments = arguments
    process.standardOutput = output ?? FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    return process
  }
}

/// The numbers of a server's statistics by name.
private struct Figures {
  private var numbers: [String: Int] = [:]
  private var methods: Value?

  init(_ entries: [MapEntry]) {
    for entry in entries {
      if case .int(let number) = entry.value { numbers[entry.key] = Int(number) }
      if entry.key == "server.methods" { methods = entry.value }
    }
  }

  subscript(name: String) -> Int? { numbers[name] }

  var hasFetched: Bool {
    guard case .map(let entries)? = methods else { return false }
    return entries.contains { $0.key == "Fetch" }
  }

  /// Nothing is held for anybody but the one who asks.
  var isFreed: Bool {
    let held = [
      "server.import.running", "server.import.bytesQueued", "server.queue.queries",
      "server.queue.queriesRunning", "server.queue.writes", "queueDepth",
    ]
    return held.allSatisfy { (self[$0] ?? 0) == 0 } && self["server.connections.open"] == 1
  }
}

extension RoostClient {
  /// Asks for the figures until they are as wanted; each question waits for its answer.
  @discardableResult
  fileprivate func until(_ condition: (Figures) -> Bool) async throws -> Figures {
    let clock = ContinuousClock()
    let deadline = clock.now.advanced(by: .seconds(60))
    while clock.now < deadline {
      let figures = Figures(try await statistics())
      if condition(figures) { return figures }
    }
    throw ServerProcess.Failure(what: "the figures did not come to what they should be")
  }
}
