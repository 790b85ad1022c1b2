import Foundation
import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Testing

/// A server in memory whose clock and turns are the test's.
@MainActor
final class Harness {
  let engine = FakeEngine()
  let clock = ManualLoopClock()
  let server: RoostServer

  init(
    limits: ServerLimits = ServerLimits(), wireLimits: WireLimits = WireLimits()
  ) throws {
    server = try RoostServer(
      ServerConfiguration(store: .engine(engine), port: 0, limits: limits), clock: clock,
      wireLimits: wireLimits)
  }

  /// Takes turns until `condition` holds; false if it does not within ten seconds.
  func drive(until condition: () -> Bool) -> Bool {
    let real = SystemLoopClock()
    let start = real.now
    while !condition() {
      if real.now.elapsed(since: start) > .seconds(10) { return false }
      server.turn(waiting: .milliseconds(20))
    }
    return true
  }

  /// Takes turns for what needs no other thread.
  func turns(_ count: Int = 4) { for _ in 0..<count { server.turn() } }

  /// Moves the clock and lets timers run.
  func advance(by duration: Duration, steps: Int = 1) {
    for _ in 0..<steps {
      clock.advance(by: duration / steps)
      server.turn()
    }
  }

  func connect(_ faults: MemoryFaults = MemoryFaults()) -> TestClient {
    TestClient(self, server.connect(faults))
  }

  func statistic(_ name: String) -> Int64? {
    guard case .int(let number)? = server.statistics.first(where: { $0.key == name })?.value
    else { return nil }
    return number
  }

  func method(_ method: WireMethod, _ name: String) -> Int64? {
    guard
      case .map(let methods)? = server.statistics.first(where: { $0.key == "server.methods" })?
        .value, case .map(let entries)? = methods.first(where: { $0.key == method.name })?.value,
      case .int(let number)? = entries.first(where: { $0.key == name })?.value
    else { return nil }
    return number
  }
}

/// A client on the wire's own state machine, over a memory connection.
@MainActor
final class TestClient {
  let harness: Harness
  let peer: MemoryPeer
  var connection: ClientConnection
  var server: ServerHello?
  var messages: [UInt32: [[UInt8]]] = [:]
  var ends: [UInt32: EndStatus] = [:]
  var goAways: [GoAway] = []
  var notices: [UInt16] = []
  var failure: WireError?
  /// Whether message credit is given back at once.
  var returnsCredit = true
  private var carry: [UInt8] = []

  init(_ harness: Harness, _ peer: MemoryPeer, hello: ClientHello = ClientHello()) {
    self.harness = harness
    self.peer = peer
    connection = ClientConnection(hello: hello, now: 0)
  }

  /// Sends what the connection has to say.
  func flush() { peer.send(connection.takeOutput()) }

  func start(
    _ method: WireMethod, timeout: UInt32? = nil, isLast: Bool = true,
    _ body: (inout PackedWriter) -> Void = { _ in }
  ) throws -> UInt32 {
    try connection.start(
      RequestHead(method, timeoutMilliseconds: timeout), shape: method.shape, isLast: isLast, body)
  }

  /// Takes in what has come.
  func pump() {
    carry.append(contentsOf: peer.received)
    peer.received = []
    var offset = 0
    carry.withUnsafeBytes { buffer in
      while let event = connection.next(in: buffer, at: &offset, now: 0) { handle(event) }
    }
    carry.removeFirst(offset)
    if connection.outputCount > 0 { flush() }
  }

  private func handle(_ event: ClientEvent) {
    switch event {
    case .ready(let hello): server = hello
    case .message(let stream, let body, let credit, let isLast):
      messages[stream, default: []].append(body.bytes)
      if returnsCredit { connection.returnCredit(credit, on: stream) }
      if isLast { ends[stream] = .ok }
    case .ended(let stream, let status): ends[stream] = status
    case .writable: break
    case .goAway(let goAway): goAways.append(goAway)
    case .notice(let kind, _): notices.append(kind)
    case .failed(let error): failure = error
    }
  }

  /// Drives the server until the stream has ended, and gives how.
  func wait(for stream: UInt32) -> EndStatus? {
    flush()
    _ = harness.drive {
      pump()
      return ends[stream] != nil
    }
    return ends[stream]
  }

  /// A unary call's reply; the status if it failed.
  func call(
    _ method: WireMethod, timeout: UInt32? = nil, _ body: (inout PackedWriter) -> Void = { _ in }
  ) throws -> [UInt8] {
    let stream = try start(method, timeout: timeout, body)
    let status = try #require(wait(for: stream))
    if let error = status.error { throw error }
    return try #require(messages[stream]?.first)
  }

  // MARK: Methods

  func get(
    _ entity: EntityID, _ keys: [GetKey], columns: [PropertyID]? = nil
  ) throws -> [[Value]] {
    let reply = try call(.get) {
      GetRequest(entity: entity, keys: keys, columns: columns).encode(into: &$0)
    }
    return try reply.withUnsafeBytes { try RowBatch(message: $0).rows() }
  }

  func write(_ operations: WriteOperation...) throws -> WriteResult {
    let reply = try call(.write) {
      WriteBatch(operations: operations, schemaVersion: 3).encode(into: &$0)
    }
    return try reply.withUnsafeBytes { try WriteResult($0) }
  }

  func startFetch(_ query: Query) throws -> UInt32 {
    var failure: MessageError?
    let stream = try start(.fetch) { writer in
      do throws(MessageError) {
        try FetchRequest(query).encode(into: &writer)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return stream
  }

  func fetched(_ stream: UInt32) throws -> [FetchMessage] {
    try (messages[stream] ?? []).map { message in
      try message.withUnsafeBytes { try FetchMessage($0) }
    }
  }
}
