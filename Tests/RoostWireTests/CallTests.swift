import RoostModel
import RoostWire
import Testing

@Suite struct CallTests {
  @Test func helloIsExchangedAndRequestsMayFollowAtOnce() throws {
    var pair = Pair()
    let stream = try pair.start(.echo, [1, 2, 3])
    let seen = pair.serve()
    #expect(seen.count == 2)
    #expect(
      seen.last == .request(stream: stream, .echo, [1, 2, 3], isLast: true, credit: 0))
    #expect(pair.server.reply(stream) { $0.raw([4]) } == .sent)
    let heard = pair.listen()
    guard case .ready(let hello) = try #require(heard.first) else {
      Issue.record("no HELLO")
      return
    }
    #expect(hello.methods.count == WireMethod.allCases.count)
    #expect(heard.last == .message(stream: stream, [4], isLast: true, credit: 0))
    #expect(pair.client.streamCount == 0)
    #expect(pair.server.streamCount == 0)
  }

  @Test func messagesLargerThanEveryWindowArriveWhole() throws {
    var pair = Pair.ready()
    let big = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let stream = try pair.start(.echo, big)
    var requests: [Seen] = []
    for _ in 0..<40 where requests.isEmpty {
      requests = pair.serve()
      _ = pair.listen()
    }
    guard case .request(_, .echo, let body, true, _) = try #require(requests.first) else {
      Issue.record("no request")
      return
    }
    #expect(body == big)
    #expect(pair.server.reply(stream) { $0.raw(body) } == .queued)
    var answers: [Seen] = []
    for _ in 0..<40 where answers.isEmpty {
      answers = pair.listen()
      _ = pair.serve()
    }
    #expect(answers == [.message(stream: stream, big, isLast: true, credit: 0)])
    #expect(pair.server.streamCount == 0)
    #expect(pair.server.queuedBytes == 0)
  }

  @Test func cancelKeepsTheSlotUntilTheServerEnds() throws {
    var pair = Pair.ready()
    let stream = try pair.start(.echo, [1])
    _ = pair.serve()
    pair.client.cancel(stream)
    #expect(pair.serve() == [.cancelled(stream)])
    #expect(pair.server.streamCount == 1)
    #expect(pair.client.streamCount == 1)
    let status = EndStatus(.cancelled, .none, "stopped")
    pair.server.end(stream, status)
    #expect(pair.server.streamCount == 0)
    #expect(pair.listen() == [.ended(stream, status)])
  }
}
