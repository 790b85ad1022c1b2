import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

/// Stats and CancelOperation over the wire, on a clock and turns of the test's.
@MainActor @Suite struct StatsTests {
  private func fill(_ harness: Harness, flights: Int) throws {
    let operations = (0..<flights).map { Sample.insert("F\($0)", miles: Int64($0)) }
    _ = try harness.engine.write(WriteBatch(operations: operations, schemaVersion: 3))
  }

  private var dearFlights: Query {
    Query(
      entity: Sample.flight,
      predicate: .compare(.greater, .path(PropertyPath([2])), .literal(.int(3))))
  }

  @Test func theyAnswerWithinATurnWhileReadersWriterAndImportsWait() throws {
    let harness = try Harness()
    try fill(harness, flights: 5)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    let engine = harness.engine
    engine.readGate.close()
    engine.writeGate.close()
    engine.startGate.close()
    // More of each than there are threads.
    for _ in 0..<8 {
      _ = try client.startFetch(dearFlights)
      _ = try client.start(.get) {
        GetRequest(entity: Sample.flight, keys: [.row(1)], columns: nil).encode(into: &$0)
      }
      _ = try client.start(.write) {
        WriteBatch(operations: [Sample.insert("X", miles: 1)], schemaVersion: 3)
          .encode(into: &$0)
      }
      _ = try client.start(.import, isLast: false) { ImportTests.descriptor.encode(into: &$0) }
    }
    client.flush()
    harness.turns()
    let stream = try client.start(.stats)
    client.flush()
    harness.server.turn()
    client.pump()
    #expect(client.ends[stream]?.isOK == true)
    let figures = StatsReply(try #require(client.messages[stream]?.first))
    #expect(figures.number("server.queue.writes") == 8)
    #expect(figures.number("server.queue.gets") == 8)
    #expect(figures.number("server.import.running") == 8)
    #expect(figures.number("server.connections.active") == 1)
    engine.readGate.open()
    engine.writeGate.open()
    engine.startGate.open()
  }

  @Test func operationsTellWhatTheyWaitForAndOnWhat() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let stream = try client.startFetch(dearFlights)
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    harness.advance(by: .milliseconds(1_500))
    let operations = try client.stats([.operations]).list("operations")
    let fetch = try #require(operations.first)
    #expect(fetch["method"] == .text("Fetch"))
    #expect(fetch["state"] == .text("running"))
    #expect(fetch["stream"] == .int(Int64(stream)))
    #expect(fetch["entity"] == .text("Flight"))
    #expect(fetch["text"] == .text("Flight where miles > 3"))
    #expect(fetch["ageMilliseconds"] == .int(1_500))
    harness.engine.readGate.open()
    #expect(client.wait(for: stream)?.isOK == true)
    #expect(try client.stats([.operations]).list("operations").isEmpty)
  }

  @Test func anOperatorEndsACallOfAnotherConnection() throws {
    let harness = try Harness()
    try fill(harness, flights: 5)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let stream = try client.startFetch(dearFlights)
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    let operator_ = harness.connect()
    let operation = try #require(try operator_.stats([.operations]).list("operations").first)
    #expect(try operator_.cancel(operation))
    harness.engine.readGate.open()
    let status = try #require(client.wait(for: stream))
    #expect(status.status == .aborted && status.detail == .endedByOperator)
    #expect(try operator_.cancel(operation) == false, "it is over")
    #expect(try client.call(.echo) { $0.null() } == [0], "its connection lives")
    #expect(harness.drive { harness.engine.openSnapshots.load(ordering: .relaxed) == 0 })
    let statuses = try operator_.stats([]).map("server.statuses")
    #expect(statuses["aborted"] == .int(1))
  }

  /// What waits at the store's door may be taken back; what is behind it comes to its true end.
  @Test func anEndedWriteTellsWhatBecameOfIt() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.writeGate.close()
    let stream = try client.start(.write) {
      WriteBatch(operations: [Sample.insert("X", miles: 1)], schemaVersion: 3).encode(into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.writeGate.waitingCount == 1 })
    let operation = try #require(try client.stats([.operations]).list("operations").first)
    #expect(operation["state"] == .text("waiting"))
    #expect(try client.cancel(operation))
    harness.engine.writeGate.open()
    #expect(client.wait(for: stream)?.isOK == true, "the store had it already")
  }

  @Test func aSchemaIsNotTakenBack() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.startGate.close()
    let stream = try client.start(.schemaRegister) {
      SchemaRegisterRequest(schema: Sample.schema, mode: .apply).encode(into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.startGate.waitingCount == 1 })
    let operation = try #require(try client.stats([.operations]).list("operations").first)
    #expect(operation["method"] == .text("SchemaRegister"))
    #expect(try client.cancel(operation))
    harness.engine.startGate.open()
    #expect(client.wait(for: stream)?.isOK == true)
  }

  /// Its rows went in, whoever hears of it.
  @Test func chunksOfAnImportThatWasEndedAreCounted() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.writeGate.close()
    let stream = try client.start(.import, isLast: false) {
      ImportTests.descriptor.encode(into: &$0)
    }
    client.connection.send(stream) { ImportTests.chunk(0, rows: 10).encode(into: &$0) }
    client.flush()
    #expect(harness.drive { harness.engine.writeGate.waitingCount == 1 })
    let operation = try #require(try client.stats([.operations]).list("operations").first)
    #expect(try client.cancel(operation))
    #expect(client.wait(for: stream)?.detail == .endedByOperator)
    harness.engine.writeGate.open()
    #expect(harness.drive { harness.statistic("server.import.rowsAccepted") == 10 })
  }

  @Test func aLargeQueryIsNotTakenApartToBeShown() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let long = String(repeating: "x", count: 9_000)
    let stream = try client.startFetch(
      Query(
        entity: Sample.flight,
        predicate: .compare(.equal, .path(PropertyPath([1])), .literal(.text(long)))))
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    let fetch = try #require(try client.stats([.operations]).list("operations").first)
    guard case .text(let text)? = fetch["text"] else {
      Issue.record("no text")
      return
    }
    #expect(text.hasPrefix("a query of 9") && text.hasSuffix(" bytes"))
    harness.engine.readGate.open()
    #expect(client.wait(for: stream)?.isOK == true)
  }

  @Test func anEndedImportKeepsWhatWasAcknowledged() throws {
    let harness = try Harness()
    let client = harness.connect()
    let stream = try client.start(.import, isLast: false) {
      ImportTests.descriptor.encode(into: &$0)
    }
    client.connection.send(stream) { ImportTests.chunk(0, rows: 10).encode(into: &$0) }
    client.flush()
    #expect(harness.drive { harness.statistic("server.import.rowsAccepted") == 10 })
    let operation = try #require(try client.stats([.operations]).list("operations").first)
    #expect(operation["method"] == .text("Import") && operation["rows"] == .int(10))
    #expect(try client.cancel(operation))
    let status = try #require(client.wait(for: stream))
    #expect(status.detail == .endedByOperator)
    let jobs = try client.stats([.imports]).list("imports")
    #expect(jobs.first?["state"] == .text("failed"))
    #expect(jobs.first?["status"] == .text("ended by an operator"))
    #expect(jobs.first?["accepted"] == .int(10))
  }

  @Test func clientsAreToldByNameBusiestFirst() throws {
    let harness = try Harness()
    var hello = ClientHello()
    hello.agent = "loader/2"
    let busy = TestClient(harness, harness.server.connect(), hello: hello)
    let idle = harness.connect()
    for _ in 0..<3 { _ = try busy.call(.echo) { $0.null() } }
    _ = try? busy.get(9, [.row(1)])
    idle.flush()
    harness.turns()
    harness.advance(by: .seconds(2))
    let clients = try idle.stats([.clients]).list("clients")
    #expect(clients.count == 2)
    let first = try #require(clients.first)
    #expect(first["agent"] == .text("loader/2"))
    #expect(first["requests"] == .int(4) && first["failed"] == .int(1))
    #expect(first["state"] == .text("idle") && first["idleMilliseconds"] == .int(2_000))
    #expect(first["address"] == .text("memory"))
    #expect(try idle.stats([.clients], limit: 1).list("clients").count == 1)
  }

  @Test func importsShowHowFarTheyAreAndHowTheyEnded() throws {
    let harness = try Harness()
    let client = harness.connect()
    var descriptor = ImportTests.descriptor
    descriptor.source = ImportDescriptor.Source(name: "flights.csv", byteCount: 4_000)
    let stream = try client.start(.import, isLast: false) { descriptor.encode(into: &$0) }
    var chunk = ImportTests.chunk(0, rows: 500)
    chunk.sourceOffset = 1_000
    client.connection.send(stream) { chunk.encode(into: &$0) }
    client.flush()
    #expect(harness.drive { harness.statistic("server.import.rowsAccepted") == 500 })
    harness.advance(by: .seconds(3), steps: 12)
    let running = try #require(try client.stats([.imports]).list("imports").first)
    #expect(running["source"] == .text("flights.csv") && running["state"] == .text("running"))
    #expect(running["progressShare"] == .double(0.25))
    #expect(running["etaMilliseconds"] == .int(9_000))
    #expect(running["entity"] == .text("Flight") && running["chunks"] == .int(1))
    client.connection.finish(stream)
    #expect(client.wait(for: stream)?.isOK == true)
    harness.advance(by: .seconds(5), steps: 20)
    let ended = try #require(try client.stats([.imports]).list("imports").first)
    #expect(ended["state"] == .text("done") && ended["endedMillisecondsAgo"] == .int(5_000))
    #expect(ended["rowsPerSecond"].map(StatsReply.double).map { abs($0 - 500.0 / 3) < 1 } == true)
  }

  @Test func modelsCountRowsThatGetsAndFetchesBrought() throws {
    let harness = try Harness()
    try fill(harness, flights: 4)
    let client = harness.connect()
    for _ in 0..<3 { _ = try client.get(Sample.flight, [.row(1), .row(2)]) }
    let models = try client.stats([.models]).list("models")
    #expect(models.map { $0["name"] } == [.text("Airline"), .text("Flight")])
    #expect(models[1]["gets"] == .int(6) && models[1]["getMisses"] == .int(2))
    #expect(models[0]["gets"] == .int(0))
  }

  @Test func aGetThatFailsBringsNoRows() throws {
    let harness = try Harness()
    try fill(harness, flights: 2)
    let client = harness.connect()
    _ = try client.get(Sample.flight, [.row(1), .row(2)])
    #expect(throws: (any Error).self) {
      try client.get(Sample.flight, [.row(1), .row(2)], columns: [99])
    }
    let models = try client.stats([.models]).list("models")
    #expect(models[1]["gets"] == .int(2) && models[1]["getMisses"] == .int(2))
  }

  @Test func sectionsAreCutToTheMessagesTheClientTakes() throws {
    let harness = try Harness()
    let others = (0..<400).map { _ in harness.connect() }
    var hello = ClientHello()
    hello.messageBytesMax = 64 << 10
    let client = TestClient(harness, harness.server.connect(MemoryFaults()), hello: hello)
    let reply = try client.stats([.clients, .operations, .models], limit: 1_000)
    #expect((20..<400).contains(reply.list("clients").count))
    #expect(reply.list("models").count == 2, "the others have their share")
    #expect(reply.number("server.connections.open") == 401)
    _ = others
  }

  @Test func theWindowTellsRatesOfTheLastMinuteOnly() throws {
    let harness = try Harness()
    let client = harness.connect()
    for _ in 0..<30 {
      let streams = try (0..<20).map { _ in try client.start(.echo) { $0.null() } }
      #expect(client.wait(for: streams[19])?.isOK == true)
      harness.advance(by: .seconds(1), steps: 4)
    }
    func echo() throws -> [String: Value] {
      let window = try client.stats([]).map("server.window")
      guard case .map(let methods)? = window["methods"],
        case .map(let entries)? = methods.first(where: { $0.key == "Echo" })?.value
      else { return [:] }
      return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    }
    let rate = try #require(try echo()["perSecond"].map(StatsReply.double))
    #expect(abs(rate - 20) < 1)
    // Idle but for its answers to PING.
    for _ in 0..<90 {
      harness.advance(by: .seconds(1), steps: 4)
      client.pump()
    }
    #expect(try echo().isEmpty)
    #expect(harness.method(.echo, "succeeded") == 600)
  }

  @Test func aClientThatTakesNothingCountsAsSlow() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    client.peer.limitAppetite(to: 0)
    _ = try client.start(.echo) { $0.raw([UInt8](repeating: 7, count: 10_000)) }
    client.flush()
    harness.turns()
    harness.advance(by: .seconds(2), steps: 8)
    #expect(harness.statistic("server.connections.slow") == 1)
    #expect(harness.statistic("server.connections.slowEver") == 1)
    #expect(harness.statistic("server.unsentBytesHighestClient") == 1)
    let watcher = harness.connect()
    let clients = try watcher.stats([.clients]).list("clients")
    #expect(clients.contains { $0["state"] == .text("blocked") })
    client.peer.limitAppetite(to: .max)
    harness.advance(by: .seconds(1), steps: 4)
    #expect(harness.statistic("server.connections.slow") == 0)
    #expect(harness.statistic("server.connections.slowEver") == 1)
  }

  @Test func anOperatorGetsInWhenEveryConnectionIsTaken() throws {
    var limits = ServerLimits()
    limits.connectionsMax = 2
    limits.operatorConnectionsMax = 1
    let harness = try Harness(limits: limits)
    let clients = (0..<2).map { _ in harness.connect() }
    for client in clients { _ = try client.call(.echo) { $0.null() } }
    let operator_ = harness.connect()
    #expect(try operator_.stats([.clients]).list("clients").count == 3)
    let fourth = harness.connect()
    fourth.flush()
    #expect(
      harness.drive {
        fourth.pump()
        return fourth.peer.isClosedThere
      }, "one place of operators is all there is")
    // Whatever else it asks for it is turned away, without any work, and its place is free again.
    let stream = try operator_.start(.echo) { $0.null() }
    let status = try #require(operator_.wait(for: stream))
    #expect(status.status == .unavailable && status.detail == .overloaded)
    #expect(harness.drive { operator_.peer.isClosedThere })
    let next = harness.connect()
    _ = try next.stats([])
    // A PING asks for nothing: any client that found no room would keep the place by it.
    let ping: [UInt8] = [8, 0, 0, 0, 0, 0, 0, 0, 7, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    for _ in 0..<11 where !next.peer.isClosedThere {
      next.peer.send(ping)
      harness.advance(by: .seconds(1), steps: 4)
    }
    #expect(harness.drive { next.peer.isClosedThere }, "it asked for nothing")
    #expect(try clients[0].call(.echo) { $0.null() } == [0])
  }

  @Test func aStoreThatCannotSayFailsTheCallAlone() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.engine.statisticsFailure.withLock {
      $0 = StoreError(.unavailable, .draining, "the store is closed")
    }
    let stream = try client.start(.stats)
    #expect(client.wait(for: stream)?.status == .unavailable)
    #expect(harness.method(.stats, "failed") == 1)
    #expect(try client.call(.echo) { $0.null() } == [0])
  }
}

/// A reply of Stats by name.
struct StatsReply {
  private let entries: [String: Value]

  init(_ body: [UInt8]) {
    let read = try? body.withUnsafeBytes { try Statistics.decode($0) }
    entries = Dictionary((read ?? []).map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  func number(_ name: String) -> Int64? {
    guard case .int(let number)? = entries[name] else { return nil }
    return number
  }

  func map(_ name: String) -> [String: Value] { StatsReply.map(entries[name]) }

  func list(_ name: String) -> [[String: Value]] {
    guard case .list(let items)? = entries[name] else { return [] }
    return items.map { StatsReply.map($0) }
  }

  private static func map(_ value: Value?) -> [String: Value] {
    guard case .map(let entries)? = value else { return [:] }
    return Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  static func double(_ value: Value) -> Double {
    if case .double(let number) = value { number } else { .nan }
  }
}

extension TestClient {
  func stats(_ sections: [StatisticsSection], limit: Int = 100) throws -> StatsReply {
    StatsReply(
      try call(.stats) {
        StatisticsRequest(sections: sections, limit: limit).encode(into: &$0)
      })
  }

  /// Ends an operation as the section of operations names it.
  func cancel(_ operation: [String: Value]) throws -> Bool {
    guard case .int(let client)? = operation["client"],
      case .int(let stream)? = operation["stream"]
    else { return false }
    let reply = try call(.cancelOperation) {
      CancelOperation(client: UInt64(client), stream: UInt32(stream)).encode(into: &$0)
    }
    return try reply.withUnsafeBytes { try CancelOperation.decodeReply($0) }
  }
}
