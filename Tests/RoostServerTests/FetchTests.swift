import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

@MainActor @Suite struct FetchTests {
  /// Puts rows in without the wire.
  private func fill(_ harness: Harness, flights: Int, airlines: Int = 0) throws -> [Int64] {
    var operations: [WriteOperation] = []
    for index in 0..<airlines {
      operations.append(
        .insert(Sample.airline, row: Int64(index + 1), [Assignment(1, .text("A\(index)"))]))
    }
    for index in 0..<flights {
      let airline = airlines > 0 ? Int64(index % airlines + 1) : nil
      operations.append(Sample.insert("F\(index)", miles: Int64(index), airline: airline))
    }
    let result = try harness.engine.write(WriteBatch(operations: operations, schemaVersion: 3))
    return result.results.dropFirst(airlines).map(\.row)
  }

  @Test(arguments: [0, 1, 999, 1_000, 1_001, 20_000])
  func everyRowComesOnceInOrder(count: Int) throws {
    let harness = try Harness()
    let rows = try fill(harness, flights: count)
    let client = harness.connect()
    let stream = try client.startFetch(Query(entity: Sample.flight))
    let status = try #require(client.wait(for: stream))
    #expect(FetchEnd(status) == FetchEnd(rows: count, token: 1))
    let fetched = try client.fetched(stream).flatMap { try $0.rows.rows().map { $0[0] } }
    #expect(fetched == rows.map { .int($0) })
    #expect(harness.drive { harness.engine.openSnapshots.load(ordering: .relaxed) == 0 })
  }

  /// A closure that is wrapped once more by each fetch ends the server with a stack overflow.
  @Test func manyFetchesTakeNoMoreOfTheStackThanOne() throws {
    let harness = try Harness()
    let client = harness.connect()
    var places: [UInt] = []
    for _ in 0..<500 {
      let stream = try client.startFetch(Query(entity: Sample.flight))
      #expect(client.wait(for: stream)?.isOK == true)
      places.append(harness.engine.interruptedAt.load(ordering: .relaxed))
    }
    let (first, last) = (try #require(places.first), try #require(places.last))
    #expect(first != 0 && max(first, last) - min(first, last) < 4_096)
  }

  @Test func theRowsTheyLeadToComeOnce() throws {
    let harness = try Harness()
    _ = try fill(harness, flights: 3_000, airlines: 7)
    let client = harness.connect()
    let stream = try client.startFetch(Query(entity: Sample.flight))
    #expect(client.wait(for: stream)?.isOK == true)
    let messages = try client.fetched(stream)
    var airlines: [Value] = []
    for message in messages {
      airlines += try message.related.flatMap { try $0.rows().map { $0[0] } }
      for row in try message.rows.rows() {
        guard case .reference(let airline) = row[3] else { continue }
        #expect(airlines.contains(.int(airline.row)), "a row came before what it leads to")
      }
    }
    #expect(airlines.count == 7)
  }

  @Test func aPrefetchedToManyComesWithItsLinks() throws {
    let harness = try Harness()
    let flights = try fill(harness, flights: 10, airlines: 2)
    let client = harness.connect()
    let stream = try client.startFetch(
      Query(entity: Sample.airline, prefetch: [[3, 3]]))
    #expect(client.wait(for: stream)?.isOK == true)
    let messages = try client.fetched(stream)
    let owners = messages.flatMap(\.links).flatMap(\.owners)
    #expect(owners.map(\.row) == [1, 2])
    #expect(owners.flatMap(\.related).sorted() == flights)
    let related = messages.flatMap(\.related)
    #expect(related.filter { $0.entity == Sample.flight }.reduce(0) { $0 + $1.rowCount } == 10)
  }

  @Test func aPathThatIsNoRelationshipIsRefused() throws {
    let harness = try Harness()
    let client = harness.connect()
    let stream = try client.startFetch(Query(entity: Sample.flight, prefetch: [[2]]))
    let status = try #require(client.wait(for: stream))
    #expect(status.status == .invalidArgument)
    #expect(status.detail == .unknownColumn)
  }

  @Test func aFetchSeesItsSnapshotOnly() throws {
    let harness = try Harness()
    _ = try fill(harness, flights: 5_000)
    let client = harness.connect()
    client.returnsCredit = false
    let stream = try client.startFetch(Query(entity: Sample.flight))
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.messages[stream]?.isEmpty == false
      })
    _ = try fill(harness, flights: 100)
    client.returnsCredit = true
    let status = try #require(client.wait(for: stream))
    #expect(FetchEnd(status)?.rows == 5_000)
  }

  @Test func noMoreIsReadThanThereIsCreditFor() throws {
    let harness = try Harness()
    _ = try fill(harness, flights: 50_000)
    let client = harness.connect()
    client.returnsCredit = false
    let stream = try client.startFetch(Query(entity: Sample.flight))
    client.flush()
    let window = WireLimits().streamWindow
    let received = { (client.messages[stream] ?? []).reduce(0) { $0 + $1.count } }
    #expect(
      harness.drive {
        client.pump()
        return received() >= window
      })
    for _ in 0..<50 {
      harness.server.turn(waiting: .milliseconds(1))
      client.pump()
    }
    let bytes = received()
    #expect(bytes <= window + WireLimits().frameBytesMax)
    #expect(client.ends[stream] == nil)
    // The client takes nothing for too long: its snapshot is given up.
    harness.advance(by: .seconds(11), steps: 44)
    client.pump()
    let status = try #require(client.wait(for: stream))
    #expect(status.status == .aborted)
    #expect(status.detail == .snapshotExpired)
    #expect(harness.drive { harness.engine.openSnapshots.load(ordering: .relaxed) == 0 })
  }

  @Test func aCancelledFetchGivesItsSnapshotUp() throws {
    let harness = try Harness()
    _ = try fill(harness, flights: 20_000)
    let client = harness.connect()
    client.returnsCredit = false
    let stream = try client.startFetch(Query(entity: Sample.flight))
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.messages[stream] != nil
      })
    client.connection.cancel(stream)
    #expect(client.wait(for: stream)?.status == .cancelled)
    #expect(harness.drive { harness.engine.openSnapshots.load(ordering: .relaxed) == 0 })
    #expect(harness.drive { harness.statistic("server.queue.queriesRunning") == 0 })
  }

  @Test func aClientThatDiesInMidStreamLeavesNothingBehind() throws {
    let harness = try Harness()
    _ = try fill(harness, flights: 20_000)
    for _ in 0..<20 {
      let client = harness.connect()
      client.returnsCredit = false
      _ = try client.startFetch(Query(entity: Sample.flight))
      client.flush()
      #expect(
        harness.drive {
          client.pump()
          return !client.messages.isEmpty
        })
      client.peer.abort()
    }
    #expect(harness.drive { harness.statistic("server.connections.open") == 0 })
    #expect(harness.drive { harness.engine.openSnapshots.load(ordering: .relaxed) == 0 })
    #expect(harness.method(.fetch, "inFlight") == 0)
    #expect(harness.method(.fetch, "cancelled") == 20)
  }

  @Test func queriesBeyondThePoolWaitAndThenRun() throws {
    var limits = ServerLimits()
    limits.snapshotsMax = 2
    limits.queriesQueuedMax = 3
    let harness = try Harness(limits: limits)
    _ = try fill(harness, flights: 10)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let streams = try (0..<6).map { _ in
      try client.start(.count) { writer in
        try? CountRequest.encode(Query(entity: Sample.flight), into: &writer)
      }
    }
    let refused = try #require(client.wait(for: streams[5]))
    #expect(refused.detail == .queue)
    #expect(harness.statistic("server.queue.queries") == 3)
    harness.engine.readGate.open()
    for stream in streams.dropLast() {
      #expect(client.wait(for: stream)?.isOK == true)
      let reply = try #require(client.messages[stream]?.first)
      #expect(try reply.withUnsafeBytes { try CountRequest.decodeReply($0) } == 10)
    }
  }

  @Test func aDeadlineInTheQueueIsNotOneWhileRunning() throws {
    var limits = ServerLimits()
    limits.snapshotsMax = 1
    let harness = try Harness(limits: limits)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.readGate.close()
    let streams = try (0..<2).map { _ in
      try client.start(.count, timeout: 100) { writer in
        try? CountRequest.encode(Query(entity: Sample.flight), into: &writer)
      }
    }
    client.flush()
    #expect(harness.drive { harness.engine.readGate.waitingCount == 1 })
    harness.advance(by: .milliseconds(100))
    client.pump()
    #expect(client.ends[streams[0]]?.detail == .deadlineWhileRunning)
    #expect(client.ends[streams[1]]?.detail == .deadlineBeforeStart)
    harness.engine.readGate.open()
    #expect(harness.drive { harness.statistic("server.queue.queriesRunning") == 0 })
  }

  @Test func aFailureInMidStreamIsTheStreamsEnd() throws {
    let harness = try Harness()
    _ = try fill(harness, flights: 20_000)
    let client = harness.connect()
    client.returnsCredit = false
    let stream = try client.startFetch(Query(entity: Sample.flight))
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.messages[stream] != nil
      })
    harness.engine.failure.withLock { $0 = StoreError(.dataLoss, .corrupt, "the page is torn") }
    client.returnsCredit = true
    let status = try #require(client.wait(for: stream))
    #expect(status.status == .dataLoss)
    #expect(status.message == "the page is torn")
  }
}
