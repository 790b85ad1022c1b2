import RoostModel
import Testing

@testable import RoostWire

/// Credit on both levels: nobody sends without, nobody starves, nothing grows without bound.
@Suite struct CreditTests {
  @Test func streamStopsAtItsWindowAndGoesOnWithCredit() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.fetch, [0])
    _ = pair.serve()
    let chunk = [UInt8](repeating: 7, count: 60_000)
    var sent = 0
    while pair.server.isWritable(stream) {
      #expect(pair.server.send(stream) { $0.raw(chunk) } == .sent)
      sent += 1
    }
    // 256 KiB: the fifth frame may take the credit below zero, the sixth may not start.
    #expect(sent == 5)
    let heard = pair.listen()
    #expect(heard.count == sent)
    #expect(pair.serve().isEmpty)
    #expect(pair.server.isWritable(stream) == false)
    for case .message(_, _, _, let credit) in heard {
      pair.client.returnCredit(credit, on: stream)
    }
    #expect(pair.serve() == [.writable(stream)])
    #expect(pair.server.isWritable(stream) == true)
  }

  @Test func oneStalledStreamDoesNotStopTheOthers() throws {
    var pair = Pair.ready()
    let stalled = try pair.start(.fetch, [0])
    let other = try pair.start(.fetch, [0])
    _ = pair.serve()
    let chunk = [UInt8](repeating: 7, count: 60_000)
    while pair.server.isWritable(stalled) { pair.server.send(stalled) { $0.raw(chunk) } }
    var bytes = 0
    for _ in 0..<200 {
      if pair.server.isWritable(other) {
        #expect(pair.server.send(other) { $0.raw(chunk) } == .sent)
        bytes += chunk.count
      }
      for case .message(other, _, _, let credit) in pair.listen() {
        pair.client.returnCredit(credit, on: other)
      }
      _ = pair.serve()
    }
    #expect(bytes > 8 << 20)
    #expect(pair.server.core.checkInvariants())
    #expect(pair.client.core.checkInvariants())
  }

  @Test func repliesBeyondTheQueueAreRefusedNotKept() throws {
    var hello = ClientHello()
    hello.connectionWindow = WireLimits.windowMin
    var pair = Pair.ready(client: hello)
    let reply = [UInt8](repeating: 1, count: 1 << 20)
    var results: [SendResult] = []
    for _ in 0..<20 {
      let stream = try pair.start(.echo, [0])
      _ = pair.serve()
      results.append(pair.server.reply(stream) { $0.raw(reply) })
    }
    #expect(results.contains(.full))
    #expect(pair.server.queuedBytes <= pair.server.limits.queuedBytesMax)
    let refused = pair.listen().compactMap { seen -> EndStatus? in
      if case .ended(_, let status) = seen { status } else { nil }
    }
    #expect(refused.allSatisfy { $0.status == .resourceExhausted && $0.detail == .queue })
    #expect(refused.count == results.count { $0 == .full })
  }

  @Test func replyOverTheClientsLimitBecomesAnError() throws {
    var hello = ClientHello()
    hello.messageBytesMax = 100_000
    var pair = Pair.ready(client: hello)
    let stream = try pair.start(.echo, [0])
    _ = pair.serve()
    let reply = [UInt8](repeating: 1, count: 100_001)
    #expect(pair.server.reply(stream) { $0.raw(reply) } == .tooLarge)
    guard case .ended(stream, let status)? = pair.listen().first else {
      Issue.record("no end")
      return
    }
    #expect(status.detail == .resultTooLarge)
    #expect(pair.server.streamCount == 0)
  }

  @Test func aClientThatTakesEverythingIsSentNoMoreThanTheProtocolAllows() {
    var hello = ClientHello()
    hello.messageBytesMax = Int(Int32.max)
    var pair = Pair.ready(client: hello)
    let bytesMax = pair.server.replyBytesMax
    #expect(bytesMax == WireLimits.messageBytesCap)
  }

  @Test func requestOverTheServersLimitIsNotSent() throws {
    var limits = WireLimits()
    limits.messageBytesMax = 100_000
    var pair = Pair.ready(limits: limits)
    let body = [UInt8](repeating: 1, count: 100_001)
    #expect(throws: CallError.tooLarge) { try pair.start(.echo, body) }
    #expect(pair.client.outputCount == 0)
    #expect(pair.client.streamCount == 0)
  }

  @Test func importCreditComesBackOnlyWhenChunksAreTaken() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.import, [9], isLast: false)
    _ = pair.serve()
    pair.server.grant(WireLimits.importWindow, on: stream)
    _ = pair.listen()
    let chunk = [UInt8](repeating: 3, count: 100_000)
    var sent = 0
    var arrived: [Seen] = []
    while pair.client.isWritable(stream) {
      pair.client.send(stream) { $0.raw(chunk) }
      sent += 1
      arrived += pair.serve()
      _ = pair.listen()
    }
    #expect(sent * chunk.count >= WireLimits.importWindow)
    #expect(sent * chunk.count <= WireLimits.importWindow + (WireLimits().streamWindow * 2))
    #expect(arrived.count == sent)
    #expect(pair.client.isWritable(stream) == false)
    for case .message(_, _, _, let credit) in arrived {
      pair.server.returnCredit(credit, on: stream)
    }
    #expect(pair.listen() == [.writable(stream)])
    #expect(pair.client.isWritable(stream) == true)
    #expect(pair.server.core.checkInvariants())
  }

  @Test func checksumsCountAsCredit() throws {
    var hello = ClientHello()
    hello.check = true
    var pair = Pair.ready(client: hello)
    let stream = try pair.start(.import, [9], isLast: false)
    _ = pair.serve()
    for _ in 0..<40_000 where pair.client.isWritable(stream) {
      pair.client.send(stream) { $0.byte(1) }
      for case .message(_, _, _, let credit) in pair.serve() {
        #expect(credit == 5)
        pair.server.returnCredit(credit, on: stream)
      }
      _ = pair.listen()
    }
    #expect(!pair.server.isClosed)
    #expect(!pair.client.isClosed)
    #expect(pair.server.core.checkInvariants())
  }

  @Test func messageWithoutCreditEndsTheConnection() throws {
    var server = ServerConnection(now: 0)
    var bytes = Preface.client + Reaction.frame(.hello, [0x0B, 0])
    bytes += Reaction.frame(.request, [11, 0, 0, 0, 0x80], stream: 1)
    for _ in 0..<6 {
      bytes += Reaction.frame(.message, [UInt8](repeating: 0, count: 60_000), stream: 1)
    }
    let last = server.take(&bytes, now: 0).last
    guard case .failed(let error)? = last else {
      Issue.record("\(String(describing: last))")
      return
    }
    #expect(error.status == .resourceExhausted)
  }

  @Test func endWaitsBehindQueuedMessages() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.fetch, [0])
    _ = pair.serve()
    let big = [UInt8](repeating: 5, count: 1 << 20)
    #expect(pair.server.send(stream) { $0.raw(big) } == .queued)
    #expect(pair.server.end(stream, FetchEnd(rows: 1, token: 2).status) == .queued)
    var seen: [Seen] = []
    for _ in 0..<30 {
      seen += pair.listen()
      _ = pair.serve()
    }
    #expect(seen.count == 2)
    #expect(seen.last == .ended(stream, FetchEnd(rows: 1, token: 2).status))
    #expect(pair.server.streamCount == 0)
  }

  @Test func failureOvertakesQueuedMessages() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.fetch, [0])
    _ = pair.serve()
    pair.server.send(stream) { $0.raw([UInt8](repeating: 5, count: 1 << 20)) }
    let status = EndStatus(.aborted, .snapshotExpired, "too slow")
    #expect(pair.server.end(stream, status) == .sent)
    #expect(pair.listen() == [.ended(stream, status)])
    #expect(pair.server.queuedBytes == 0)
  }

  @Test func initialCreditReplacesTheWindow() throws {
    var pair = Pair.ready()
    var head = RequestHead(.fetch)
    head.initialCredit = 10
    let stream = try pair.client.start(head, shape: .serverStream) { $0.byte(0) }
    _ = pair.serve()
    #expect(pair.server.send(stream) { $0.raw([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]) } == .sent)
    #expect(pair.server.isWritable(stream) == false)
  }
}
