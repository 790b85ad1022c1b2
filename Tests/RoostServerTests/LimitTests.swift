import RoostModel
import RoostServer
import RoostTransport
import RoostWire
import Synchronization
import Testing

@MainActor @Suite struct LimitTests {
  /// The last GOAWAY of raw bytes that a server sent, and whether it closed.
  private func reaction(
    _ harness: Harness, to bytes: [UInt8], afterHello: Bool = true
  ) -> (GoAway?, Bool) {
    let client = harness.connect()
    if afterHello {
      client.flush()
      _ = harness.drive {
        client.pump()
        return client.server != nil
      }
    }
    client.peer.send(bytes)
    _ = harness.drive {
      client.pump()
      return client.peer.isClosedThere
    }
    return (client.goAways.last, client.peer.isClosedThere)
  }

  /// The frames behind the server's preface.
  private func frames(in bytes: [UInt8]) -> [(type: UInt8, payload: [UInt8])] {
    var frames: [(type: UInt8, payload: [UInt8])] = []
    var offset = Preface.byteCount
    while offset + FrameHeader.byteCount <= bytes.count {
      let length = (0..<4).reduce(0) { $0 | Int(bytes[offset + $1]) << (8 * $1) }
      let end = offset + FrameHeader.byteCount + length
      guard end <= bytes.count else { break }
      frames.append((bytes[offset + 8], Array(bytes[offset + FrameHeader.byteCount..<end])))
      offset = end
    }
    return frames
  }

  private func frame(
    _ type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, reserved: UInt16 = 0,
    length: UInt32? = nil, _ payload: [UInt8] = []
  ) -> [UInt8] {
    var writer = PackedWriter()
    writer.fixed(length ?? UInt32(payload.count))
    writer.fixed(stream)
    writer.byte(type)
    writer.byte(flags)
    writer.fixed(reserved)
    writer.raw(payload)
    return writer.bytes
  }

  @Test func aBadFrameEndsItsConnectionAndNoOther() throws {
    let harness = try Harness()
    let good = harness.connect()
    _ = try good.call(.echo) { $0.null() }
    let bad: [(String, [UInt8], StatusCode)] = [
      ("a length of 2^32-1", frame(2, stream: 1, length: .max), .resourceExhausted),
      ("a reserved bit", frame(7, reserved: 1, Array(1...8)), .invalidArgument),
      ("type 0", frame(0), .invalidArgument), ("type 0x80", frame(0x80), .invalidArgument),
      ("type 0x3F", frame(0x3F), .unimplemented),
      ("a second HELLO", frame(1, [0x0B, 0]), .invalidArgument),
      ("WINDOW of nothing", frame(6, [0, 0, 0, 0]), .invalidArgument),
      ("a short PING", frame(7, [1, 2, 3]), .invalidArgument),
      ("MESSAGE for no stream", frame(3, stream: 9, [0]), .invalidArgument),
      ("REQUEST on stream 0", frame(2, [1, 0, 0, 0, 0]), .invalidArgument),
    ]
    for (name, bytes, status) in bad {
      let (goAway, isClosed) = reaction(harness, to: bytes)
      #expect(isClosed, "\(name)")
      #expect(goAway?.status == status, "\(name)")
      #expect(goAway?.phase == .final, "\(name)")
    }
    #expect(try good.call(.echo) { $0.bool(true) } == [2])
    #expect(harness.statistic("server.connections.failed") == Int64(bad.count))
  }

  @Test(arguments: [
    Array("GET / HTTP/1.1\r\n\r\n".utf8), [0x16, 3, 1, 0, 0, 0, 0, 0], [1, 2, 3, 4, 5, 6, 7, 8],
  ])
  func whatIsNotOursIsClosed(bytes: [UInt8]) throws {
    let harness = try Harness()
    let (_, isClosed) = reaction(harness, to: bytes, afterHello: false)
    #expect(isClosed)
  }

  @Test func randomBytesNeverTakeTheServerDown() throws {
    let harness = try Harness()
    var generator = SystemRandomNumberGenerator()
    let good = harness.connect()
    for _ in 0..<200 {
      let client = harness.connect()
      client.flush()
      let noise = (0..<Int.random(in: 1...400, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      // Half of it as the body of a call, so that it gets past the frames.
      if Bool.random(using: &generator) {
        let method = WireMethod.allCases.randomElement(using: &generator) ?? .get
        _ = try? client.start(method) { $0.raw(noise) }
        client.flush()
      } else {
        client.peer.send(noise)
      }
      harness.turns(3)
      client.peer.abort()
    }
    #expect(try good.call(.echo) { $0.null() } == [0])
    #expect(harness.drive { harness.statistic("server.connections.open") == 1 })
  }

  @Test func whoSaysNothingIsClosed() throws {
    let harness = try Harness()
    let peer = harness.server.connect()
    harness.advance(by: .milliseconds(4_900), steps: 20)
    #expect(!peer.isClosedThere)
    harness.advance(by: .milliseconds(400), steps: 4)
    #expect(peer.isClosedThere)
  }

  @Test func aFrameThatDoesNotCompleteIsClosed() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    client.peer.send(Array(frame(2, stream: 3, Array(repeating: 0, count: 100)).prefix(40)))
    harness.advance(by: .seconds(9), steps: 36)
    #expect(!client.peer.isClosedThere)
    harness.advance(by: .seconds(2), steps: 8)
    client.pump()
    #expect(client.peer.isClosedThere)
    #expect(client.goAways.last?.status == .deadlineExceeded)
  }

  @Test func anIdleConnectionIsAskedAndThenClosed() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    // It answers PINGs but calls nothing for five minutes.
    for _ in 0..<299 {
      harness.advance(by: .seconds(1), steps: 4)
      client.pump()
      // The answer comes a moment after the question.
      harness.advance(by: .milliseconds(1))
      harness.turns()
      #expect(!client.peer.isClosedThere)
    }
    harness.advance(by: .seconds(2), steps: 8)
    client.pump()
    #expect(client.peer.isClosedThere)
  }

  @Test func aPeerThatAnswersNoPingIsDropped() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    harness.advance(by: .seconds(34), steps: 136)
    #expect(!client.peer.isClosedThere)
    harness.advance(by: .seconds(2), steps: 8)
    #expect(client.peer.isClosedThere)
  }

  @Test func aFloodOfControlFramesIsEnded() throws {
    let harness = try Harness()
    let client = harness.connect()
    client.flush()
    let ping = frame(7, Array(1...8))
    client.peer.send((0..<2_100).flatMap { _ in ping })
    #expect(harness.drive { client.peer.isClosedThere })
    // Its last frame says why, behind the answers to those that were within the budget.
    let frames = frames(in: client.peer.received)
    #expect(frames.filter { $0.type == 7 }.count == 2_000)
    let goAway = try #require(frames.last)
    #expect(goAway.type == 8)
    #expect(
      try goAway.payload.withUnsafeBytes { try GoAway($0) }.detail == .controlFlood)
  }

  @Test func oneConnectionTooManyIsToldToComeAgain() throws {
    var limits = ServerLimits()
    limits.connectionsMax = 2
    limits.operatorConnectionsMax = 0
    let harness = try Harness(limits: limits)
    let clients = (0..<2).map { _ in harness.connect() }
    for client in clients { _ = try client.call(.echo) { $0.null() } }
    let third = harness.connect()
    third.flush()
    #expect(
      harness.drive {
        third.pump()
        return third.peer.isClosedThere
      })
    #expect(third.goAways.last?.detail == .overloaded)
    #expect((third.goAways.last?.retryAfterMilliseconds ?? 0) >= 500)
    #expect(harness.statistic("server.connections.refused") == 1)
    #expect(try clients[0].call(.echo) { $0.null() } == [0])
  }

  @Test func aReaderThatTakesNothingStopsTheReadingOfItsRequests() throws {
    var limits = ServerLimits()
    limits.unsentBytesMax = 64 << 10
    let harness = try Harness(limits: limits)
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    client.peer.limitAppetite(to: 0)
    let payload = [UInt8](repeating: 7, count: 10_000)
    let streams = try (0..<100).map { _ in try client.start(.echo) { $0.raw(payload) } }
    client.flush()
    harness.turns(50)
    let succeeded = try #require(harness.method(.echo, "succeeded"))
    #expect(succeeded <= 10, "it goes on though nobody reads")
    client.peer.limitAppetite(to: .max)
    #expect(
      harness.drive {
        client.pump()
        return streams.allSatisfy { client.ends[$0]?.isOK == true }
      })
  }

  @Test func aReaderThatTakesNothingForTooLongIsDropped() throws {
    let harness = try Harness()
    let client = harness.connect()
    _ = try client.call(.echo) { $0.null() }
    client.peer.limitAppetite(to: 10)
    _ = try client.start(.echo) { $0.raw([UInt8](repeating: 7, count: 10_000)) }
    client.flush()
    harness.turns()
    for _ in 0..<31 {
      // It is not silent, it only takes nothing.
      client.peer.send(frame(7, flags: 0, Array(1...8)))
      harness.advance(by: .seconds(1), steps: 4)
    }
    #expect(client.peer.isClosedThere)
  }

  @Test func tooManyStreamsAreRefusedOneByOne() throws {
    var wireLimits = WireLimits()
    wireLimits.unaryStreamsMax = 4
    let harness = try Harness(wireLimits: wireLimits)
    let client = harness.connect()
    harness.engine.readGate.close()
    let streams = try (0..<6).map { _ in
      try client.start(.get) { GetRequest.encode(entity: Sample.flight, row: 1, into: &$0) }
    }
    #expect(client.wait(for: streams[5])?.detail == .streams)
    #expect(client.wait(for: streams[4])?.detail == .streams)
    harness.engine.readGate.open()
    #expect(client.wait(for: streams[0])?.isOK == true)
  }
}
