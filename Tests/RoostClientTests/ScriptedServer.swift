import Glibc
import RoostClient
import RoostModel
import RoostWire
import Synchronization

/// A server on a loopback port whose answers a test writes: for what a real one does only on a
/// bad day. Its threads end with it.
final class ScriptedServer: Sendable {
  /// Called for each event on the connection's thread; false drops the connection at once.
  typealias Script = @Sendable (ServerEvent, inout ServerConnection, Int) -> Bool

  private struct State {
    var sockets: [Int32] = []
    var isStopped = false
    var accepted = 0
  }
  private let listener: Int32
  let port: UInt16
  private let script: Script
  private let hello: ServerHello
  /// Bytes that go out at once; the next go after a pause of the scheduler.
  private let step: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - hello: What it says of itself.
  ///   - step: Bytes of one write; small ones split frames everywhere.
  ///   - script: Answers every event but HELLO; its last parameter counts connections from 1.
  /// - Throws: When there is no port to be had.
  init(
    hello: ServerHello = ServerHello(limits: WireLimits()), step: Int = .max,
    script: @escaping Script
  ) throws {
    let (listener, port) = try ScriptedServer.listen()
    self.listener = listener
    self.port = port
    self.hello = hello
    self.step = step
    self.script = script
    try run { $0.acceptAll() }
  }

  var url: String { "roost://127.0.0.1:\(port)" }
  var connectionCount: Int { state.withLock { $0.accepted } }

  /// Closes every connection and the port.
  func stop() {
    let sockets = state.withLock { state in
      if state.isStopped { return [Int32]() }
      state.isStopped = true
      return state.sockets + [listener]
    }
    for socket in sockets { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  /// Closes the connections but goes on to listen.
  func dropConnections() {
    for socket in state.withLock({ $0.sockets }) { shutdown(socket, Int32(SHUT_RDWR)) }
  }

  deinit { stop() }

  static func listen() throws -> (Int32, UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(listener, raw, size) == 0 && Glibc.listen(listener, 64) == 0
          ? getsockname(listener, raw, &size) : -1
      }
    }
    guard code == 0 else { throw ClientError(.unreachable, .local, "no port") }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private func run(_ body: @escaping @Sendable (ScriptedServer) -> Void) throws {
    final class Box: Sendable {
      let body: @Sendable () -> Void
      init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
    let box = Unmanaged.passRetained(Box { [self] in body(self) })
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Box>.fromOpaque(argument).takeRetainedValue().body() }
        return nil
      }, box.toOpaque())
    guard code == 0 else { throw ClientError(.unreachable, .local, "no thread") }
    pthread_detach(thread)
  }

  private func acceptAll() {
    while true {
      let socket = accept(listener, nil, nil)
      guard socket >= 0 else { break }
      let number = state.withLock { state in
        state.sockets.append(socket)
        state.accepted += 1
        return state.isStopped ? 0 : state.accepted
      }
      guard number > 0 else { break }
      var on: Int32 = 1
      setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
      try? run { $0.serve(socket, number) }
    }
    close(listener)
  }

  private func serve(_ socket: Int32, _ number: Int) {
    defer {
      state.withLock { $0.sockets.removeAll { $0 == socket } }
      close(socket)
    }
    var connection = ServerConnection(now: 0)
    var input: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = recv(socket, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      input.append(contentsOf: chunk[..<count])
      var offset = 0
      let goesOn = input.withUnsafeBytes { buffer in
        while let event = connection.next(in: buffer, at: &offset, now: 0) {
          switch event {
          case .hello: connection.accept(hello)
          case .failed, .foreign: return false
          default: if !script(event, &connection, number) { return false }
          }
        }
        return true
      }
      input.removeFirst(min(offset, input.count))
      let output = connection.takeOutput()
      write(output, to: socket)
      if !goesOn { return }
    }
  }
}

extension ScriptedServer {
  private func write(_ output: [UInt8], to socket: Int32) {
    var rest = output[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(step))
      let count = send(socket, piece, piece.count, Int32(MSG_NOSIGNAL))
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
      if step < .max { sched_yield() }
    }
  }

  /// Answers echoes.
  static let echo: Script = { event, connection, _ in
    if case .request(let request, let body) = event {
      let bytes = body.bytes
      connection.reply(request.stream) { $0.raw(bytes) }
    }
    return true
  }
}
