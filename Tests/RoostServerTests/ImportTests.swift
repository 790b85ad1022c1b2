import Foundation
import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

@MainActor @Suite struct ImportTests {
  static let descriptor = ImportDescriptor(
    id: UUID(), entity: Sample.flight, conflict: .update, constraint: [1], onRowError: .skip)

  static func chunk(_ number: UInt64, rows: Int) -> ImportChunk {
    var writer = PackedWriter()
    for index in 0..<rows {
      writer.text("F\(number)-\(index)")
      writer.int(Int64(index))
    }
    return ImportChunk(
      number: number,
      rows: RowBatch(
        entity: Sample.flight, schemaVersion: 3, columns: [1, 2], rowCount: rows,
        body: writer.bytes))
  }

  private func begin(_ client: TestClient) throws -> UInt32 {
    try client.start(.import, isLast: false) { ImportTests.descriptor.encode(into: &$0) }
  }

  private func acknowledgements(
    _ client: TestClient, _ stream: UInt32
  ) throws -> [ImportAcknowledgement] {
    try (client.messages[stream] ?? []).dropFirst().flatMap { message in
      try message.withUnsafeBytes { try ImportAcknowledgement.list($0) }
    }
  }

  @Test func everyChunkIsAcknowledgedInOrder() throws {
    let harness = try Harness()
    let client = harness.connect()
    let stream = try begin(client)
    for number in 0..<40 {
      client.connection.send(stream) {
        ImportTests.chunk(UInt64(number), rows: 100).encode(into: &$0)
      }
    }
    client.connection.finish(stream)
    let status = try #require(client.wait(for: stream))
    #expect(status.isOK)
    #expect(status["rows"] == .int(4_000))
    #expect(status["rejected"] == .int(0))
    #expect(status["token"] == .int(40))
    let first = try #require(client.messages[stream]?.first)
    #expect(try first.withUnsafeBytes { try ImportStarted.decode($0) } == 0)
    let numbers = try acknowledgements(client, stream).map(\.number)
    #expect(numbers == (0..<40).map { UInt64($0) })
    #expect(harness.statistic("server.import.rowsAccepted") == 4_000)
    #expect(harness.statistic("server.import.running") == 0)
    #expect(harness.statistic("server.import.bytesQueued") == 0)
  }

  @Test func missedRowsBringNothingAlongWhileAnImportRuns() throws {
    let harness = try Harness()
    let client = harness.connect()
    let rows = try (0..<8).map {
      try client.write(Sample.insert("F\($0)", miles: 1)).results[0].row
    }
    let stream = try begin(client)
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.messages[stream] != nil
      })
    _ = try client.get(Sample.flight, [.row(rows[2])])
    // An errand would be done before a get that was sent after it.
    _ = try client.get(Sample.flight, [.row(rows[5])])
    _ = try client.get(Sample.flight, [.row(9_999)])
    harness.turns()
    #expect(harness.statistic("server.cache.rows") == 2)
  }

  @Test func thirtyTwoChunksMayBeUnderWay() throws {
    let harness = try Harness()
    let client = harness.connect()
    let stream = try begin(client)
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.messages[stream] != nil
      })
    harness.engine.writeGate.close()
    var sent = 0
    let chunk = ImportTests.chunk(0, rows: 6_000)
    var size = PackedWriter()
    chunk.encode(into: &size)
    // Sends as long as there is credit; the store takes nothing.
    for number in 0..<1_000 {
      guard client.connection.isWritable(stream) else { break }
      client.connection.send(stream) {
        ImportChunk(number: UInt64(number), rows: chunk.rows).encode(into: &$0)
      }
      sent += 1
      client.flush()
      harness.turns(2)
      client.pump()
    }
    #expect(sent * size.bytes.count >= 32 * 100_000)
    #expect(sent < 1_000)
    let queued = try #require(harness.statistic("server.import.bytesQueued"))
    #expect(queued <= Int64(WireLimits.importWindow + WireLimits().frameBytesMax))
    harness.engine.writeGate.open()
    client.connection.finish(stream)
    #expect(client.wait(for: stream)?["rows"] == .int(Int64(sent * 6_000)))
  }

  /// Imports that wait for the store to begin, and schemas for it to be applied, hold no write up.
  @Test func aWriteWaitsForNoBeginningAndNoSchema() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.engine.startGate.close()
    for _ in 0..<4 {
      _ = try client.start(.import, isLast: false) { writer in
        var descriptor = ImportTests.descriptor
        descriptor.id = UUID()
        descriptor.encode(into: &writer)
      }
      _ = try client.start(.schemaRegister) {
        SchemaRegisterRequest(schema: Sample.schema, mode: .apply).encode(into: &$0)
      }
    }
    let write = try client.start(.write) {
      WriteBatch(operations: [Sample.insert("A", miles: 1)], schemaVersion: 3).encode(into: &$0)
    }
    #expect(client.wait(for: write)?.isOK == true)
    harness.engine.startGate.open()
  }

  /// Chunks may come before the store has begun the import; they keep their order behind it.
  @Test func chunksThatComeBeforeTheBeginningWaitForIt() throws {
    let harness = try Harness()
    let client = harness.connect()
    harness.engine.startGate.close()
    let stream = try begin(client)
    for number in 0..<5 {
      client.connection.send(stream) {
        ImportTests.chunk(UInt64(number), rows: 10).encode(into: &$0)
      }
    }
    client.connection.finish(stream)
    client.flush()
    harness.turns(8)
    harness.engine.startGate.open()
    #expect(client.wait(for: stream)?["rows"] == .int(50))
    #expect(try acknowledgements(client, stream).map(\.number) == [0, 1, 2, 3, 4])
  }

  @Test func aGapEndsTheImportAndWhatWasTakenStays() throws {
    let harness = try Harness()
    let client = harness.connect()
    let stream = try begin(client)
    client.connection.send(stream) { ImportTests.chunk(0, rows: 5).encode(into: &$0) }
    client.connection.send(stream) { ImportTests.chunk(2, rows: 5).encode(into: &$0) }
    let status = try #require(client.wait(for: stream))
    #expect(status.status == .outOfRange)
    #expect(status.detail == .chunkGap)
    #expect(try acknowledgements(client, stream).count == 1)
    #expect(harness.engine.rows.withLock { $0.entities[Sample.flight]?.count } == 5)
    #expect(harness.statistic("server.import.running") == 0)
  }

  @Test func anImportGoesOnWhereItWasCut() throws {
    let harness = try Harness()
    let first = harness.connect()
    let stream = try begin(first)
    for number in 0..<3 {
      first.connection.send(stream) {
        ImportTests.chunk(UInt64(number), rows: 10).encode(into: &$0)
      }
    }
    first.flush()
    #expect(
      harness.drive {
        first.pump()
        return (first.messages[stream]?.count ?? 0) == 4
      })
    first.peer.abort()
    #expect(harness.drive { harness.statistic("server.import.running") == 0 })
    let second = harness.connect()
    let again = try begin(second)
    second.connection.send(again) { ImportTests.chunk(3, rows: 10).encode(into: &$0) }
    second.connection.finish(again)
    #expect(second.wait(for: again)?["rows"] == .int(10))
    let start = try #require(second.messages[again]?.first)
    #expect(try start.withUnsafeBytes { try ImportStarted.decode($0) } == 3)
  }

  @Test func aBrokenChunkEndsTheImport() throws {
    let harness = try Harness()
    let client = harness.connect()
    let stream = try begin(client)
    client.connection.send(stream) { $0.raw([0x80, 0x10, 0x02, 0x03, 0xFF, 0xFF, 0x03]) }
    #expect(client.wait(for: stream)?.status == .invalidArgument)
    #expect(harness.statistic("server.import.bytesQueued") == 0)
  }

  @Test func aConnectionRestsWhileTooManyChunksWait() throws {
    var limits = ServerLimits()
    limits.importBytesQueuedMax = 64 << 10
    let harness = try Harness(limits: limits)
    let client = harness.connect()
    let stream = try begin(client)
    client.flush()
    #expect(
      harness.drive {
        client.pump()
        return client.messages[stream] != nil
      })
    harness.engine.writeGate.close()
    for number in 0..<100 {
      client.connection.send(stream) {
        ImportTests.chunk(UInt64(number), rows: 1_000).encode(into: &$0)
      }
      client.flush()
      harness.turns(2)
    }
    client.connection.finish(stream)
    let queued = try #require(harness.statistic("server.import.bytesQueued"))
    #expect(queued <= 2 * 64 << 10)
    harness.engine.writeGate.open()
    #expect(client.wait(for: stream)?["rows"] == .int(100_000))
  }
}
