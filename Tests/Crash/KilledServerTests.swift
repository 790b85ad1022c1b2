import Foundation
import Glibc
import RoostClient
import RoostModel
import RoostStorage
import RoostTestSupport
import Synchronization
import Testing

@Suite("A server killed in mid-import", .serialized)
struct KilledServerTests {
  private static let sources = 0..<3
  private static let step = 500

  /// What was acknowledged is there, whole and in order, and the file is sound.
  @Test(arguments: ["full", "group"], 0..<2)
  func keepsEveryAcknowledgedRow(durability: String, round: Int) async throws {
    try await withTemporaryDirectory { directory in
      var random = SplitMix64(seed: TestSeed.current &+ UInt64(round))
      let killAfter = 1_000 + random.below(60_000)
      let store = directory.appendingPathComponent("crash.store")
      let server = try await ServerProcess(store: store, durability: durability)
      let clients = try await Clients(server, count: Self.sources.count)
      let acknowledged = Acknowledged(killAfter: killAfter, server)
      await withTaskGroup(of: Void.self) { group in
        for source in Self.sources {
          group.addTask { await clients.importRows(source, to: acknowledged, rowsMax: 400_000) }
        }
        group.addTask {
          _ = await server.ended()
          clients.close()
        }
      }
      #expect(await server.ended() == SIGKILL)
      #expect(acknowledged.total >= killAfter, "the kill came before its time; \(TestSeed.note)")
      let places = try Ledger.places(in: store)
      for source in Self.sources {
        let present = places[source] ?? []
        let known = acknowledged.rows(of: source)
        #expect(present == Array(0..<present.count), "a gap; \(TestSeed.note)")
        #expect(present.count >= known, "source \(source) of round \(round); \(TestSeed.note)")
      }
      try expectReopens(store, rows: places.values.reduce(0) { $0 + $1.count })
    }
  }

  /// Killed twice and started again, the import goes on under its name: every row once.
  @Test func isGoneOnWithWhereItStopped() async throws {
    try await withTemporaryDirectory { directory in
      let rows = 60_000
      let store = directory.appendingPathComponent("resume.store")
      let first = try await ServerProcess(store: store)
      let clients = try await Clients(first, count: Self.sources.count)
      let acknowledged = Acknowledged(killAfter: rows / 2, first)
      let finished = try await withThrowingTaskGroup(of: ImportProgress?.self) { group in
        for source in Self.sources {
          group.addTask { try await clients.wholeImport(source, to: acknowledged, rows: rows) }
        }
        group.addTask {
          _ = await first.ended()
          let second = try await ServerProcess(store: store, port: first.port)
          acknowledged.aim(at: second, killAfter: 2 * rows)
          _ = await second.ended()
          acknowledged.aim(
            at: try await ServerProcess(store: store, port: first.port), killAfter: .max)
          return nil
        }
        var finished: [ImportProgress] = []
        for try await progress in group { if let progress { finished.append(progress) } }
        return finished
      }
      clients.close()
      acknowledged.killLast()
      #expect(finished.count == Self.sources.count)
      for progress in finished {
        #expect(progress.accepted == rows)
        #expect(progress.rejected == 0)
        #expect(progress.resumptions >= 1)
      }
      let places = try Ledger.places(in: store)
      for source in Self.sources { #expect(places[source] == Array(0..<rows)) }
    }
  }

  private func expectReopens(_ path: URL, rows: Int) throws {
    let store = try SQLiteStore.open(.file(path.path))
    defer { store.close() }
    let entity = try #require(store.schema.entity(named: "Entry"))
    let reader = try store.makeReader()
    _ = try reader.begin()
    defer { reader.end() }
    #expect(try reader.count(Query(entity: entity.id)) == rows)
  }
}

/// One connection for each source.
private final class Clients: Sendable {
  private let clients: [RoostClient]
  private let schema: StoreSchema

  init(_ server: ServerProcess, count: Int) async throws {
    var clients: [RoostClient] = []
    for _ in 0..<count { clients.append(try await RoostClient.connect(server.url)) }
    self.clients = clients
    _ = try await clients[0].register(Ledger.schema, mode: .apply)
    schema = try await clients[0].schema()
  }

  func close() { for client in clients { client.close() } }

  /// Imports until the server is gone; what the end was is of no interest then.
  func importRows(_ source: Int, to acknowledged: Acknowledged, rowsMax: Int) async {
    _ = try? await wholeImport(source, to: acknowledged, rows: rowsMax)
  }

  func wholeImport(
    _ source: Int, to acknowledged: Acknowledged, rows: Int
  ) async throws -> ImportProgress {
    let writer = clients[source].openImport(Ledger.descriptor(source, schema)) { report in
      acknowledged.note(source, report.progress.accepted)
    }
    for start in stride(from: 0, to: rows, by: 500) {
      try await writer.send(Ledger.batch(source, start..<min(start + 500, rows), schema))
    }
    return try await writer.finish()
  }
}

/// What the server has acknowledged, and the kill when it is enough.
private final class Acknowledged: Sendable {
  private struct State {
    var rows: [Int: Int] = [:]
    var killAfter: Int
    var server: ServerProcess
  }

  private let state: Mutex<State>

  init(killAfter: Int, _ server: ServerProcess) {
    state = Mutex(State(killAfter: killAfter, server: server))
  }

  var total: Int { state.withLock { $0.rows.values.reduce(0, +) } }

  func rows(of source: Int) -> Int { state.withLock { $0.rows[source] ?? 0 } }

  func note(_ source: Int, _ accepted: Int) {
    let target = state.withLock { state in
      state.rows[source] = accepted
      let total = state.rows.values.reduce(0, +)
      return total >= state.killAfter ? state.server : nil
    }
    target?.killNow()
  }

  func aim(at server: ServerProcess, killAfter: Int) {
    state.withLock { state in
      state.server = server
      state.killAfter = killAfter
    }
  }

  func killLast() { state.withLock { $0.server }.killNow() }
}
