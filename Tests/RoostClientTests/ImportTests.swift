import FoundationEssentials
import RoostModel
import RoostWire
import Synchronization
import Testing

@testable import RoostClient

@Suite struct ImportTests {
  /// A store's part in an import: takes each chunk once, in order.
  final class Store: Sendable {
    struct State {
      var next: UInt64 = 0
      var rows: [Int64] = []
      var duplicates = 0
      var unanswered = 0
      var unansweredMost = 0
      var stream: UInt32?
      var reports: [UInt64: ImportAcknowledgement] = [:]
    }
    let state = Mutex(State())
    /// Rows whose number is a multiple of it are refused; 0 for none.
    let refusesEvery: Int64
    /// Whether it knows later what became of a chunk.
    let keepsReports: Bool

    init(refusesEvery: Int64 = 0, keepsReports: Bool = true) {
      self.refusesEvery = refusesEvery
      self.keepsReports = keepsReports
    }

    func answer(
      _ event: ServerEvent, _ connection: inout ServerConnection, acknowledges: Bool = true
    ) throws {
      switch event {
      case .request(let request, _):
        connection.grant(WireLimits.importWindow, on: request.stream)
        let next = state.withLock { $0.next }
        connection.send(request.stream) { ImportStarted.encode(next: next, into: &$0) }
      case .message(let stream, let body, let credit, let isLast):
        connection.returnCredit(credit, on: stream)
        let acknowledgement = try take(ImportChunk(body.withBytesOwned))
        if acknowledges { connection.send(stream) { acknowledgement.encode(into: &$0) } }
        if isLast { connection.end(stream) }
      case .inputEnded(let stream): connection.end(stream)
      default: break
      }
    }

    private func take(_ chunk: ImportChunk) throws -> ImportAcknowledgement {
      let numbers = try ImportChunkerTests.numbers([chunk.rows])
      return state.withLock { state in
        guard chunk.number >= state.next else {
          state.duplicates += 1
          return state.reports[chunk.number]
            ?? ImportAcknowledgement(
              number: chunk.number, accepted: 0, rejected: 0, commit: 1, isDuplicate: true)
        }
        state.next = chunk.number + 1
        var errors: [RowError] = []
        for (index, number) in numbers.enumerated() {
          if refusesEvery > 0, number % refusesEvery == 0 {
            errors.append(RowError(row: index, detail: .validation, property: 1, message: "no"))
          } else {
            state.rows.append(number)
          }
        }
        var acknowledgement = ImportAcknowledgement(
          number: chunk.number, accepted: numbers.count - errors.count, rejected: errors.count,
          commit: chunk.number + 1, errors: errors, isDuplicate: true)
        if keepsReports { state.reports[chunk.number] = acknowledgement }
        acknowledgement.isDuplicate = false
        return acknowledgement
      }
    }
  }

  static let descriptor = ImportDescriptor(
    id: UUID(), entity: 1, conflict: .update, constraint: [1], onRowError: .skip)

  static func send(_ client: RoostClient, rows: Int, batch: Int) async throws -> ImportProgress {
    let writer = client.openImport(descriptor)
    for start in stride(from: 0, to: rows, by: batch) {
      try await writer.send(ImportChunkerTests.batch(start..<min(rows, start + batch)))
    }
    return try await writer.finish()
  }

  @Test(arguments: [(0, 1), (1, 1), (999, 10), (5_000, 1), (100_000, 700), (50_000, 50_000)])
  func bringsEveryRowOnceInOrder(_ rows: Int, _ batch: Int) async throws {
    let store = Store()
    let server = try ScriptedServer { event, connection, _ in
      (try? store.answer(event, &connection)) != nil
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let progress = try await Self.send(client, rows: rows, batch: batch)
    #expect(progress.accepted == rows && progress.rejected == 0)
    #expect(progress.sent == rows && progress.acknowledged == rows)
    #expect(store.state.withLock { $0.rows } == (0..<Int64(rows)).map { $0 })
  }

  @Test func namesRefusedRowsByTheirPlaceInTheWhole() async throws {
    let store = Store(refusesEvery: 1_500)
    let server = try ScriptedServer { event, connection, _ in
      (try? store.answer(event, &connection)) != nil
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let refused = Mutex<[Int]>([])
    let writer = client.openImport(Self.descriptor) { report in
      refused.withLock { $0 += report.errors.map(\.row) }
    }
    try await writer.send(ImportChunkerTests.batch(0..<5_000))
    let progress = try await writer.finish()
    #expect(progress.rejected == 4 && progress.accepted == 4_996)
    #expect(refused.withLock { $0 } == [0, 1_500, 3_000, 4_500])
  }

  @Test func neverHasMoreUnderWayThanItsBound() async throws {
    let waiting = Mutex<[UInt32: [ImportChunk]]>([:])
    let most = Mutex(0)
    let store = Store()
    let server = try ScriptedServer { event, connection, _ in
      guard case .message(let stream, let body, let credit, _) = event else {
        return (try? store.answer(event, &connection)) != nil
      }
      connection.returnCredit(credit, on: stream)
      // Nothing is acknowledged until nothing more comes.
      let chunks = waiting.withLock { waiting -> [ImportChunk] in
        guard let chunk = try? ImportChunk(body.withBytesOwned) else { return [] }
        waiting[stream, default: []].append(chunk)
        let count = waiting[stream]?.count ?? 0
        most.withLock { $0 = max($0, count) }
        if count < ClientLimits.importChunksMax { return [] }
        defer { waiting[stream] = [] }
        return waiting[stream] ?? []
      }
      for chunk in chunks {
        let answer = ImportAcknowledgement(
          number: chunk.number, accepted: chunk.rows.rowCount, rejected: 0, commit: 1)
        connection.send(stream) { answer.encode(into: &$0) }
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let rows = 3 * ClientLimits.importChunksMax * ClientLimits.importChunkRows
    let progress = try await Self.send(client, rows: rows, batch: 1_000)
    #expect(progress.accepted == rows)
    #expect(most.withLock { $0 } == ClientLimits.importChunksMax)
  }

  /// A server that takes every so many-th chunk and is gone before it says so, three times.
  private func forgetfulServer(_ store: Store, every: Int) throws -> ScriptedServer {
    let messages = Counter()
    let drops = Counter()
    return try ScriptedServer { event, connection, _ in
      if case .message = event, messages.add() % every == 0, drops.add() <= 3 {
        // The chunk is committed, its acknowledgement is lost.
        _ = try? store.answer(event, &connection, acknowledges: false)
        return false
      }
      return (try? store.answer(event, &connection)) != nil
    }
  }

  @Test(arguments: [1, 2, 5, 40])
  func rejectedRowsOfALostAcknowledgementAreReportedAllTheSame(_ every: Int) async throws {
    let store = Store(refusesEvery: 1_500)
    let server = try forgetfulServer(store, every: every)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let refused = Mutex<[Int]>([])
    let writer = client.openImport(Self.descriptor) { report in
      refused.withLock { $0 += report.errors.map(\.row) }
    }
    for start in stride(from: 0, to: 120_000, by: 1_000) {
      try await writer.send(ImportChunkerTests.batch(start..<start + 1_000))
    }
    let progress = try await writer.finish()
    #expect(store.state.withLock { $0.duplicates } >= 3)
    #expect(progress.accepted == 119_920 && progress.rejected == 80 && progress.unknown == 0)
    #expect(refused.withLock { $0 } == Array(stride(from: 0, to: 120_000, by: 1_500)))
  }

  /// A server that has forgotten what became of a chunk: its rows are not claimed to be in.
  @Test func rowsOfWhichNothingIsKnownAreNotCountedAsAccepted() async throws {
    let store = Store(refusesEvery: 1_500, keepsReports: false)
    let server = try forgetfulServer(store, every: 5)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let progress = try await Self.send(client, rows: 120_000, batch: 1_000)
    let lost = store.state.withLock { $0.duplicates }
    #expect(progress.unknown >= 1_000 && progress.unknown <= lost * 1_000)
    #expect(progress.acknowledged == 120_000)
    #expect(progress.accepted + progress.rejected + progress.unknown == 120_000)
  }

  @Test(arguments: [1, 2, 5, 40])
  func goesOnAfterLostConnectionsAndTakesNoRowTwice(_ every: Int) async throws {
    let store = Store()
    let server = try forgetfulServer(store, every: every)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let progress = try await Self.send(client, rows: 120_000, batch: 1_000)
    #expect(progress.accepted == 120_000)
    #expect(progress.resumptions == 3)
    #expect(store.state.withLock { $0.rows } == (0..<120_000).map { $0 })
    #expect(store.state.withLock { $0.duplicates } >= 3)
  }

  @Test func anErrorOfTheServerEndsItForTheSender() async throws {
    let server = try ScriptedServer { event, connection, _ in
      if case .request(let request, _) = event {
        connection.end(request.stream, EndStatus(.notFound, .unknownEntity, "no entity 1"))
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) {
      _ = try await Self.send(client, rows: 1_000_000, batch: 1_000)
    }
    #expect(error?.code == .status(.notFound))
  }

  @Test func aCancelledSenderStopsTheImport() async throws {
    let cancelled = Signal()
    let store = Store()
    let server = try ScriptedServer { event, connection, _ in
      switch event {
      case .message(let stream, _, let credit, _): connection.returnCredit(credit, on: stream)
      case .cancelled(let stream):
        connection.end(stream, EndStatus(.cancelled, .none, "as asked"))
        cancelled.fire()
      default: return (try? store.answer(event, &connection)) != nil
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let task = Task { try await Self.send(client, rows: 1_000_000, batch: 1_000) }
    task.cancel()
    let error = await #expect(throws: ClientError.self) { _ = try await task.value }
    #expect(error?.code == .cancelled)
    await cancelled.wait()
  }
}

extension MessageBody {
  /// For initialisers that take a buffer they do not keep.
  fileprivate var withBytesOwned: OwnedBytes { OwnedBytes(bytes: bytes) }
}

private struct OwnedBytes { let bytes: [UInt8] }

extension ImportChunk {
  fileprivate init(_ owned: OwnedBytes) throws {
    self = try owned.bytes.withUnsafeBytes { try ImportChunk($0) }
  }
}
