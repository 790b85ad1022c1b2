import FoundationEssentials
import RoostClient
import RoostModel
import RoostServer
import RoostTestSupport
import Synchronization
import Testing

/// Connections that end between a chunk's commit and the client's knowing of it.
@Suite @MainActor struct LostAcknowledgementTests {
  private static let rowCount = 40_000

  /// What an import came to, as its caller sees it.
  private struct Outcome: Equatable {
    var accepted: Int
    var rejected: Int
    var unknown: Int
    var errors: [ImportRowError]
  }

  /// Every 97th row is wrong: a length that is no number.
  private func rows(_ range: Range<Int>, _ schema: StoreSchema) -> RowBatch {
    var writer = PackedWriter()
    for number in range {
      writer.text("word \(number)")
      if number % 97 == 0 { writer.text("long") } else { writer.int(Int64(number)) }
    }
    return RowBatch(
      entity: 1, schemaVersion: schema.version, columns: [1, 2], rowCount: range.count,
      body: writer.bytes)
  }

  private func importAll(over url: String, _ schema: StoreSchema) async throws -> Outcome {
    try await withRoostClient(url) { client in
      let errors = Mutex<[ImportRowError]>([])
      let writer = client.openImport(
        ImportDescriptor(
          id: UUID(), entity: 1, conflict: .fail, constraint: nil, onRowError: .skip)
      ) { report in errors.withLock { $0 += report.errors } }
      for start in stride(from: 0, to: Self.rowCount, by: 500) {
        try await writer.send(rows(start..<start + 500, schema))
      }
      let progress = try await writer.finish()
      return Outcome(
        accepted: progress.accepted, rejected: progress.rejected, unknown: progress.unknown,
        errors: errors.withLock { $0 })
    }
  }

  private func imported(cuts: Int, after bytes: Int) async throws -> Outcome {
    var outcome: Outcome?
    try await Served.run { served in
      try await withRoostClient(served.url) { client in
        let schema = try await client.register(RemoteClientTests.schema).schema
        let proxy = try CuttingProxy(to: served.server.port, cutAfter: bytes, cuts: cuts)
        defer { proxy.stop() }
        outcome = try await importAll(over: proxy.url, schema)
        #expect(proxy.cutsToCome == 0)
        let figures = try await client.statistics()
        let duplicates = try #require(figures.first { $0.key == "chunksDuplicate" }).value
        #expect(cuts == 0 || duplicates != .int(0), "no acknowledgement was lost")
        #expect(try await client.count(Query(entity: 1)) == outcome?.accepted)
      }
    }
    return try #require(outcome)
  }

  /// Rejected rows do not vanish with the message that named them.
  @Test(arguments: [900, 1_500, 2_500])
  func theReportIsThatOfAnImportWithoutInterruption(cutAfter bytes: Int) async throws {
    let whole = try await imported(cuts: 0, after: 0)
    #expect(whole.rejected == (Self.rowCount + 96) / 97 && whole.unknown == 0)
    #expect(whole.errors.count == whole.rejected)
    #expect(try await imported(cuts: 3, after: bytes) == whole)
  }
}
