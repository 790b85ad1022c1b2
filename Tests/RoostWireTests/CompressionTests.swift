import RoostModel
import Testing

@testable import RoostWire

@Suite struct CompressionTests {
  private var text: [UInt8] { Array(repeating: Array("Roost ".utf8), count: 5_000).flatMap { $0 } }

  @Test func messagesTravelDeflatedWhenBothAgree() throws {
    var hello = ClientHello()
    hello.deflate = 1_024
    hello.check = true
    var pair = Pair.ready(client: hello)
    let body = text
    let stream = try pair.start(.import, [9], isLast: false)
    _ = pair.serve()
    pair.client.send(stream) { $0.raw(body) }
    #expect(pair.client.outputCount < body.count / 4)
    guard case .message(stream, let read, _, _)? = pair.serve().first else {
      Issue.record("no message")
      return
    }
    #expect(read == body)
    pair.server.send(stream) { $0.raw(body) }
    #expect(pair.server.outputCount < body.count / 4)
    guard case .message(stream, let answer, _, _)? = pair.listen().first else {
      Issue.record("no answer")
      return
    }
    #expect(answer == body)
  }

  @Test func whatDoesNotShrinkGoesAsItIs() throws {
    var random = SeededGenerator(seed: 7)
    let noise = (0..<5_000).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    #expect(noise.withUnsafeBytes { Compression.deflate($0) } == nil)
  }

  @Test func everyWrongDeclarationIsRefused() throws {
    let body = text
    let good = try #require(body.withUnsafeBytes { Compression.deflate($0) })
    let back = try good.withUnsafeBytes { try Compression.inflate($0, messageBytesMax: 1 << 20) }
    #expect(back == body)
    for size in [0, body.count - 1, body.count + 1, body.count * 1_000] {
      var bad = good
      for byte in 0..<4 { bad[byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
      expectRefusal(bad, .badInflate, limit: 1 << 30)
    }
    expectRefusal(good + [0], .badInflate)
    expectRefusal(Array(good.dropLast()), .badInflate)
    expectRefusal([], .badInflate)
    expectRefusal([1, 0, 0, 0], .badInflate)
    expectRefusal([5, 0, 0, 0, 1, 2, 3, 4, 5], .badInflate)
    expectRefusal(good, .messageSize, limit: body.count - 1)
  }

  @Test func bombIsRefusedByItsRatio() throws {
    let zeros = [UInt8](repeating: 0, count: 4 << 20)
    let bomb = try #require(zeros.withUnsafeBytes { Compression.deflate($0) })
    expectRefusal(bomb, .badInflate, limit: 8 << 20)
  }

  @Test func deflatedMessageMayComeInFragments() throws {
    var hello = ClientHello()
    hello.deflate = 1_024
    var pair = Pair.ready(client: hello)
    var random = SeededGenerator(seed: 9)
    // Four bits of noise a byte: shrinks by half, to far more than one frame.
    let body = (0..<2_000_000).map { _ in UInt8(random.below(16)) }
    let stream = try pair.start(.import, [9], isLast: false)
    _ = pair.serve()
    pair.client.send(stream) { $0.raw(body) }
    var seen: [Seen] = []
    for _ in 0..<20 {
      seen += pair.serve()
      _ = pair.listen()
    }
    guard case .message(stream, let read, _, _)? = seen.first else {
      Issue.record("no message")
      return
    }
    #expect(read == body)
  }

  private func expectRefusal(
    _ bytes: [UInt8], _ detail: StatusDetail, limit: Int = 1 << 20,
    location: SourceLocation = #_sourceLocation
  ) {
    let error = #expect(throws: MessageError.self, sourceLocation: location) {
      try bytes.withUnsafeBytes { buffer throws(MessageError) in
        try Compression.inflate(buffer, messageBytesMax: limit)
      }
    }
    #expect(error?.detail == detail, sourceLocation: location)
  }
}
