import Foundation
import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

@MainActor @Suite struct WriteTests {
  @Test func aWriteGivesItsCommitAndRows() throws {
    let harness = try Harness()
    let client = harness.connect()
    let result = try client.write(Sample.insert("A", miles: 1), Sample.insert("B", miles: 2))
    #expect(result.commit == 1)
    #expect(result.results.map(\.outcome) == [.inserted, .inserted])
    #expect(harness.method(.write, "succeeded") == 1)
    #expect(harness.statistic("server.queue.writes") == 0)
    #expect(harness.statistic("server.queue.writeBytes") == 0)
  }

  @Test func theStoresRefusalIsTheAnswer() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.engine.failure.withLock {
      $0 = StoreError(.alreadyExists, .uniqueKey, "ident is taken", operation: 2)
    }
    let error = #expect(throws: StoreError.self) {
      try client.write(Sample.insert("A", miles: 1))
    }
    #expect(error?.detail == .uniqueKey)
    #expect(error?.operation == 2)
  }

  @Test func aBrokenWriteEndsItsStreamOnly() throws {
    let harness = try Harness()
    let client = harness.connect()
    for body: [UInt8] in [
      [], [0x0A], [0x0A, 0x03, 0x0A, 0x01, 0x0A, 0x01, 0x89, 0x83, 0x00], [0xC1],
    ] {
      let error = #expect(throws: StoreError.self) { try client.call(.write) { $0.raw(body) } }
      #expect(error?.status != .internal)
    }
    #expect(harness.statistic("server.queue.writes") == 0)
  }

  @Test func aWriteThatIsWithTheStoreRunsToItsTrueOutcome() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.writeGate.close()
    let stream = try client.start(.write, timeout: 10) {
      WriteBatch(operations: [Sample.insert("A", miles: 1)], schemaVersion: 3).encode(into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.writeGate.waitingCount == 1 })
    harness.advance(by: .milliseconds(50))
    client.pump()
    #expect(client.ends[stream] == nil)
    client.connection.cancel(stream)
    client.flush()
    harness.turns()
    client.pump()
    #expect(client.ends[stream] == nil)
    harness.engine.writeGate.open()
    #expect(client.wait(for: stream) != nil)
    #expect(harness.method(.write, "succeeded") == 1)
  }

  @Test func writesBeyondTheQueueAreRefused() throws {
    var limits = ServerLimits()
    limits.writesQueuedMax = 2
    let harness = try Harness(limits: limits)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.writeGate.close()
    let streams = try (0..<3).map { index in
      try client.start(.write) {
        WriteBatch(operations: [Sample.insert("A\(index)", miles: 1)], schemaVersion: 3)
          .encode(into: &$0)
      }
    }
    #expect(client.wait(for: streams[2])?.detail == .queue)
    harness.engine.writeGate.open()
    #expect(client.wait(for: streams[1])?.isOK == true)
  }

  @Test func aWriteWhoseAnswerFindsNoRoomIsNotCalledUndone() throws {
    var wireLimits = WireLimits()
    wireLimits.queuedBytesMax = 1_000
    let harness = try Harness(wireLimits: wireLimits)
    var hello = ClientHello()
    hello.connectionWindow = WireLimits.windowMin
    let client = TestClient(harness, harness.server.connect(), hello: hello)
    _ = try client.call(.echo) { $0.null() }
    // Answers that the client does not take: two use up its window, one waits.
    for count in [40_000, 40_000, 995] {
      _ = try client.start(.echo) { $0.raw([UInt8](repeating: 1, count: count)) }
    }
    let stream = try client.start(.write) {
      WriteBatch(operations: [Sample.insert("A", miles: 1)], schemaVersion: 3).encode(into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.statistic("server.queue.writes") == 0 })
    #expect(harness.drive { harness.engine.rows.withLock { $0.commit } == 1 })
    harness.turns()
    client.pump()
    // A full queue would make the client send it once more.
    #expect(client.ends[stream]?.detail == .outcomeUnknown)
  }

  @Test func aClientThatLeavesDoesNotStopItsWrite() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.engine.writeGate.close()
    _ = try client.start(.write) {
      WriteBatch(operations: [Sample.insert("A", miles: 1)], schemaVersion: 3).encode(into: &$0)
    }
    client.flush()
    #expect(harness.drive { harness.engine.writeGate.waitingCount == 1 })
    client.peer.abort()
    #expect(harness.drive { harness.statistic("server.connections.open") == 0 })
    harness.engine.writeGate.open()
    #expect(harness.drive { harness.statistic("server.queue.writes") == 0 })
    #expect(harness.engine.rows.withLock { $0.commit } == 1)
    #expect(harness.method(.write, "inFlight") == 0)
  }
}

@MainActor @Suite struct LargeWriteTests {
  @Test(arguments: [100, 500, 5_000])
  func aLargeWriteArrivesWhole(count: Int) throws {
    let harness = try Harness()
    let client = harness.connect()
    let reply = try client.call(.write) {
      WriteBatch(
        operations: (0..<count).map { Sample.insert("F\($0)", miles: Int64($0)) }, schemaVersion: 3
      ).encode(into: &$0)
    }
    #expect(try reply.withUnsafeBytes { try WriteResult($0) }.results.count == count)
  }
}
