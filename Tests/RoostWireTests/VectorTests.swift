import RoostModel
import RoostWire
import Testing

/// The golden bytes of `Protocol/vectors/`, both ways.
@Suite struct VectorTests {
  static let values = ProtocolFiles.rows("vectors/values.txt")
  static let frames = ProtocolFiles.rows("vectors/frames.txt")

  @Test func thereAreVectors() {
    #expect(VectorTests.values.count >= 50)
    #expect(VectorTests.frames.count >= 120)
  }

  @Test(arguments: values) func valueReadsAndWritesAsWritten(_ row: [String]) throws {
    let bytes = ProtocolFiles.unhex(row[1])
    let meaning = try Meaning(json: row[2])
    let value = try bytes.withUnsafeBytes { buffer in
      var reader = PackedReader(buffer)
      let value = try reader.value()
      try reader.finish()
      return value
    }
    #expect(value == meaning.value)
    var writer = PackedWriter()
    writer.value(meaning.value)
    #expect(writer.bytes.hex == bytes.hex)
    let skipped = try bytes.withUnsafeBytes { buffer in
      var reader = PackedReader(buffer)
      try reader.skip()
      return reader.offset
    }
    #expect(skipped == bytes.count)
  }

  @Test(arguments: frames) func frameReadsAsWritten(_ row: [String]) throws {
    let bytes = ProtocolFiles.unhex(row[2])
    guard case .map(var expected) = try Meaning(json: row[3]) else { throw VectorError(row[0]) }
    expected["as"] = nil
    let read = try VectorTests.decode(bytes) { try Meaning(frame: $0) }
    guard case .map(var found) = read else { throw VectorError(row[0]) }
    // A vector may name a long text by its parts.
    if case .list(let body)? = expected["body"] {
      expected["body"] = .list(body.map { $0.plain })
    }
    if case .list(let body)? = found["body"] { found["body"] = .list(body.map { $0.plain }) }
    #expect(found == expected)
  }

  @Test(arguments: frames) func frameWritesAsRead(_ row: [String]) throws {
    let bytes = ProtocolFiles.unhex(row[2])
    let meaning = try Meaning(json: row[3])
    let written = try VectorTests.decode(bytes) { frame in
      try VectorTests.rewrite(frame, as: meaning["as"]?.string)
    }
    #expect(written.hex == bytes.hex)
  }

  @Test(arguments: frames) func frameMaySplitAnywhere(_ row: [String]) throws {
    let bytes = ProtocolFiles.unhex(row[2])
    try bytes.withUnsafeBytes { buffer in
      for cut in 0..<bytes.count {
        var decoder = FrameDecoder(frameBytesMax: 1 << 18)
        var offset = 0
        let head = UnsafeRawBufferPointer(rebasing: buffer[..<cut])
        let frame = try decoder.next(in: head, at: &offset)
        #expect(frame?.header == nil)
        #expect(offset == 0)
        #expect(decoder.bytesWanted > cut)
        #expect(decoder.bytesWanted <= bytes.count)
      }
    }
  }

  static func decode<Result>(
    _ bytes: [UInt8], _ body: (Frame) throws -> Result
  ) throws -> Result {
    try bytes.withUnsafeBytes { buffer in
      var decoder = FrameDecoder(frameBytesMax: 1 << 18)
      var offset = 0
      guard let frame = try decoder.next(in: buffer, at: &offset), offset == buffer.count else {
        throw VectorError("not one frame")
      }
      return try body(frame)
    }
  }

  /// The frame again, its payload made by the code's own types.
  private static func rewrite(_ frame: Frame, as name: String?) throws -> [UInt8] {
    var payload = PackedWriter()
    switch FrameType(rawValue: frame.header.type) {
    case .request:
      var reader = PackedReader(frame.payload)
      try RequestHead(from: &reader).encode(into: &payload)
      let body = UnsafeRawBufferPointer(rebasing: frame.payload[reader.offset...])
      payload.raw(try name.map { try TypedBody.rewritten($0, body) } ?? [UInt8](body))
    case .end: try EndStatus(frame.payload).encode(into: &payload)
    case .goAway: try GoAway(frame.payload).encode(into: &payload)
    default:
      payload.raw(
        try name.map { try TypedBody.rewritten($0, frame.payload) } ?? [UInt8](frame.payload))
    }
    var bytes = [UInt8](repeating: 0, count: FrameHeader.byteCount) + payload.bytes
    var header = frame.header
    header.length = UInt32(payload.bytes.count)
    if header.flags.contains(.check) { header.length += 4 }
    header.write(over: &bytes, at: 0)
    if header.flags.contains(.check) {
      let sum = bytes.withUnsafeBytes { Checksum.crc32($0) }
      for shift in 0..<4 { bytes.append(UInt8(truncatingIfNeeded: sum >> (8 * UInt32(shift)))) }
    }
    return bytes
  }
}

extension Meaning {
  /// Without the short form of long texts.
  var plain: Meaning {
    switch self {
    case .list(let items): .list(items.map(\.plain))
    case .map(let entries) where entries["text"] != nil && entries.count == 1: Meaning(value)
    default: self
    }
  }
}
