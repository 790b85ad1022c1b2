import RoostModel
import RoostWire
import Testing

/// The broken bytes of `Protocol/invalid/`: each has the reaction its line names.
@Suite struct InvalidTests {
  static let values = ProtocolFiles.rows("invalid/values.txt")
  static let messages = ProtocolFiles.rows("invalid/messages.txt")
  static let frames = ProtocolFiles.rows("invalid/frames.txt")

  @Test func badOutnumberGood() {
    let good = VectorTests.values.count + VectorTests.frames.count
    let bad = InvalidTests.values.count + InvalidTests.messages.count + InvalidTests.frames.count
    #expect(bad > good)
  }

  @Test(arguments: values) func noReaderTakesIt(_ row: [String]) {
    let bytes = ProtocolFiles.unhex(row[1])
    let read = try? bytes.withUnsafeBytes { buffer in
      guard !buffer.isEmpty else { throw VectorError("empty") }
      let body = try Meaning.body(buffer)
      return body
    }
    #expect(read == nil)
    // Skipping refuses what reading refuses; batches and links are no values.
    if let first = bytes.first, first != 0x10, first != LinkBatch.tag {
      let skipped: Void? = try? bytes.withUnsafeBytes { buffer in
        var reader = PackedReader(buffer)
        try reader.skip()
        try reader.finish()
      }
      #expect(skipped == nil)
    }
  }

  @Test(arguments: messages) func messageIsRefusedWithItsDetail(_ row: [String]) {
    let bytes = ProtocolFiles.unhex(row[2])
    let error = #expect(throws: MessageError.self) {
      try bytes.withUnsafeBytes { buffer throws(MessageError) in
        try TypedBody.rewritten(row[1], buffer)
      }
    }
    #expect(error?.detail.rawValue == UInt16(row[3]), "\(row[0]): \(error?.message ?? "")")
  }

  @Test(arguments: frames) func frameHasItsReaction(_ row: [String]) {
    let bytes = ProtocolFiles.unhex(row[3])
    let whole = Reaction.of(bytes, receiver: row[1], setup: row[2], step: bytes.count)
    #expect(whole == row[4])
    let dripped = Reaction.of(bytes, receiver: row[1], setup: row[2], step: 1)
    #expect(dripped == row[4])
  }
}

/// What a connection does about bytes, in the words of the table.
enum Reaction {
  static func of(_ bytes: [UInt8], receiver: String, setup: String, step: Int) -> String {
    receiver == "server"
      ? ofServer(bytes, setup: setup, step: step) : ofClient(bytes, setup: setup, step: step)
  }

  private static func ofServer(_ bytes: [UInt8], setup: String, step: Int) -> String {
    var server = ServerConnection(now: 0)
    var rest: [UInt8] = []
    let hello = frame(.hello, [0x0B, 0x00])
    switch setup {
    case "new": break
    case "preface": rest = Preface.client
    case "ready": rest = Preface.client + hello
    default: rest = Preface.client + hello + frame(.request, [1, 0, 0, 0], stream: 1)
    }
    _ = server.take(&rest, now: 0)
    _ = server.takeOutput()
    var position = 0
    while position < bytes.count {
      let stop = min(bytes.count, position + max(1, step))
      rest += bytes[position..<stop]
      position = stop
      _ = server.take(&rest, now: 0)
    }
    let output = server.takeOutput()
    guard server.isClosed else { return judge(output) ?? "IGNORE" }
    if output.isEmpty { return "CLOSE" }
    if output.starts(with: Array("HTTP".utf8)) { return "HTTP" }
    if output == Preface.server(chosen: 0) { return "VERSION" }
    return judge(output) ?? "CLOSE"
  }

  private static func ofClient(_ bytes: [UInt8], setup: String, step: Int) -> String {
    var client = ClientConnection(hello: ClientHello(), now: 0)
    var rest: [UInt8] = []
    if setup != "new" { rest = Preface.server(chosen: 1) }
    if setup == "ready" || setup == "call" { rest += frame(.hello, [0x0B, 0x00]) }
    if setup == "call" {
      _ = try? client.start(RequestHead(.echo), shape: .unary) { $0.byte(0) }
    }
    _ = client.take(&rest, now: 0)
    _ = client.takeOutput()
    var position = 0
    while position < bytes.count {
      let stop = min(bytes.count, position + max(1, step))
      rest += bytes[position..<stop]
      position = stop
      _ = client.take(&rest, now: 0)
    }
    return judge(client.takeOutput()) ?? (client.isClosed ? "CLOSE" : "IGNORE")
  }

  /// GOAWAY, or else the first END, in what was written.
  private static func judge(_ output: [UInt8]) -> String? {
    let start = output.starts(with: Preface.magic) ? Preface.byteCount : 0
    return output.withUnsafeBytes { buffer in
      var decoder = FrameDecoder(frameBytesMax: 1 << 18)
      var offset = start
      var ended: String?
      while let frame = try? decoder.next(in: buffer, at: &offset) {
        switch FrameType(rawValue: frame.header.type) {
        case .goAway:
          guard let goAway = try? GoAway(frame.payload) else { return "broken GOAWAY" }
          return "GOAWAY \(goAway.status.rawValue)/\(goAway.detail.rawValue)"
        case .end:
          guard let end = try? EndStatus(frame.payload) else { return "broken END" }
          ended = ended ?? "END \(end.status.rawValue)/\(end.detail.rawValue)"
        default: continue
        }
      }
      return ended
    }
  }

  static func frame(
    _ type: FrameType, _ payload: [UInt8], stream: UInt32 = 0, flags: FrameFlags = []
  ) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: FrameHeader.byteCount) + payload
    FrameHeader(
      length: UInt32(payload.count), stream: stream, type: type.rawValue, flags: flags
    ).write(over: &bytes, at: 0)
    return bytes
  }
}
