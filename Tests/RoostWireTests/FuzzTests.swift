import RoostModel
import Testing

@testable import RoostWire

/// Mutated conversations: never a trap, never unbounded memory, and bytes that come one by one
/// lead to the same events as bytes that come at once.
@Suite struct FuzzTests {
  @Test(arguments: seeds) func serverTakesAnything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var calls = 0
    for round in 0..<120 {
      let bytes = FuzzTests.conversation(&random, ofClient: true)
      let whole = FuzzTests.serve(bytes, cuts: [])
      let dripped = FuzzTests.serve(
        bytes,
        cuts: round % 8 == 0 ? Array(1..<max(2, bytes.count)) : FuzzTests.cuts(&random, bytes.count)
      )
      #expect(whole.0 == dripped.0)
      calls += whole.0.count { $0.requestStream != nil }
      #expect(whole.1.hex == dripped.1.hex)
    }
    #expect(calls > 100, "most conversations get as far as calls")
  }

  @Test(arguments: seeds) func clientTakesAnything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<120 {
      let bytes = FuzzTests.conversation(&random, ofClient: false)
      let whole = FuzzTests.listen(bytes, cuts: [])
      let dripped = FuzzTests.listen(bytes, cuts: FuzzTests.cuts(&random, bytes.count))
      #expect(whole == dripped)
    }
  }

  @Test(arguments: seeds) func messagesTakeAnything(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let names = [
      "ClientHello", "ServerHello", "Get", "RowBatch", "Fetch", "FetchMessage", "Count",
      "CountReply", "Write", "WriteResult", "Import", "ImportChunk", "ImportStarted",
      "ImportAcknowledgements", "SchemaRegister", "SchemaRegistration", "Description", "Health",
      "Statistics", "StatisticsRequest", "CancelOperation", "CancelOperationReply",
    ]
    let good = VectorTests.frames.compactMap { row -> (String, [UInt8])? in
      guard let meaning = try? Meaning(json: row[3]), let name = meaning["as"]?.string,
        meaning["flags"]?.items.contains(.text("DEFLATE")) != true
      else { return nil }
      var bytes = ProtocolFiles.unhex(row[2])
      bytes.removeFirst(12)
      if meaning["frame"]?.string == "REQUEST" {
        let body = bytes.withUnsafeBytes { buffer -> Int in
          var reader = PackedReader(buffer)
          _ = try? RequestHead(from: &reader)
          return reader.offset
        }
        bytes.removeFirst(body)
      }
      return (name, bytes)
    }
    #expect(good.count > 60)
    var taken = 0
    for _ in 0..<4_000 {
      var (name, bytes) = good[random.below(good.count)]
      if random.isTrue(oneIn: 10) { name = names[random.below(names.count)] }
      FuzzTests.mutate(&bytes, &random)
      let again = try? bytes.withUnsafeBytes { try TypedBody.rewritten(name, $0) }
      guard let again else { continue }
      taken += 1
      // Maps of options drop unknown keys, all others are canonical: what is read is written the
      // same.
      if !name.hasSuffix("Hello"), name != "StatisticsRequest" { #expect(again == bytes) }
    }
    #expect(taken > 100)
  }

  // MARK: Runs

  private static func serve(_ bytes: [UInt8], cuts: [Int]) -> ([Seen], [UInt8]) {
    var server = ServerConnection(now: 0)
    var rest: [UInt8] = []
    var seen: [Seen] = []
    var position = 0
    for cut in cuts + [bytes.count] where cut > position && cut <= bytes.count {
      rest += bytes[position..<cut]
      position = cut
      seen += server.take(&rest, now: 0, answering: answer)
      #expect(rest.count <= server.limits.frameBytesMax + FrameHeader.byteCount)
      #expect(server.core.checkInvariants())
      #expect(server.queuedBytes <= server.limits.queuedBytesMax)
    }
    return (seen, server.takeOutput())
  }

  /// Some calls stay open.
  private static func answer(_ event: Seen, _ server: inout ServerConnection) {
    switch event {
    case .cancelled(let stream): server.end(stream, EndStatus(.cancelled))
    case .message(let stream, _, let isLast, let credit):
      server.returnCredit(credit, on: stream)
      if isLast { server.end(stream) }
    case .inputEnded(let stream): server.end(stream)
    default: break
    }
  }

  private static func listen(_ bytes: [UInt8], cuts: [Int]) -> [Seen] {
    var hello = ClientHello()
    hello.deflate = 1
    var client = ClientConnection(hello: hello, now: 0)
    for method in [WireMethod.echo, .fetch, .import, .get] {
      _ = try? client.start(RequestHead(method), shape: method.shape) { $0.byte(0x80) }
    }
    var rest: [UInt8] = []
    var seen: [Seen] = []
    var position = 0
    for cut in cuts + [bytes.count] where cut > position && cut <= bytes.count {
      rest += bytes[position..<cut]
      position = cut
      seen += client.take(&rest, now: 0)
      #expect(rest.count <= client.limits.frameBytesMax + FrameHeader.byteCount)
      #expect(client.core.checkInvariants())
    }
    return seen
  }

  // MARK: Bytes

  private static func cuts(_ random: inout SeededGenerator, _ count: Int) -> [Int] {
    (0..<random.below(20)).map { _ in random.below(count + 1) }.sorted()
  }

  /// Valid frames of the vectors and made ones, in a random order, some of them damaged.
  private static func conversation(
    _ random: inout SeededGenerator, ofClient isClient: Bool
  ) -> [UInt8] {
    let side = isClient ? "C" : "S"
    let frames = VectorTests.frames.filter { $0[1].contains(side) && !$0[0].hasPrefix("HELLO") }
    var bytes = isClient ? Preface.client : Preface.server(chosen: 1)
    bytes += Reaction.frame(.hello, [0x0B, 0x00])
    var stream: UInt32 = 0
    for _ in 0..<random.below(30) {
      var frame = ProtocolFiles.unhex(frames[random.below(frames.count)][2])
      // Streams are set so that most frames make sense.
      if frame[4...7].contains(where: { $0 != 0 }) {
        let isNew = frame[8] == FrameType.request.rawValue
        if isNew { stream += 1 }
        frame[4] =
          isNew || !isClient
          ? UInt8(1 + Int(stream) % 200) : UInt8(1 + random.below(Int(stream) + 1))
        if !isClient { frame[4] = UInt8(1 + random.below(4)) }
        frame[5] = 0
      }
      if random.isTrue(oneIn: 12) { mutate(&frame, &random) }
      bytes += frame
    }
    return bytes
  }

  private static func mutate(_ bytes: inout [UInt8], _ random: inout SeededGenerator) {
    for _ in 0...random.below(3) {
      guard !bytes.isEmpty else { return }
      let place = random.below(bytes.count)
      switch random.below(6) {
      case 0: bytes[place] ^= UInt8(1 << random.below(8))
      case 1: bytes[place] = UInt8(truncatingIfNeeded: random.next())
      case 2: bytes[place] = [0, 0x7F, 0x80, 0xFF][random.below(4)]
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(4)))
      case 4: bytes.insert(UInt8(truncatingIfNeeded: random.next()), at: place)
      default: bytes.insert(contentsOf: bytes[place..<min(bytes.count, place + 8)], at: place)
      }
    }
  }
}
