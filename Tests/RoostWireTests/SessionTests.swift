import RoostModel
import Testing

@testable import RoostWire

/// Slots, barriers, cancels, drains and time.
@Suite struct SessionTests {
  // MARK: Slots

  @Test func callsOverTheLimitEndAtOnceAndOthersLive() throws {
    var limits = WireLimits()
    limits.unaryStreamsMax = 3
    limits.longStreamsMax = 1
    var pair = Pair(limits: limits)
    pair.hello.unaryStreamsMax = 100
    pair.hello.longStreamsMax = 100
    _ = pair.serve()
    _ = pair.listen()
    for _ in 0..<4 { _ = try pair.start(.echo, [1]) }
    for _ in 0..<2 { _ = try pair.start(.fetch, [1]) }
    #expect(pair.serve().count == 4)
    let refused = pair.listen()
    #expect(refused.count == 2)
    for case .ended(let stream, let status) in refused {
      #expect(stream == 4 || stream == 6)
      #expect(status.detail == .streams)
    }
    pair.server.reply(1) { $0.byte(1) }
    _ = pair.listen()
    _ = try pair.start(.echo, [1])
    #expect(pair.serve().count == 1)
  }

  @Test func clientKeepsToTheServersLimits() throws {
    var limits = WireLimits()
    limits.unaryStreamsMax = 2
    var pair = Pair.ready(limits: limits)
    _ = try pair.start(.echo)
    _ = try pair.start(.echo)
    #expect(throws: CallError.tooManyStreams) { try pair.start(.echo) }
    #expect(throws: Never.self) { try pair.start(.fetch, [1]) }
  }

  @Test func openAndCancelMakesNoRoom() throws {
    var limits = WireLimits()
    limits.unaryStreamsMax = 2
    var server = ServerConnection(limits: limits, now: 0)
    var bytes = Preface.client + Reaction.frame(.hello, [0x0B, 0])
    for stream in 1...10 as ClosedRange<UInt32> {
      bytes += Reaction.frame(.request, [1, 0, 0, 0, 0x80], stream: stream, flags: .end)
      bytes += Reaction.frame(.cancel, [1], stream: stream)
    }
    let seen = server.take(&bytes, now: 0)
    #expect(seen.count { if case .request = $0 { true } else { false } } == 2)
    #expect(server.streamCount == 2)
    #expect(!server.isClosed)
  }

  // MARK: Barriers

  @Test func barrierWaitsForEarlierStreamsOnly() throws {
    var pair = Pair.ready()
    let first = try pair.start(.echo, [1])
    var head = RequestHead(.get)
    head.isBarrier = true
    let held = try pair.client.start(head, shape: .unary) { $0.byte(2) }
    let later = try pair.start(.echo, [3])
    let seen = pair.serve()
    #expect(
      seen.map(\.requestStream) == [first, later], "the later one does not wait for the barrier")
    pair.server.reply(later) { $0.byte(3) }
    #expect(!pair.server.hasPendingEvents)
    pair.server.reply(first) { $0.byte(1) }
    #expect(pair.server.hasPendingEvents)
    #expect(
      pair.serve() == [.request(stream: held, .get, [2], isLast: true, credit: 0)])
    #expect(pair.server.heldBytes == 0)
  }

  @Test func barriersFollowOneAnother() throws {
    var pair = Pair.ready()
    var head = RequestHead(.echo)
    head.isBarrier = true
    for number in 0..<4 as Range<UInt8> {
      _ = try pair.client.start(head, shape: .unary) { $0.byte(number) }
    }
    var order: [UInt8] = []
    for _ in 0..<8 {
      for case .request(let stream, _, let body, _, _) in pair.serve() {
        order += body
        pair.server.reply(stream) { $0.raw(body) }
      }
    }
    #expect(order == [0, 1, 2, 3])
  }

  @Test func heldRequestMayBeCancelled() throws {
    var pair = Pair.ready()
    let first = try pair.start(.echo, [1])
    var head = RequestHead(.echo)
    head.isBarrier = true
    let held = try pair.client.start(head, shape: .unary) { $0.byte(2) }
    pair.client.cancel(held)
    #expect(pair.serve().map(\.requestStream) == [first])
    pair.server.reply(first) { $0.byte(1) }
    #expect(pair.serve().isEmpty)
    #expect(pair.listen().count == 2)
    #expect(pair.client.streamCount == 0)
    #expect(pair.server.heldBytes == 0)
    #expect(pair.server.core.checkInvariants())
  }

  // MARK: Drain

  @Test func softDrainServesWhatStillComes() throws {
    var pair = Pair.ready()
    let first = try pair.start(.echo, [1])
    _ = pair.serve()
    pair.server.drain(retryAfterMilliseconds: 50)
    let crossing = try pair.start(.echo, [2])
    #expect(pair.serve().map(\.requestStream) == [crossing])
    guard case .goAway(let goAway)? = pair.listen().first else {
      Issue.record("no GOAWAY")
      return
    }
    #expect(goAway.phase == .soft)
    #expect(goAway.retryAfterMilliseconds == 50)
    #expect(throws: CallError.closing) { try pair.start(.echo) }
    pair.server.reply(first) { $0.byte(1) }
    pair.server.reply(crossing) { $0.byte(2) }
    #expect(pair.listen().count == 2)
  }

  @Test func finalDrainTellsWhatWasNotLookedAt() throws {
    var pair = Pair.ready()
    let first = try pair.start(.echo, [1])
    _ = pair.serve()
    pair.server.finishDraining()
    let late = try pair.start(.echo, [2])
    #expect(pair.serve().isEmpty)
    let seen = pair.listen()
    #expect(seen.contains { if case .goAway = $0 { true } else { false } })
    let ended = seen.compactMap { seen -> (UInt32, EndStatus)? in
      if case .ended(let stream, let status) = seen { (stream, status) } else { nil }
    }
    #expect(ended.count == 1)
    #expect(ended.first?.0 == late)
    #expect(ended.first?.1.error?.isRetryable == true)
    pair.server.reply(first) { $0.byte(1) }
    #expect(pair.listen() == [.message(stream: first, [1], isLast: true, credit: 0)])
    #expect(pair.server.streamCount == 0)
  }

  @Test func brokenContractEndsEveryCallOfTheClient() throws {
    var pair = Pair.ready()
    let first = try pair.start(.echo, [1])
    _ = pair.serve()
    pair.server.fail(WireError(.invalidArgument, .protocolViolation, "nonsense"))
    let seen = pair.listen()
    #expect(seen.count == 2)
    guard case .ended(first, let status)? = seen.last else {
      Issue.record("no end")
      return
    }
    #expect(status.status == .unavailable)
    #expect(pair.client.isClosed)
  }

  // MARK: Time

  @Test func silentClientIsDroppedBeforeHello() {
    var server = ServerConnection(now: 100)
    #expect(server.tick(now: 100 + server.limits.handshakeTimeout - 1) == .fine)
    #expect(server.tick(now: 100 + server.limits.handshakeTimeout) == .flush)
    #expect(server.isClosed)
  }

  @Test func frameThatDoesNotCompleteEndsTheConnection() {
    var pair = Pair.ready()
    var rest = Array(Reaction.frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8]).prefix(5))
    _ = pair.server.take(&rest, now: pair.now)
    #expect(rest.count == 5)
    let deadline = pair.now + pair.server.limits.frameTimeout
    // A byte now and then does not help.
    rest.append(0)
    _ = pair.server.take(&rest, now: deadline - 1)
    #expect(pair.server.tick(now: deadline - 1) == .fine)
    #expect(pair.server.nextDeadline == deadline)
    #expect(pair.server.tick(now: deadline) == .flush)
    #expect(pair.server.isClosed)
  }

  @Test func silenceIsAnsweredByPingThenByAbort() {
    var pair = Pair.ready()
    let limits = pair.server.limits
    pair.now += limits.pingAfter
    #expect(pair.server.tick(now: pair.now) == .flush)
    _ = pair.listen()
    _ = pair.serve()
    #expect(pair.server.tick(now: pair.now) == .fine, "the answer is life")
    pair.now += limits.pingAfter + 1
    #expect(pair.server.tick(now: pair.now) == .flush)
    #expect(pair.server.nextDeadline == pair.now + limits.pingTimeout)
    #expect(pair.server.tick(now: pair.now + limits.pingTimeout) == .abort)
    #expect(pair.server.isClosed)
  }

  @Test func idleConnectionIsClosedBusyOneIsNot() throws {
    var pair = Pair.ready()
    let limits = pair.server.limits
    let stream = try pair.start(.echo, [1])
    _ = pair.serve()
    for _ in 0..<30 {
      pair.now += limits.pingAfter
      #expect(pair.server.tick(now: pair.now) != .abort)
      _ = pair.listen()
      _ = pair.serve()
    }
    pair.server.reply(stream) { $0.byte(1) }
    for _ in 0..<30 where !pair.server.isClosed {
      pair.now += limits.pingAfter
      _ = pair.server.tick(now: pair.now)
      _ = pair.listen()
      _ = pair.serve()
    }
    #expect(pair.server.isClosed)
  }

  // MARK: Floods

  @Test func pingFloodEndsTheConnection() {
    var server = ServerConnection(now: 0)
    var bytes = Preface.client + Reaction.frame(.hello, [0x0B, 0])
    for _ in 0...server.limits.controlFramesBurst {
      bytes += Reaction.frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8])
    }
    guard case .failed(let error)? = server.take(&bytes, now: 0).last else {
      Issue.record("still open")
      return
    }
    #expect(error.detail == .controlFlood)
  }

  @Test func controlFramesAtTheAllowedPaceAreFine() {
    var pair = Pair.ready()
    for _ in 0..<20_000 {
      pair.now += 1_000_000
      var bytes = Reaction.frame(.ping, [1, 2, 3, 4, 5, 6, 7, 8])
      _ = pair.server.take(&bytes, now: pair.now)
      _ = pair.server.takeOutput()
    }
    #expect(!pair.server.isClosed)
  }

  @Test func largeCreditIsNoFlood() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.fetch, [0])
    _ = pair.serve()
    let chunk = [UInt8](repeating: 7, count: 70_000)
    for _ in 0..<2_500 {
      pair.server.send(stream) { $0.raw(chunk) }
      for case .message(_, _, _, let credit) in pair.listen() {
        pair.client.returnCredit(credit, on: stream)
      }
      _ = pair.serve()
    }
    #expect(!pair.server.isClosed)
  }

  // MARK: What the owner does wrong or late

  @Test func sendingOnEndedStreamsIsHarmless() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.echo, [1])
    _ = pair.serve()
    #expect(pair.server.reply(stream) { $0.byte(1) } == .sent)
    let before = pair.server.outputCount
    #expect(pair.server.reply(stream) { $0.byte(1) } == .gone)
    #expect(pair.server.send(stream) { $0.byte(1) } == .gone)
    #expect(pair.server.end(stream) == .gone)
    #expect(pair.server.reply(99) { $0.byte(1) } == .gone)
    pair.server.returnCredit(5, on: stream)
    pair.server.grant(5, on: stream)
    #expect(pair.server.outputCount == before)
    pair.client.cancel(77)
    #expect(pair.client.send(77) { $0.byte(1) } == .gone)
    #expect(pair.client.finish(77) == .gone)
    #expect(pair.client.outputCount == 0)
  }

  @Test func returningTooMuchCreditGivesNoMoreThanCame() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.import, [9], isLast: false)
    pair.client.send(stream) { $0.raw([UInt8](repeating: 1, count: 100_000)) }
    _ = pair.serve()
    pair.server.returnCredit(Int.max, on: stream)
    pair.server.returnCredit(-5, on: stream)
    #expect(pair.server.core.checkInvariants())
    _ = pair.listen()
    let index = try #require(pair.client.core.streams.find(stream))
    #expect(pair.client.core.streams[index].sendCredit <= WireLimits().streamWindow)
  }
}

extension Seen {
  var requestStream: UInt32? {
    if case .request(let stream, _, _, _, _) = self { stream } else { nil }
  }
}
