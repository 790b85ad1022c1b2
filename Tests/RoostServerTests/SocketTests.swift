import Foundation
import Glibc
import RoostModel
import RoostServer
import RoostStorage
import RoostTransport
import RoostWire
import Synchronization
import Testing

/// The whole on real sockets and a real store, hosted by the main queue.
@MainActor @Suite(.serialized) struct SocketTests {
  private static let schema = StoreSchema(
    entities: [
      EntitySchema(
        name: "Flight",
        properties: [
          PropertySchema(name: "ident", kind: .attribute(.text), isOptional: false),
          PropertySchema(name: "miles", kind: .attribute(.int), isOptional: false),
        ], uniqueConstraints: [["ident"]])
    ])

  private func start(_ limits: ServerLimits = ServerLimits()) throws -> RoostServer {
    let server = try RoostServer(
      ServerConfiguration(store: .memory, port: 0, schema: SocketTests.schema, limits: limits))
    try server.start()
    return server
  }

  @Test func servesAStoreOverTCP() async throws {
    let server = try start()
    let port = server.port
    try await onThread {
      let client = try BlockingClient(port: port)
      let echo = try client.call(.echo) { $0.text("hi") }
      #expect(echo == [0x42, 0x68, 0x69])
      let write = try client.call(.write) {
        WriteBatch(
          operations: (0..<500).map {
            .insert(1, row: nil, [Assignment(1, .text("F\($0)")), Assignment(2, .int($0))])
          }, schemaVersion: 1
        ).encode(into: &$0)
      }
      let result = try write.withUnsafeBytes { try WriteResult($0) }
      #expect(result.results.count == 500)
      for _ in 0..<2 {
        let row = result.results[7].row
        let reply = try client.call(.get) {
          GetRequest(
            entity: 1, keys: [.row(row), .constraint([1], [.text("F9")]), .row(12_345)]
          ).encode(into: &$0)
        }
        let rows = try reply.withUnsafeBytes { try RowBatch(message: $0).rows() }
        #expect(rows.map { $0[1] } == [.text("F7"), .text("F9"), .null])
      }
      let count = try client.call(.count) { writer in
        try? CountRequest.encode(
          Query(
            entity: 1,
            predicate: .compare(.greater, .path(PropertyPath([2])), .literal(.int(400)))),
          into: &writer)
      }
      #expect(try count.withUnsafeBytes { try CountRequest.decodeReply($0) } == 99)
      let fetched = try client.fetch(
        Query(entity: 1, sort: [SortKey(.path(PropertyPath([2])), isDescending: true)]))
      #expect(fetched.map { $0[2] } == (0..<500).reversed().map { .int(Int64($0)) })
    }
    await server.stop()
  }

  @Test func importsOverTCPWhileOthersRead() async throws {
    let server = try start()
    let port = server.port
    try await onThread {
      let reader = try BlockingClient(port: port)
      let client = try BlockingClient(port: port)
      let status = try client.importRows(chunks: 50, rowsPerChunk: 400) { number in
        if number % 10 == 0 { _ = try reader.call(.health) }
      }
      #expect(status["rows"] == .int(20_000))
      // The same again changes nothing and is taken all the same.
      let again = try client.importRows(chunks: 50, rowsPerChunk: 400) { _ in }
      #expect(again["rows"] == .int(20_000))
      let count = try reader.call(.count) { writer in
        try? CountRequest.encode(Query(entity: 1), into: &writer)
      }
      #expect(try count.withUnsafeBytes { try CountRequest.decodeReply($0) } == 20_000)
    }
    await server.stop()
  }

  @Test func aPortThatIsTakenIsAnError() async throws {
    let server = try start()
    let error = #expect(throws: StoreError.self) {
      try RoostServer(ServerConfiguration(store: .memory, port: server.port)).start()
    }
    #expect(error?.status == .unavailable)
    #expect(error?.message.hasPrefix("the address 127.0.0.1:\(server.port): bind: ") == true)
    await server.stop()
  }

  @Test(arguments: ["0.0.0.0", "10.1.2.3", "::"])
  func otherMachinesAreNotServedUnlessAllowed(host: String) throws {
    let error = #expect(throws: StoreError.self) {
      try RoostServer(ServerConfiguration(store: .memory, host: host, port: 0))
    }
    #expect(error?.message.contains("--insecure") == true)
    #expect(throws: Never.self) {
      try RoostServer(
        ServerConfiguration(store: .memory, host: host, port: 0, allowsInsecure: true))
    }
  }

  @Test func stoppingClosesConnectionsAndStore() async throws {
    let server = try start()
    let port = server.port
    let client = try await onThread {
      let client = try BlockingClient(port: port)
      _ = try client.call(.health)
      return client
    }
    await server.stop()
    await server.stop()
    try await onThread {
      #expect(client.readToEnd())
      #expect(throws: (any Error).self) { try BlockingClient(port: port).call(.health) }
    }
  }
}

/// Runs blocking work away from the main queue, which the server needs.
func onThread<Value: Sendable>(
  _ work: @escaping @Sendable () throws -> Value
) async throws -> Value {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(with: Result { try work() }) }
  }
}

/// A client that blocks its thread; confined to one at a time by its tests.
final class BlockingClient: @unchecked Sendable {
  // Tests use it on one thread at a time: that makes it Sendable.
  private let descriptor: Int32
  private var connection = ClientConnection(hello: ClientHello(), now: 0)
  private var carry: [UInt8] = []
  private var messages: [UInt32: [[UInt8]]] = [:]
  private var ends: [UInt32: EndStatus] = [:]
  private var isAtEnd = false

  init(port: UInt16) throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw TransportError(.refused, "refused", errorNumber: errno) }
    // Only a bound: the other tests share the server's main actor, and a sanitizer makes them slow.
    var patience = timeval(tv_sec: 120, tv_usec: 0)
    setsockopt(
      descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
  }

  deinit { close(descriptor) }

  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  private func flush() {
    let bytes = connection.takeOutput()
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        let rest = UnsafeRawBufferPointer(rebasing: $0[sent...])
        return send(descriptor, rest.baseAddress, rest.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  private func pump() throws {
    flush()
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(descriptor, &buffer, buffer.count, 0)
    guard count >= 0 || errno != EAGAIN else {
      throw TransportError(.system, "the server said nothing for two minutes", errorNumber: errno)
    }
    guard count > 0 else {
      isAtEnd = true
      throw TransportError(.closed, "the server closed")
    }
    carry.append(contentsOf: buffer[..<count])
    var offset = 0
    carry.withUnsafeBytes { bytes in
      while let event = connection.next(in: bytes, at: &offset, now: 0) {
        switch event {
        case .message(let stream, let body, let credit, let isLast):
          messages[stream, default: []].append(body.bytes)
          connection.returnCredit(credit, on: stream)
          if isLast { ends[stream] = .ok }
        case .ended(let stream, let status): ends[stream] = status
        default: break
        }
      }
    }
    carry.removeFirst(offset)
    flush()
  }

  private func wait(_ stream: UInt32) throws -> EndStatus {
    while true {
      if let status = ends[stream] { return status }
      try pump()
    }
  }

  func call(
    _ method: WireMethod, _ body: (inout PackedWriter) -> Void = { _ in }
  ) throws -> [UInt8] {
    let stream = try connection.start(RequestHead(method), shape: method.shape, body)
    if let error = try wait(stream).error { throw error }
    return messages.removeValue(forKey: stream)?.first ?? []
  }

  func fetch(_ query: Query) throws -> [[Value]] {
    let stream = try connection.start(RequestHead(.fetch), shape: .serverStream) { writer in
      try? FetchRequest(query).encode(into: &writer)
    }
    if let error = try wait(stream).error { throw error }
    return try (messages.removeValue(forKey: stream) ?? []).flatMap { message in
      try message.withUnsafeBytes { try FetchMessage($0).rows.rows() }
    }
  }

  func importRows(
    chunks: Int, rowsPerChunk: Int, _ between: (Int) throws -> Void
  ) throws -> EndStatus {
    let descriptor = ImportDescriptor(
      id: UUID(), entity: 1, conflict: .update, constraint: [1], onRowError: .skip)
    let stream = try connection.start(
      RequestHead(.import), shape: .bidirectional, isLast: false
    ) { descriptor.encode(into: &$0) }
    for number in 0..<chunks {
      while !connection.isWritable(stream), ends[stream] == nil { try pump() }
      var writer = PackedWriter()
      for index in 0..<rowsPerChunk {
        writer.text("I\(number * rowsPerChunk + index)")
        writer.int(Int64(index))
      }
      let rows = RowBatch(
        entity: 1, schemaVersion: 1, columns: [1, 2], rowCount: rowsPerChunk, body: writer.bytes)
      connection.send(stream) {
        ImportChunk(number: UInt64(number), rows: rows).encode(into: &$0)
      }
      flush()
      try between(number)
    }
    connection.finish(stream)
    return try wait(stream)
  }

  /// Whether the server closed in order.
  func readToEnd() -> Bool {
    while !isAtEnd { do { try pump() } catch { break } }
    return isAtEnd
  }
}
