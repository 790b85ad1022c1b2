import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Testing

@MainActor @Suite struct SessionTests {
  @Test(arguments: [1, 7, 64, 100_000])
  func answersHoweverTheBytesAreCut(pieceBytes: Int) throws {
    let harness = try Harness()
    let client = harness.connect(MemoryFaults(pieceBytes: pieceBytes))
    #expect(try client.call(.echo) { $0.text("hello") } == Array("Ehello".utf8))
    let hello = try #require(client.server)
    #expect(hello.epoch == harness.engine.storeIdentifier)
    #expect(hello.schemaVersion == 3)
  }

  @Test func answersWhatCameBeforeItsHello() throws {
    let harness = try Harness()
    let client = harness.connect()
    let streams = try (0..<100).map { index in
      try client.start(.echo) { $0.int(Int64(index)) }
    }
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.ends.count == 100
      })
    for (index, stream) in streams.enumerated() {
      var writer = PackedWriter()
      writer.int(Int64(index))
      #expect(client.messages[stream] == [writer.bytes])
    }
  }

  @Test func answersTenThousandPipelinedRequests() throws {
    let harness = try Harness()
    let client = harness.connect()
    let row = try client.write(Sample.insert("UAL1", miles: 5)).results[0].row
    _ = try client.get(Sample.flight, [.row(row)])
    var done = 0
    while done < 10_000 {
      let streams = try (0..<250).map { _ in
        try client.start(.get) { GetRequest.encode(entity: Sample.flight, row: row, into: &$0) }
      }
      client.flush()
      #expect(
        harness.drive {
          client.pump()
          return streams.allSatisfy { client.ends[$0] != nil }
        })
      #expect(streams.allSatisfy { client.ends[$0]?.isOK == true })
      done += streams.count
      client.messages = [:]
      client.ends = [:]
    }
    #expect(harness.method(.get, "succeeded") == 10_001)
    #expect(harness.method(.get, "inFlight") == 0)
    #expect(harness.statistic("server.cache.hits") == 10_000)
  }

  @Test func tellsHealthAndWhatItIs() throws {
    let harness = try Harness()
    let client = harness.connect()
    let health = try client.call(.health).withUnsafeBytes { try Health($0) }
    #expect(health.isServing)
    let description = try client.call(.describe).withUnsafeBytes { try Description($0) }
    #expect(description.schema == Sample.schema)
    #expect(description.methods.count == WireMethod.allCases.count)
    #expect(description.limits.contains { $0.key == "getKeys" && $0.value == .int(1_000) })
  }

  @Test func statisticsAddUp() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    _ = try client.write(Sample.insert("A", miles: 1))
    #expect(throws: StoreError.self) { try client.get(99, [.row(1)]) }
    let entries = try client.call(.stats).withUnsafeBytes { try Statistics.decode($0) }
    let keys = entries.map(\.key)
    #expect(keys == keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    guard case .map(let methods)? = entries.first(where: { $0.key == "server.methods" })?.value
    else {
      Issue.record("there are no methods in \(keys)")
      return
    }
    var started: Int64 = 0
    for method in methods {
      guard case .map(let figures) = method.value else { continue }
      let value = { (name: String) -> Int64 in
        guard case .int(let number)? = figures.first(where: { $0.key == name })?.value else {
          return -1
        }
        return number
      }
      let ended = value("succeeded") + value("failed") + value("cancelled")
      #expect(value("started") == ended + value("inFlight"), "\(method.key)")
      started += value("started")
    }
    #expect(entries.contains(MapEntry("server.requests", .int(started))))
    #expect(entries.contains(MapEntry("store.commit", .int(1))))
    #expect(harness.method(.get, "failed") == 1)
  }

  @Test func registersASchemaAndTellsTheOthers() throws {
    let harness = try Harness()
    let client = harness.connect()
    let other = harness.connect()
    _ = try other.call(.echo) { $0.null() }
    let entity = EntitySchema(
      name: "Gate",
      properties: [PropertySchema(name: "n", kind: .attribute(.int), isOptional: true)])
    let reply = try client.call(.schemaRegister) {
      SchemaRegisterRequest(schema: StoreSchema(entities: [entity]), mode: .apply)
        .encode(into: &$0)
    }
    let registration = try reply.withUnsafeBytes { try SchemaRegistration($0) }
    #expect(registration.differences == ["add entity Gate"])
    #expect(registration.schema.version == 4)
    #expect(
      harness.drive {
        other.pump()
        return other.notices == [1]
      })
    let description = try client.call(.describe).withUnsafeBytes { try Description($0) }
    #expect(description.schema.entity(named: "Gate") != nil)
  }

  @Test func aDatabaseOfAnotherNameIsRefused() throws {
    let harness = try Harness()
    var hello = ClientHello()
    hello.database = "elsewhere"
    let client = TestClient(harness, harness.server.connect(), hello: hello)
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.peer.isClosedThere
      })
    #expect(client.goAways.first?.status == .notFound)
  }

  @Test func aTokenFromTheFutureIsRefused() throws {
    let harness = try Harness()
    let client = harness.connect()
    var head = RequestHead(.count)
    head.minToken = 77
    let stream = try client.connection.start(head, shape: .unary) { writer in
      try? CountRequest.encode(Query(entity: Sample.flight), into: &writer)
    }
    #expect(client.wait(for: stream)?.detail == .foreignToken)
  }
}
