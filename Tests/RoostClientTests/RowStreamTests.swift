import RoostModel
import RoostWire
import Synchronization
import Testing

@testable import RoostClient

@Suite struct RowStreamTests {
  /// Sends batches of one row of `size` bytes as credit allows; -1 rows means for ever.
  final class Rows: Sendable {
    private let left: Mutex<Int>
    private let size: Int
    let sent = Counter()
    let cancelled = Signal()
    let end: EndStatus

    init(_ count: Int, size: Int = 10, end: EndStatus = .ok) {
      left = Mutex(count)
      self.size = size
      self.end = end
    }

    func answer(_ event: ServerEvent, _ connection: inout ServerConnection) {
      switch event {
      case .request(let request, _) where request.method == .fetch:
        pump(request.stream, &connection)
      case .request(let request, _): connection.reply(request.stream) { _ in }
      case .writable(let stream): pump(stream, &connection)
      case .cancelled(let stream):
        connection.end(stream, EndStatus(.cancelled, .none, "as asked"))
        cancelled.fire()
      default: break
      }
    }

    private func pump(_ stream: UInt32, _ connection: inout ServerConnection) {
      while connection.isWritable(stream) {
        let isLeft = left.withLock { left in
          defer { if left > 0 { left -= 1 } }
          return left != 0
        }
        guard isLeft else {
          connection.end(stream, end)
          return
        }
        var body = PackedWriter()
        body.int(Int64(sent.add() - 1))
        body.text(String(repeating: "x", count: size))
        let batch = RowBatch(
          entity: 1, schemaVersion: 1, columns: [0, 1], rowCount: 1, body: body.bytes)
        connection.send(stream) { FetchMessage(rows: batch).encode(into: &$0) }
      }
    }
  }

  static func server(_ rows: Rows) throws -> ScriptedServer {
    try ScriptedServer { event, connection, _ in
      rows.answer(event, &connection)
      return true
    }
  }

  @Test(arguments: [0, 1, 7, 5_000])
  func bringsEveryRowInOrder(_ count: Int) async throws {
    let server = try Self.server(Rows(count))
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    var numbers: [Int64] = []
    for try await batch in client.fetch(Query(entity: 1)) {
      guard case .int(let number) = try batch.rows()[0][0] else { continue }
      numbers.append(number)
    }
    #expect(numbers == (0..<Int64(count)).map { $0 })
  }

  @Test func aReaderThatDoesNotReadStopsTheServer() async throws {
    let rows = Rows(-1, size: 10_000)
    let server = try Self.server(rows)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    var iterator = client.fetch(Query(entity: 1)).makeAsyncIterator()
    _ = try await iterator.next()
    // Other calls of the connection go on; when one is answered, so much time has passed that the
    // server could have sent more.
    for _ in 0..<10 { _ = try await client.echo([1]) }
    let ahead = rows.sent.value
    #expect(ahead * 10_000 <= WireLimits().streamWindow + 2 * 10_100)
    for _ in 0..<200 { _ = try await iterator.next() }
    #expect(rows.sent.value > ahead)
  }

  @Test func leavingTheLoopStopsTheQuery() async throws {
    let rows = Rows(-1)
    let server = try Self.server(rows)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    for try await _ in client.fetch(Query(entity: 1)) { break }
    await rows.cancelled.wait()
  }

  @Test func aCancelledTaskStopsTheQuery() async throws {
    let rows = Rows(-1, size: 1_000)
    let server = try Self.server(rows)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let started = Signal()
    let task = Task {
      for try await _ in client.fetch(Query(entity: 1)) { started.fire() }
    }
    await started.wait()
    task.cancel()
    let error = await #expect(throws: ClientError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await rows.cancelled.wait()
  }

  @Test func anErrorInTheMiddleIsNotAnEnd() async throws {
    let end = EndStatus(.aborted, .snapshotExpired, "too slow")
    let server = try Self.server(Rows(3, end: end))
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    var count = 0
    let error = await #expect(throws: ClientError.self) {
      for try await _ in client.fetch(Query(entity: 1)) { count += 1 }
    }
    #expect(count == 3)
    #expect(error?.code == .status(.aborted))
  }

  @Test func aConnectionLostInTheMiddleIsNotAnEnd() async throws {
    let rows = Rows(-1)
    let server = try Self.server(rows)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) {
      for try await _ in client.fetch(Query(entity: 1)) { server.dropConnections() }
    }
    #expect(error?.code == .connectionLost)
  }

  @Test func aConnectionLostBeforeTheFirstRowIsNotFelt() async throws {
    let rows = Rows(3)
    let server = try ScriptedServer { event, connection, number in
      if number == 1, case .request = event { return false }
      rows.answer(event, &connection)
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    var count = 0
    for try await batch in client.fetch(Query(entity: 1)) { count += batch.rowCount }
    #expect(count == 3)
  }

  @Test func manyStreamsShareAConnection() async throws {
    let server = try ScriptedServer { event, connection, _ in
      if case .request(let request, _) = event {
        Rows(20).answer(event, &connection)
        _ = request
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let total = try await withThrowingTaskGroup(of: Int.self) { group in
      for _ in 0..<100 {
        group.addTask {
          var count = 0
          for try await batch in client.fetch(Query(entity: 1)) { count += batch.rowCount }
          return count
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(total == 2_000)
  }
}
