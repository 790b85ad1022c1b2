import RoostModel
import RoostTransport
import RoostWire
import Synchronization
import Testing

@testable import RoostServer

/// What a read may bring into memory is bounded before it is read, whatever a client asks for.
@MainActor @Suite struct ReadBoundTests {
  private let harness: Harness
  private let mebibyte = 1 << 20

  init() throws { harness = try Harness() }

  private var bytesRead: Int { harness.engine.bytesOfSnapshotMax.load(ordering: .relaxed) }

  /// Flights whose identifiers are long.
  private func fill(_ count: Int, identBytes: Int, airline: Int64? = nil) throws -> [Int64] {
    try (0..<count).map { index in
      let ident = "\(index)-" + String(repeating: "x", count: identBytes)
      let batch = WriteBatch(
        operations: [Sample.insert(ident, miles: 1, airline: airline)], schemaVersion: 3)
      return try harness.engine.write(batch).results[0].row
    }
  }

  @Test func aGetIsReadNoFurtherThanItsReplyMayGo() throws {
    let rows = try fill(24, identBytes: mebibyte)
    let client = harness.connect()
    let error = #expect(throws: StoreError.self) {
      try client.get(Sample.flight, rows.map { .row($0) })
    }
    #expect(error?.status == .resourceExhausted)
    #expect(error?.detail == .resultTooLarge)
    let bound = WireLimits().messageBytesMax + 2 * mebibyte
    #expect(bytesRead <= bound, "\(bytesRead) bytes were read")
    #expect(try client.get(Sample.flight, [.row(rows[3])])[0][0] == .int(rows[3]))
  }

  @Test func someColumnsOfLongRowsStillCome() throws {
    let rows = try fill(24, identBytes: mebibyte)
    let client = harness.connect()
    let miles = try client.get(Sample.flight, rows.map { .row($0) }, columns: [2])
    #expect(miles == rows.map { [.int($0), .int(1)] })
    let bound = WireLimits().messageBytesMax + 2 * mebibyte
    #expect(bytesRead <= bound, "\(bytesRead) bytes were read")
  }

  @Test func oneColumnAskedForAgainAndAgainIsRefusedFromTheCacheToo() throws {
    let rows = try fill(2, identBytes: 60_000)
    let client = harness.connect()
    let columns = [PropertyID](repeating: 1, count: 1_000)
    // The first is read, the second comes from the cache.
    for _ in 0..<2 {
      let error = #expect(throws: StoreError.self) {
        try client.get(Sample.flight, rows.map { .row($0) }, columns: columns)
      }
      #expect(error?.detail == .resultTooLarge)
      _ = try client.get(Sample.flight, rows.map { .row($0) })
    }
  }

  @Test func aRowIsProjectedNoFurtherThanItsBound() {
    var row = PackedWriter()
    row.int(1)
    row.text(String(repeating: "x", count: 1_000))
    row.bytes.withUnsafeBytes { row in
      var writer = PackedWriter()
      let places = [Int](repeating: 1, count: 1_000)
      RowSlicer.project(row, columnCount: 2, places, into: &writer, bytesMax: 10_000)
      // Over the bound, so that it is seen to be, by one value.
      #expect(writer.byteCount > 10_000 && writer.byteCount <= 10_000 + row.count)
    }
  }

  @Test func theGetsOfOneTurnAreNotReadAllAtOnce() throws {
    let rows = try fill(16, identBytes: 3 * mebibyte)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    let streams = try rows.map { row in
      try client.start(.get) { GetRequest.encode(entity: Sample.flight, row: row, into: &$0) }
    }
    client.flush()
    for stream in streams { #expect(client.wait(for: stream) != nil) }
    #expect(client.ends[streams[0]]?.isOK == true)
    #expect(bytesRead <= 12 * mebibyte, "\(bytesRead) bytes were read")
    #expect(harness.statistic("server.queue.gets") == 0)
  }

  @Test func relatedRowsAreReadNoFurtherThanAStepMayGo() throws {
    var operations: [WriteOperation] = []
    for index in 0..<64 {
      let code = "\(index)-" + String(repeating: "y", count: mebibyte)
      let row = Int64(index + 1)
      operations.append(.insert(Sample.airline, row: row, [Assignment(1, .text(code))]))
      operations.append(Sample.insert("F\(index)", miles: 0, airline: row))
    }
    _ = try harness.engine.write(WriteBatch(operations: operations, schemaVersion: 3))
    let client = harness.connect()
    let status = client.wait(for: try client.startFetch(Query(entity: Sample.flight)))
    #expect(status?.status == .resourceExhausted)
    #expect(status?.detail == .resultTooLarge)
    #expect(bytesRead <= 34 * mebibyte, "\(bytesRead) bytes were read")
  }
}
