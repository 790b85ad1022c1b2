import RoostModel
import RoostTestSupport
import Testing

@Suite("UTF-8") struct UTF8CheckTests {
  @Test(
    arguments: [
      [0x80], [0xC0, 0x80], [0xC3], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
      [0xF0, 0x80, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x61, 0xFF], [0xE2, 0x82],
    ] as [[UInt8]])
  func refusesBytesThatAreNotUTF8(_ bytes: [UInt8]) {
    #expect(bytes.withUnsafeBytes { UTF8Check.isValid($0) } == false)
  }

  /// At every place of every length: words overlap at the end of a text.
  @Test func oneByteAnywhereMakesTextNoASCII() {
    for count in 0..<40 {
      var bytes = [UInt8](repeating: 0x7F, count: count)
      #expect(bytes.withUnsafeBytes { UTF8Check.isASCII($0) })
      for place in bytes.indices {
        bytes[place] = 0x80
        #expect(!bytes.withUnsafeBytes { UTF8Check.isASCII($0) }, "\(place) of \(count)")
        #expect(!bytes.withUnsafeBytes { UTF8Check.isValid($0) }, "\(place) of \(count)")
        bytes[place] = 0x7F
      }
    }
  }

  @Test(arguments: [UInt64(21), 22])
  func agreesWithTheLibrary(_ seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters: [UInt8] = [
      0x61, 0x80, 0xBF, 0xC2, 0xDF, 0xE0, 0xA0, 0xED, 0x9F, 0xF0, 0x90, 0xF4, 0x8F,
    ]
    for _ in 0..<5_000 {
      let start = [UInt8](repeating: 0x62, count: Int.random(in: 0..<12, using: &random))
      let bytes =
        start
        + (0..<Int.random(in: 0..<6, using: &random)).map { _ in
          letters.randomElement(using: &random) ?? 0
        }
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect(bytes.withUnsafeBytes { UTF8Check.isValid($0) } == isValid, "seed \(seed): \(bytes)")
    }
  }
}
