import FoundationEssentials
import RoostModel
import RoostTestSupport
import Testing

@Suite("Packed values")
struct PackedValueTests {
  /// Values and the one form each has, as the protocol's text gives them.
  static let golden: [(Value, String)] = [
    (.null, "00"), (.bool(false), "01"), (.bool(true), "02"), (.int(0), "80"), (.int(127), "ff"),
    (.int(128), "038002"), (.int(-1), "0301"), (.int(-64), "037f"),
    (.int(1 << 31), "038080808010"), (.int((1 << 55) - 1), "03feffffffffffff7f"),
    (.int(1 << 55), "0c0000000000008000"), (.int(.min), "0c0000000000000080"),
    (.double(1.5), "04000000000000f83f"), (.double(-0.0), "040000000000000080"),
    (.double(.nan), "04000000000000f87f"), (.date(1.5), "07000000000000f83f"), (.text(""), "40"),
    (.text("Björn"), "46426ac3b6726e"),
    (.text(String(repeating: "x", count: 63)), "7f" + String(repeating: "78", count: 63)),
    (.text(String(repeating: "x", count: 64)), "0540" + String(repeating: "78", count: 64)),
    (.blob([0, 255]), "060200ff"), (.decimal("-1.5"), "09042d312e35"), (.list([]), "0a00"),
    (.map([]), "0b00"), (.list([.null, .bool(true)]), "0a020002"),
    (.map([MapEntry("a", .int(1)), MapEntry("b", .int(2))]), "0b024161814162" + "82"),
    (.reference(RowReference(entity: 3, row: -1)), "0d0301"), (.result(operation: 300), "0eac02"),
    (
      .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      "080102030405060708090a0b0c0d0e0f10"
    ),
    (
      .key(
        KeyReference(
          entity: 2, constraint: [1, 4], values: [.text("a"), .int(5)], createsMissing: true)),
      "0f02020104416185" + "01"
    ),
  ]

  @Test(arguments: golden)
  func hasOneFormBothWays(value: Value, hex: String) throws {
    var writer = PackedWriter()
    writer.value(value)
    #expect(writer.bytes.hex == hex)
    #expect(try read(bytes(hex)) == value)
    #expect(try skip(bytes(hex)) == hex.utf8.count / 2)
  }

  @Test(arguments: golden)
  func refusesEveryTruncation(value: Value, hex: String) throws {
    let whole = bytes(hex)
    for count in 0..<whole.count {
      #expect(throws: PackedError.self) { try read(Array(whole.prefix(count))) }
      #expect(throws: PackedError.self) { try skip(Array(whole.prefix(count))) }
    }
  }

  @Test(arguments: [
    ("8000", "trailing bytes"), ("030a", "5 in long form"), ("0c0100000000000000", "1 in 8 bytes"),
    ("038000", "padded varint"), ("03ffffffffffffffffff7f", "varint beyond 64 bits"),
    ("0380808080808080808080" + "01", "varint of eleven bytes"),
    ("0503616263", "short text, long form"),
    ("41ff", "invalid UTF-8"), ("43eda080", "a surrogate"), ("0902c3", "cut decimal"),
    ("04010000000000f87f", "another NaN"), ("07010000000000f87f", "another NaN date"),
    ("0b0241628141618" + "2", "keys descend"), ("0b024161814161" + "82", "a key twice"),
    ("0b018181", "a key that is no text"), ("0affffffff0f", "more items than bytes"),
    ("0605aa", "more bytes than there are"), ("11", "unknown tag"), ("3f", "unknown tag"),
    ("0d808080808001" + "00", "an entity beyond 32 bits"), ("0f020101416102", "a flag that is 2"),
    (
      "0f0211" + String(repeating: "01", count: 17) + String(repeating: "81", count: 17) + "00",
      "a key of 17 parts"
    ),
    ("", "nothing"),
  ])
  func refusesWhatIsNotCanonical(hex: String, why: String) {
    #expect(throws: PackedError.self, "\(why)") { try read(bytes(hex)) }
    #expect(throws: PackedError.self, "\(why)") {
      if try skip(bytes(hex)) != hex.utf8.count / 2 { throw PackedError.trailingBytes(at: 0) }
    }
  }

  @Test func refusesNestingBeyondTheLimit() throws {
    let deepest =
      [UInt8](repeating: 0, count: 0)
      + Array(repeatElement([0x0A, 0x01], count: Limits.valueDepthMax - 1).joined())
    #expect(throws: Never.self) { try read(deepest + [0]) }
    #expect(throws: PackedError.tooDeep(at: 2 * Limits.valueDepthMax)) {
      try read([0x0A, 0x01] + deepest + [0])
    }
    #expect(throws: PackedError.self) { try skip([0x0A, 0x01] + deepest + [0]) }
  }

  @Test func readsBackRandomValues() throws {
    var values = RandomValues(random: SplitMix64(seed: TestSeed.current))
    for _ in 0..<5_000 {
      let value = values.value(values.random.pick(AttributeType.allCases))
      var writer = PackedWriter()
      writer.value(value)
      #expect(try read(writer.bytes) == value, "\(TestSeed.note)")
      #expect(try skip(writer.bytes) == writer.bytes.count, "\(TestSeed.note)")
    }
  }

  /// Whatever the bytes, reading ends in a value or an error, and a value is what was written.
  @Test func neverTrapsOnRandomBytes() {
    var random = SplitMix64(seed: TestSeed.current)
    for _ in 0..<20_000 {
      let soup = (0..<random.below(40)).map { _ in
        random.chance(50) ? UInt8(random.below(16)) : UInt8(random.below(256))
      }
      guard let value = try? read(soup) else { continue }
      var writer = PackedWriter()
      writer.value(value)
      #expect(writer.bytes == soup, "\(TestSeed.note)")
    }
  }

  private func read(_ bytes: [UInt8]) throws -> Value {
    try bytes.withUnsafeBytes { buffer in
      var reader = PackedReader(buffer)
      let value = try reader.value()
      try reader.finish()
      return value
    }
  }

  /// The bytes that were stepped over.
  private func skip(_ bytes: [UInt8]) throws -> Int {
    try bytes.withUnsafeBytes { buffer in
      var reader = PackedReader(buffer)
      try reader.skip()
      return reader.offset
    }
  }
}

@Suite("RowBatch")
struct RowBatchTests {
  private let batch: RowBatch = {
    var writer = PackedWriter()
    for value: Value in [.int(7), .text("Anna"), .int(300), .null] { writer.value(value) }
    return RowBatch(
      entity: 3, schemaVersion: 1, columns: [0, 1], rowCount: 2, body: writer.bytes)
  }()

  @Test func readsBackAsItself() throws {
    var writer = PackedWriter()
    batch.encode(into: &writer)
    #expect(try decode(writer.bytes) == batch)
    #expect(try batch.rows() == [[.int(7), .text("Anna")], [.int(300), .null]])
  }

  @Test func refusesEveryTruncation() {
    var writer = PackedWriter()
    batch.encode(into: &writer)
    for count in 0..<writer.bytes.count {
      #expect(throws: PackedError.self) { try decode(Array(writer.bytes.prefix(count))) }
    }
  }

  @Test(arguments: ["1003010200018f", "100301000581", "10030102000101", "10030101000500"])
  func refusesMoreRowsThanBytes(hex: String) {
    #expect(throws: PackedError.self) { try decode(bytes(hex)) }
  }

  private func decode(_ bytes: [UInt8]) throws -> RowBatch {
    try bytes.withUnsafeBytes { buffer in
      var reader = PackedReader(buffer)
      let batch = try RowBatch(from: &reader)
      try reader.finish()
      return batch
    }
  }
}

private func bytes(_ hex: String) -> [UInt8] {
  let digits = Array(hex.utf8)
  return stride(from: 0, to: digits.count - 1, by: 2).compactMap { index in
    UInt8(String(decoding: digits[index..<index + 2], as: UTF8.self), radix: 16)
  }
}

extension [UInt8] {
  fileprivate var hex: String {
    map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
