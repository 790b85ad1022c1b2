import RoostModel
import RoostWire
import Synchronization
import Testing

@testable import RoostClient

@Suite struct RoostClientCallTests {
  @Test func aThousandCallsAtOnceGetTheirOwnAnswers() async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    defer { client.close() }
    try await withThrowingTaskGroup(of: Bool.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          let bytes = Array("call \(number)".utf8)
          return try await client.echo(bytes) == bytes
        }
      }
      for try await isRight in group { #expect(isRight) }
    }
    #expect(server.connectionCount == 1)
  }

  @Test(arguments: [0, 1, 65_535, 65_536, 65_537, 300_000, 3_000_000])
  func messagesOfEverySizeComeBackWhole(_ size: Int) async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    defer { server.stop() }
    try await withRoostClient(server.url) { client in
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let answer = try await client.echo(bytes)
      #expect(answer == bytes)
    }
  }

  @Test func aRequestOverTheServersLimitIsRefusedHere() async throws {
    let server = try ScriptedServer(script: ScriptedServer.echo)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) {
      try await client.echo([UInt8](repeating: 1, count: 5 << 20))
    }
    #expect(error?.code == .resourceExhausted)
    #expect(error?.detail == .messageSize)
    #expect(try await client.echo([1]) == [1])
  }

  @Test func closingEndsTheCallsOfAConnectionThatDrains() async throws {
    let hasArrived = Signal()
    let server = try ScriptedServer { event, connection, number in
      guard case .request(let request, let body) = event else { return true }
      let bytes = body.bytes
      if number == 1 {
        // Open for good: the server drains and never answers.
        connection.drain(retryAfterMilliseconds: 0)
        hasArrived.fire()
      } else {
        connection.reply(request.stream) { $0.raw(bytes) }
      }
      return true
    }
    defer { server.stop() }
    let loop = try ClientLoop()
    defer { loop.stop() }
    let client = try await RoostClient.connect(server.url, loop: loop)
    let open = Task { try await client.echo([1], timeout: .seconds(30)) }
    await hasArrived.wait()
    // There is a second connection only once the first is known to drain.
    while server.connectionCount < 2 {
      _ = try? await client.echo([2], timeout: .milliseconds(100))
    }
    let start = ContinuousClock.now
    client.close()
    let error = await #expect(throws: ClientError.self) { try await open.value }
    #expect(error?.code == .closed)
    #expect(start.duration(to: .now) < .seconds(15), "it waited for the call's own deadline")
  }

  @Test func aWriteTheServerCannotSpeakForHasAnUnknownOutcome() async throws {
    let requests = Counter()
    let server = try ScriptedServer { event, connection, _ in
      if case .request(let request, _) = event {
        requests.add()
        connection.end(request.stream, EndStatus(.internal, .outcomeUnknown, "who knows"))
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    defer { client.close() }
    let error = await #expect(throws: ClientError.self) {
      try await client.write(WriteBatch(operations: [], schemaVersion: 1))
    }
    #expect(error?.code == .outcomeUnknown && error?.place == .server)
    #expect(requests.value == 1)
  }

  @Test func aTaskCancelledBeforeItsCallSendsNothing() async throws {
    let requests = Counter()
    let server = try ScriptedServer { event, connection, _ in
      if case .request(let request, _) = event {
        requests.add()
        connection.reply(request.stream) { _ in }
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await client.echo([1])
    }
    let error = await #expect(throws: ClientError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    _ = try await client.echo([2])
    #expect(requests.value == 1)
  }

  @Test func cancellingACallTellsTheServerAndFreesItsCaller() async throws {
    let arrived = Signal()
    let cancelled = Signal()
    let server = try ScriptedServer { event, connection, _ in
      switch event {
      case .request: arrived.fire()
      case .cancelled(let stream):
        cancelled.fire()
        connection.end(stream, EndStatus(.cancelled, .none, "as asked"))
      default: break
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let task = Task { try await client.echo([1]) }
    await arrived.wait()
    task.cancel()
    let error = await #expect(throws: ClientError.self) { try await task.value }
    #expect(error?.code == .cancelled)
    await cancelled.wait()
  }

  @Test func aCancelledWriteEndsWithTheServersWord() async throws {
    let arrived = Signal()
    let server = try ScriptedServer { event, connection, _ in
      switch event {
      case .request: arrived.fire()
      case .cancelled(let stream):
        // It had been committed already: cancelled streams only hear the end.
        connection.end(stream, EndStatus(.alreadyExists, .uniqueKey, "too late"))
      default: break
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let task = Task { try await client.write(WriteBatch(operations: [], schemaVersion: 1)) }
    await arrived.wait()
    task.cancel()
    let error = await #expect(throws: ClientError.self) { try await task.value }
    #expect(error?.code == .status(.alreadyExists))
    #expect(error?.place == .server)
  }

  @Test func aReadThatIsNotAnsweredEndsAtItsDeadline() async throws {
    let cancelled = Signal()
    let server = try ScriptedServer { event, connection, _ in
      if case .cancelled(let stream) = event {
        connection.end(stream, EndStatus(.deadlineExceeded, .deadlineWhileRunning, "late"))
        cancelled.fire()
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) {
      try await client.echo([1], timeout: .milliseconds(30))
    }
    #expect(error?.code == .deadlineExceeded)
    await cancelled.wait()
  }

  @Test func aWriteThatIsNotAnsweredHasAnUnknownOutcome() async throws {
    let server = try ScriptedServer { event, _, _ in
      if case .request = event { return false }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) {
      try await client.write(WriteBatch(operations: [], schemaVersion: 1))
    }
    #expect(error?.code == .outcomeUnknown)
    #expect(server.connectionCount == 1)
  }

  @Test func aReadWhoseConnectionIsLostIsSentAgain() async throws {
    let server = try ScriptedServer { event, connection, number in
      guard case .request(let request, let body) = event else { return true }
      if number < 3 { return false }
      let bytes = body.bytes
      connection.reply(request.stream) { $0.raw(bytes) }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    #expect(try await client.echo([7]) == [7])
    #expect(server.connectionCount == 3)
  }

  @Test func aReadIsNotSentForEver() async throws {
    let requests = Counter()
    let server = try ScriptedServer { event, _, _ in
      guard case .request = event else { return true }
      requests.add()
      return false
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) { try await client.echo([7]) }
    #expect(error?.code == .connectionLost)
    #expect(requests.value == ClientLimits.attemptsMax)
  }

  @Test func aWriteTheServerRefusedUnseenIsSentAgain() async throws {
    let requests = Counter()
    let server = try ScriptedServer { event, connection, _ in
      guard case .request(let request, _) = event else { return true }
      if requests.add() < 3 {
        connection.end(request.stream, EndStatus(.resourceExhausted, .queue, "full"))
      } else {
        connection.reply(request.stream) { WriteResult(commit: 9, results: []).encode(into: &$0) }
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let result = try await client.write(WriteBatch(operations: [], schemaVersion: 1))
    #expect(result.commit == 9)
    #expect(requests.value == 3)
  }

  @Test func aDrainingServerLosesNoCall() async throws {
    let server = try ScriptedServer { event, connection, number in
      guard case .request(let request, let body) = event else { return true }
      let bytes = body.bytes
      connection.reply(request.stream) { $0.raw(bytes) }
      // What comes now is not looked at; the client must take it elsewhere.
      if number == 1 { connection.finishDraining() }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let answers = try await withThrowingTaskGroup(of: [UInt8].self) { group in
      for number in 0..<20 { group.addTask { try await client.echo([UInt8(number)]) } }
      var answers: [UInt8] = []
      for try await answer in group { answers += answer }
      return answers
    }
    #expect(answers.sorted() == Array(0..<20))
  }

  @Test func closingEndsOpenCallsAndIsHarmlessTwice() async throws {
    let arrived = Signal()
    let server = try ScriptedServer { event, _, _ in
      if case .request = event { arrived.fire() }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let task = Task { try await client.echo([1]) }
    await arrived.wait()
    client.close()
    client.close()
    let error = await #expect(throws: ClientError.self) { try await task.value }
    #expect(error?.code == .closed)
    let later = await #expect(throws: ClientError.self) { try await client.echo([1]) }
    #expect(later?.code == .closed)
  }

  @Test func moreCallsThanStreamsWaitTheirTurn() async throws {
    var hello = ServerHello(limits: WireLimits())
    hello.unaryStreamsMax = 3
    let server = try ScriptedServer(hello: hello, script: ScriptedServer.echo)
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<100 {
        group.addTask {
          let bytes = [UInt8(number)]
          let answer = try await client.echo(bytes)
          #expect(answer == bytes)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func aReplyThatIsNoReplySaysSo() async throws {
    let server = try ScriptedServer { event, connection, _ in
      if case .request(let request, _) = event {
        connection.reply(request.stream) { $0.byte(0xFF) }
      }
      return true
    }
    defer { server.stop() }
    let client = try await RoostClient.connect(server.url)
    let error = await #expect(throws: ClientError.self) { try await client.health() }
    #expect(error?.code == .badReply)
  }
}
