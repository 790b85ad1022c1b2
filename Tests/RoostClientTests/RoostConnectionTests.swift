import Glibc
import RoostModel
import RoostWire
import Synchronization
import Testing

@testable import RoostClient

@Suite struct RoostConnectionTests {
  /// Keeps so many echoes under way on every connection until enough are answered.
  final class Driver: CallHandler {
    private let connections: [RoostConnection]
    private let total: Int
    private let finished: ([UInt64], [ClientError]) -> Void
    private var started = 0
    private var ended = 0
    private var answered: [UInt64] = []
    private var errors: [ClientError] = []
    private(set) var isCalling = false
    private(set) var ranInside = false

    init(
      _ connections: [RoostConnection], total: Int,
      finished: @escaping ([UInt64], [ClientError]) -> Void
    ) {
      self.connections = connections
      self.total = total
      self.finished = finished
    }

    func start(depth: Int) {
      for _ in 0..<depth { for connection in connections { next(connection) } }
    }

    private func next(_ connection: RoostConnection) {
      guard started < total else { return }
      let tag = UInt64(started)
      started += 1
      isCalling = true
      connection.call(.echo, handler: self, tag: tag) { $0.fixed(tag) }
      isCalling = false
    }

    func answered(_ tag: UInt64, _ reply: CallReply) {
      if isCalling { ranInside = true }
      ended += 1
      if let error = reply.error {
        errors.append(error)
      } else if reply.body.count == 8 {
        answered.append(UInt64(littleEndian: reply.body.loadUnaligned(as: UInt64.self)))
        #expect(answered.last == tag)
      }
      next(connections[Int(tag) % connections.count])
      if ended == total { finished(answered, ranInside ? [.closed] : errors) }
    }
  }

  private func drive(
    _ server: ScriptedServer, connections: Int, depth: Int, total: Int
  ) async throws -> ([UInt64], [ClientError]) {
    let loop = try ClientLoop()
    defer { loop.stop() }
    let port = server.port
    return await withCheckedContinuation { continuation in
      loop.execute { scope in
        var ready = 0
        let all = (0..<connections).map { _ in RoostConnection(scope) }
        let driver = Driver(all, total: total) { continuation.resume(returning: ($0, $1)) }
        for connection in all {
          connection.connect(to: RoostURL(host: "127.0.0.1", port: port)) { _ in
            ready += 1
            if ready == connections { driver.start(depth: depth) }
          }
        }
      }
    }
  }

  @Test(arguments: [(1, 1), (1, 128), (50, 1), (50, 16)])
  func answersEveryCallOnce(_ connections: Int, _ depth: Int) async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    defer { server.stop() }
    let (answers, errors) = try await drive(
      server, connections: connections, depth: depth, total: 20_000)
    #expect(errors.isEmpty)
    #expect(answers.sorted() == Array(0..<20_000))
  }

  @Test(arguments: [1, 7, 13])
  func framesMayComeInPieces(_ step: Int) async throws {
    let server = try ScriptedServer(step: step, script: ScriptedServer.echo)
    defer { server.stop() }
    let (answers, errors) = try await drive(server, connections: 2, depth: 5, total: 200)
    #expect(errors.isEmpty)
    #expect(answers.sorted() == Array(0..<200))
  }

  @Test func callsOnAClosedConnectionEndLaterAndDoNotRecurse() async throws {
    let server = try ScriptedServer { event, _, _ in
      if case .request = event { return false }
      return true
    }
    defer { server.stop() }
    // Far more than a stack would hold, were each completed inside the one before.
    let (answers, errors) = try await drive(server, connections: 1, depth: 1, total: 200_000)
    #expect(answers.isEmpty)
    #expect(errors.count == 200_000)
  }

  @Test func aStoppedLoopEndsEveryCall() async throws {
    let arrived = Signal()
    let server = try ScriptedServer { event, _, _ in
      if case .request = event { arrived.fire() }
      return true
    }
    defer { server.stop() }
    let loop = try ClientLoop()
    let error = Mutex<ClientError?>(nil)
    let ended = Signal()
    let port = server.port
    loop.execute { scope in
      let connection = RoostConnection(scope)
      connection.connect(to: RoostURL(host: "127.0.0.1", port: port)) { _ in
        connection.call(.echo, body: { $0.byte(1) }) { reply in
          let found = reply.error
          error.withLock { $0 = found }
          ended.fire()
        }
      }
    }
    await arrived.wait()
    loop.stop()
    await ended.wait()
    #expect(error.withLock { $0?.code } == .closed)
    #expect(!loop.execute { _ in })
  }

  @Test func twoEndsOfAPairNeedNoPort() async throws {
    var ends: [Int32] = [-1, -1]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    let (mine, theirs) = (ends[0], ends[1])
    _ = DetachedThread.run {
      var connection = ServerConnection(now: 0)
      var bytes = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = recv(theirs, &bytes, bytes.count, 0)
        guard count > 0 else { break }
        var offset = 0
        bytes[..<count].withUnsafeBytes { buffer in
          while let event = connection.next(in: buffer, at: &offset, now: 0) {
            if case .hello = event { connection.accept(ServerHello(limits: WireLimits())) }
            _ = ScriptedServer.echo(event, &connection, 1)
          }
        }
        let output = connection.takeOutput()
        _ = send(theirs, output, output.count, Int32(MSG_NOSIGNAL))
      }
      close(theirs)
    }
    let loop = try ClientLoop()
    defer { loop.stop() }
    let answer = await withCheckedContinuation { continuation in
      loop.execute { scope in
        let connection = RoostConnection(scope)
        connection.adopt(mine) { _ in
          connection.call(.echo, body: { $0.byte(42) }) { reply in
            continuation.resume(returning: [UInt8](reply.body))
          }
        }
      }
    }
    #expect(answer == [42])
  }
}
