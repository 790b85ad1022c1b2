import Glibc
import RoostModel
import RoostWire
import Testing

@testable import RoostClient

@Suite struct ConnectTests {
  private func failure(_ url: String, _ options: ClientOptions = ClientOptions()) async
    -> ClientError?
  {
    do throws(ClientError) {
      try await RoostClient.connect(url, options: options).close()
      return nil
    } catch {
      return error
    }
  }

  @Test func saysThatNothingListens() async throws {
    let (listener, port) = try ScriptedServer.listen()
    close(listener)
    let error = await failure("roost://127.0.0.1:\(port)")
    #expect(error?.code == .refused)
    #expect(error?.isUnreachable == true && error?.isRetryable == true)
    #expect(error?.description == "nothing listens on roost://127.0.0.1:\(port)")
  }

  @Test func saysThatTheHostIsUnknown() async {
    let error = await failure("roost://no-such-host.invalid:7678")
    #expect(error?.code == .unreachable)
    #expect(error?.message.contains("no-such-host.invalid") == true)
  }

  @Test func findsTheLocalHostByName() async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    defer { server.stop() }
    let client = try await RoostClient.connect("roost://localhost:\(server.port)")
    #expect(try await client.echo([3]) == [3])
  }

  @Test(
    arguments: [
      "HTTP/1.1 400 Bad Request\r\n\r\n", "SSH-2.0-OpenSSH_9.2\r\n", "", "\u{0}\u{0}\u{0}\u{0}",
    ])
  func saysThatSomethingElseAnswers(_ greeting: String) async throws {
    let server = try RawServer(Array(greeting.utf8))
    let error = await failure(server.url)
    #expect(error?.code == .notRoost)
    #expect(error?.isUnreachable == true && error?.isRetryable == false)
    #expect(error?.message.contains("not a Roost server") == true)
  }

  @Test func saysThatTheVersionsDiffer() async throws {
    let server = try RawServer(Preface.magic + [0, 9, 8, 0])
    let error = await failure(server.url)
    #expect(error?.code == .versionMismatch)
    #expect(error?.message.contains("8 to 9") == true)
  }

  @Test func aSilentListenerIsNotWaitedForForEver() async throws {
    let (listener, port) = try ScriptedServer.listen()
    defer { close(listener) }
    var options = ClientOptions()
    options.connection.helloTimeout = .milliseconds(50)
    let error = await failure("roost://127.0.0.1:\(port)", options)
    #expect(error?.code == .notRoost)
    #expect(error?.message.contains("no HELLO") == true)
  }

  @Test func waitsForAServerThatIsStarting() async throws {
    let (listener, port) = try ScriptedServer.listen()
    close(listener)
    var options = ClientOptions()
    options.waitForServer = .milliseconds(120)
    let start = ContinuousClock.now
    let error = await failure("roost://127.0.0.1:\(port)", options)
    #expect(error?.code == .refused)
    #expect(ContinuousClock.now - start >= .milliseconds(120))
  }

  @Test func callsOfALostServerEndWithWhatIsWrong() async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    let client = try await RoostClient.connect(server.url)
    server.stop()
    let error = await #expect(throws: ClientError.self) {
      while true { _ = try await client.echo([1]) }
    }
    #expect(error?.code == .refused || error?.code == .connectionLost)
  }

  @Test func aServerThatFallsSilentIsNoticed() async throws {
    let requests = Counter()
    let silence = Signal()
    let server = try ScriptedServer { event, _, _ in
      // The thread stops here, so that no PING is answered.
      if case .request = event, requests.add() == 1 { silence.waitHere() }
      return true
    }
    defer {
      silence.fire()
      server.stop()
    }
    var options = ClientOptions()
    options.connection.pingAfter = .milliseconds(20)
    options.connection.pingTimeout = .milliseconds(20)
    let client = try await RoostClient.connect(server.url, options: options)
    let error = await #expect(throws: ClientError.self) {
      _ = try await client.write(WriteBatch(operations: [], schemaVersion: 1))
    }
    #expect(error?.code == .outcomeUnknown)
  }

  @Test func aServerThatAnswersPingsIsWaitedFor() async throws {
    let server = try ScriptedServer { _, _, _ in true }
    defer { server.stop() }
    var options = ClientOptions()
    options.connection.pingAfter = .milliseconds(10)
    options.connection.pingTimeout = .milliseconds(200)
    let client = try await RoostClient.connect(server.url, options: options)
    let error = await #expect(throws: ClientError.self) {
      _ = try await client.echo([1], timeout: .milliseconds(100))
    }
    #expect(error?.code == .deadlineExceeded)
  }

  @Test func clientsMayShareALoop() async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    defer { server.stop() }
    let loop = try ClientLoop()
    let first = try await RoostClient.connect(server.url, loop: loop)
    let second = try await RoostClient.connect(server.url, loop: loop)
    first.close()
    #expect(try await second.echo([2]) == [2])
    loop.stop()
    let error = await #expect(throws: ClientError.self) { try await second.echo([1]) }
    #expect(error?.code == .closed)
  }
}

/// Sends the same bytes to whoever connects, and closes.
final class RawServer: Sendable {
  let url: String

  init(_ bytes: [UInt8]) throws {
    let (listener, port) = try ScriptedServer.listen()
    url = "roost://127.0.0.1:\(port)"
    _ = DetachedThread.run {
      let socket = accept(listener, nil, nil)
      var ignored = [UInt8](repeating: 0, count: 4_096)
      _ = recv(socket, &ignored, ignored.count, 0)
      _ = send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      close(socket)
      close(listener)
    }
  }
}
