import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

@MainActor @Suite struct GetTests {
  private func filled(_ harness: Harness, _ client: TestClient, _ count: Int) throws -> [Int64] {
    try (0..<count).map { index in
      try client.write(Sample.insert("F\(index)", miles: Int64(index * 100))).results[0].row
    }
  }

  @Test func aSecondGetIsAnsweredFromTheCache() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try filled(harness, client, 3)
    let first = try client.get(Sample.flight, [.row(rows[1])])
    #expect(first == [[.int(rows[1]), .text("F1"), .int(100), .null]])
    #expect(harness.statistic("server.cache.hits") == 0)
    harness.engine.readGate.close()
    // No reader can answer now.
    #expect(try client.get(Sample.flight, [.row(rows[1])]) == first)
    #expect(harness.statistic("server.cache.hits") == 1)
    harness.engine.readGate.open()
  }

  @Test func aMissedRowBringsItsNeighboursAlong() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try filled(harness, client, 40)
    _ = try client.get(Sample.flight, [.row(rows[2])])
    // Identifiers begin at 1: the block of 0 to 31 has 31 rows.
    #expect(harness.drive { harness.statistic("server.cache.rows") == 31 })
    harness.engine.readGate.close()
    #expect(try client.get(Sample.flight, [.row(rows[30])])[0][1] == .text("F30"))
    harness.engine.readGate.open()
    #expect(harness.statistic("server.cache.misses") == 1)
    #expect(try client.get(Sample.flight, [.row(rows[31])])[0][1] == .text("F31"))
    #expect(harness.statistic("server.cache.misses") == 2)
  }

  @Test func aChangedRowBringsNothingAlong() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try filled(harness, client, 8)
    _ = try client.get(Sample.flight, [.row(rows[0])])
    #expect(harness.drive { harness.statistic("server.cache.rows") == 8 })
    for row in [rows[3], rows[5]] {
      _ = try client.write(
        .update(Sample.flight, .row(row), [Assignment(2, .int(7))], ifRevision: nil))
    }
    #expect(try client.get(Sample.flight, [.row(rows[3])])[0][2] == .int(7))
    harness.turns()
    // The other changed row was not read: its neighbours had shown that the block is known.
    #expect(harness.statistic("server.cache.rows") == 7)
    #expect(try client.get(Sample.flight, [.row(rows[5])])[0][2] == .int(7))
  }

  @Test func keysComeInTheOrderAskedForAndMissingRowsAreNull() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try filled(harness, client, 3)
    let keys: [GetKey] = [.row(rows[2]), .row(9_999), .row(rows[0]), .row(rows[2])]
    let expected: [[Value]] = [
      [.int(rows[2]), .text("F2"), .int(200), .null], [.null, .null, .null, .null],
      [.int(rows[0]), .text("F0"), .int(0), .null], [.int(rows[2]), .text("F2"), .int(200), .null],
    ]
    #expect(try client.get(Sample.flight, keys) == expected)
    #expect(try client.get(Sample.flight, keys) == expected)
    #expect(try client.get(Sample.flight, []) == [])
  }

  @Test func aUniqueKeyIsRememberedWithItsRow() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try filled(harness, client, 2)
    let key = GetKey.constraint([1], [.text("F1")])
    let expected: [[Value]] = [[.int(rows[1]), .text("F1"), .int(100), .null]]
    #expect(try client.get(Sample.flight, [key]) == expected)
    harness.engine.readGate.close()
    #expect(try client.get(Sample.flight, [key]) == expected)
    #expect(try client.get(Sample.flight, [.row(rows[1])]) == expected)
    harness.engine.readGate.open()
    // The key moves to another row: the old one must not answer for it.
    _ = try client.write(
      .update(Sample.flight, .row(rows[1]), [Assignment(1, .text("X"))], ifRevision: nil),
      .update(Sample.flight, .row(rows[0]), [Assignment(1, .text("F1"))], ifRevision: nil))
    #expect(try client.get(Sample.flight, [key])[0][0] == .int(rows[0]))
    #expect(try client.get(Sample.flight, [.constraint([1], [.text("F0")])])[0][0] == .null)
  }

  @Test func someColumnsComeFromTheCachedRowToo() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try filled(harness, client, 2)
    for _ in 0..<2 {
      #expect(
        try client.get(Sample.flight, [.row(rows[1])], columns: [2]) == [
          [.int(rows[1]), .int(100)]
        ])
      #expect(
        try client.get(Sample.flight, [.row(rows[1])], columns: [3, 0, 1])
          == [[.null, .int(rows[1]), .text("F1")]])
    }
    #expect(harness.statistic("server.cache.hits") == 3)
    let error = #expect(throws: StoreError.self) {
      try client.get(Sample.flight, [.row(rows[1])], columns: [77])
    }
    #expect(error?.detail == .unknownColumn)
  }

  @Test func everyAcknowledgedWriteIsInTheAnswer() throws {
    let harness = try Harness()
    let client = harness.connect()
    let row = try filled(harness, client, 1)[0]
    for miles in 1...50 {
      _ = try client.write(
        .update(Sample.flight, .row(row), [Assignment(2, .int(Int64(miles)))], ifRevision: nil))
      #expect(try client.get(Sample.flight, [.row(row)])[0][2] == .int(Int64(miles)))
      #expect(try client.get(Sample.flight, [.row(row)])[0][2] == .int(Int64(miles)))
    }
    _ = try client.write(.delete(Sample.flight, .row(row), ifRevision: nil))
    #expect(try client.get(Sample.flight, [.row(row)])[0][0] == .null)
  }

  @Test func anOlderVersionDoesNotEnterTheCache() throws {
    let harness = try Harness()
    let client = harness.connect()
    let row = try filled(harness, client, 1)[0]
    harness.engine.readGate.close()
    let stream = try client.start(.get) {
      GetRequest.encode(entity: Sample.flight, row: row, into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    // The reader has its snapshot; now somebody in the process changes the row.
    _ = try harness.engine.write(
      WriteBatch(
        operations: [
          .update(Sample.flight, .row(row), [Assignment(2, .int(777))], ifRevision: nil)
        ], schemaVersion: 3))
    harness.engine.readGate.open()
    #expect(client.wait(for: stream)?.isOK == true)
    #expect(try client.get(Sample.flight, [.row(row)])[0][2] == .int(777))
  }

  @Test func aRowThatIsGoneByItsKeyIsGoneByItsIdentifierToo() throws {
    let harness = try Harness()
    let client = harness.connect()
    let row = try filled(harness, client, 1)[0]
    _ = try client.get(Sample.flight, [.row(row)])
    harness.engine.publishGate.close()
    let write = try client.start(.write) {
      WriteBatch(
        operations: [.delete(Sample.flight, .row(row), ifRevision: nil)], schemaVersion: 3
      ).encode(into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.publishGate.waitingCount == 1 })
    // Readers see the commit; the cache has not heard of it and holds the row.
    let byKey = try client.start(.get) {
      GetRequest(
        entity: Sample.flight, keys: [.constraint([1], [.text("F0")])], columns: nil
      ).encode(into: &$0)
    }
    client.flush()
    for _ in 0..<20 where client.ends[byKey] == nil {
      harness.server.turn(waiting: .milliseconds(1))
      client.pump()
    }
    if client.ends[byKey] == nil { harness.engine.publishGate.open() }
    #expect(client.wait(for: byKey)?.isOK == true)
    let reply = try #require(client.messages[byKey]?.first)
    let isGone = try reply.withUnsafeBytes { try RowBatch(message: $0).rows()[0][0] == .null }
    let byIdentifier = try client.get(Sample.flight, [.row(row)])[0][0]
    #expect(isGone && byIdentifier == .null)
    harness.engine.publishGate.open()
    #expect(client.wait(for: write)?.isOK == true)
  }

  @Test func aFeedThatOverflowedEmptiesTheCache() throws {
    let harness = try Harness()
    let client = harness.connect()
    let row = try filled(harness, client, 1)[0]
    _ = try client.get(Sample.flight, [.row(row)])
    _ = try harness.engine.write(
      WriteBatch(
        operations: [
          .update(Sample.flight, .row(row), [Assignment(2, .int(5))], ifRevision: nil)
        ], schemaVersion: 3))
    harness.engine.feeds.withLock { $0.first?.overflow() }
    #expect(try client.get(Sample.flight, [.row(row)])[0][2] == .int(5))
  }

  @Test func aCommitThatComesWhileTheFeedOverflowsIsKnown() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.write(Sample.insert("A", miles: 1))
    let engine = harness.engine
    let feed = try #require(engine.feeds.withLock { $0.first })
    let batch = WriteBatch(operations: [Sample.insert("B", miles: 2)], schemaVersion: 3)
    let late = Mutex<UInt64>(0)
    try engine.write(batch)
    feed.overflow {
      // Appended to a queue that takes nothing more, and forgotten with it.
      late.withLock { $0 = (try? engine.write(batch).commit) ?? 0 }
    }
    _ = try client.call(.echo) { $0.null() }
    let token = late.withLock { $0 }
    #expect(token > 0)
    let health = try client.call(.health).withUnsafeBytes { try Health($0) }
    #expect(health.token == token)
  }

  @Test func aGetWaitsNoLongerThanItsDeadline() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let stream = try client.start(.get, timeout: 50) {
      GetRequest.encode(entity: Sample.flight, row: 1, into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    harness.advance(by: .milliseconds(49))
    client.pump()
    #expect(client.ends[stream] == nil)
    harness.advance(by: .milliseconds(1))
    client.pump()
    #expect(client.ends[stream]?.status == .deadlineExceeded)
    harness.engine.readGate.open()
    #expect(harness.drive { harness.statistic("server.queue.gets") == 0 })
    #expect(harness.method(.get, "inFlight") == 0)
  }

  @Test func aCancelledGetEndsAtOnce() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let stream = try client.start(.get) {
      GetRequest.encode(entity: Sample.flight, row: 1, into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    client.connection.cancel(stream)
    #expect(client.wait(for: stream)?.status == .cancelled)
    #expect(harness.method(.get, "cancelled") == 1)
    harness.engine.readGate.open()
  }

  @Test func aFullQueueIsRefusedBeforeAnythingIsDone() throws {
    var limits = ServerLimits()
    limits.getsQueuedMax = 2
    let harness = try Harness(limits: limits)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let streams = try (0..<3).map { _ in
      try client.start(.get) { GetRequest.encode(entity: Sample.flight, row: 1, into: &$0) }
    }
    let refused = try #require(client.wait(for: streams[2]))
    #expect(refused.status == .resourceExhausted)
    #expect(refused.detail == .queue)
    #expect(refused["retry_ms"] != nil)
    harness.engine.readGate.open()
    #expect(client.wait(for: streams[0])?.isOK == true)
    #expect(client.wait(for: streams[1])?.isOK == true)
  }

  @Test(
    arguments: [
      [], [0xFF], [0x0A, 0x03], [0x0A, 0x03, 0x82, 0x0A, 0x81], [0x0A, 0x02, 0x82, 0x0A, 0x00],
      [0x0A, 0x03, 0x82, 0x0A, 0xFF, 0xFF, 0xFF, 0x7F, 0x00],
      [0x0A, 0x03, 0x82, 0x0A, 0x01, 0x41, 0x78, 0x00],
      [0x0A, 0x03, 0x82, 0x0A, 0x01, 0x81, 0x00, 0x00],
      [0x0A, 0x03, 0x82, 0x0A, 0x01, 0x0A, 0x01, 0x0A, 0x00, 0x00],
    ] as [[UInt8]])
  func aBrokenGetEndsItsStreamOnly(body: [UInt8]) throws {
    let harness = try Harness()
    let client = harness.connect()
    let error = #expect(throws: StoreError.self) { try client.call(.get) { $0.raw(body) } }
    #expect(error?.status == .invalidArgument)
    #expect(try client.call(.echo) { $0.null() } == [0])
  }
}
