import FoundationEssentials
package import RoostModel

/// Values that break things: extremes, zeros of both signs, NaN, decomposed and folded text.
package struct RandomValues {
  package var random: SplitMix64

  package init(random: SplitMix64) { self.random = random }

  /// A value of the type as a row holds it, or null.
  package mutating func value(_ type: AttributeType, nullPercent: Int = 20) -> Value {
    if random.chance(nullPercent) { return .null }
    switch type {
    case .bool: return .bool(random.chance(50))
    case .int: return .int(integer())
    case .uint64: return .int(random.pick(Self.masks))
    case .double: return .double(double())
    case .decimal: return .decimal(random.pick(Self.decimals))
    case .date: return .date(random.pick(Self.dates))
    case .uuid: return .uuid(uuid())
    case .data: return .blob(random.pick([[], [0], [0, 255], [1, 2, 3], [0, 254], [255]]))
    case .text: return .text(random.pick(Self.texts))
    case .json: return .text(random.pick(["[]", "{\"a\":1}", "[1,2]", "\"x\"", "null"]))
    }
  }

  private mutating func integer() -> Int64 {
    if random.chance(60) { return Int64(random.below(9)) - 4 }
    return random.pick(Self.integers)
  }

  private mutating func double() -> Double {
    if random.chance(50) { return Double(random.below(9)) / 2 - 2 }
    return random.pick(Self.doubles)
  }

  private mutating func uuid() -> UUID {
    let last = UInt8(random.below(3))
    let first: UInt8 = random.chance(50) ? 0 : 255
    return UUID(uuid: (first, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, last))
  }

  static let integers: [Int64] = [
    .max, .min, .max - 1, .min + 1, 0x20_0000_0000_0000, 0x20_0000_0000_0001, -0x20_0000_0000_0001,
  ]

  /// Bit patterns of UInt64.
  static let masks: [Int64] = [0, 1, 7, -1, .max, .min, .min + 1, 0x100_0000_0000]

  static let doubles: [Double] = [
    0, -0.0, .nan, .infinity, -.infinity, 0x1p63, -0x1p63, 0x1p53, 1e308, -1e308,
    .leastNonzeroMagnitude, 0.1,
    9_007_199_254_740_994, 0.3333333333333333, .greatestFiniteMagnitude,
  ]

  static let decimals = [
    "0", "1", "-1", "10", "9.5", "-9.5", "0.1", "0.10000000000000000000000000000000000001",
    "99999999999999999999999999999999999999", "-0.001", "100", "2",
  ]

  static let dates: [Double] = [
    0, 1, -1, 0.5, 3_600, 400_000_000.25, -63_113_904_000, 252_423_993_599, 1e15, -0.0,
  ]

  /// "Zürich" composed and decomposed, sharp s, sigmas, dotless i, a family of one character, NUL.
  static let texts = [
    "", "a", "A", "ab", "abc", "b", "Zürich", "Zu\u{308}rich", "ZÜRICH", "zurich", "straße",
    "STRASSE", "ὈΔΥΣΣΕΎΣ", "οδυσσευς", "ı", "İ", "が", "か", "한", "하", "👨‍👩‍👧", "e\u{301}", "é", "e",
    "%", "_", "a%", "\\", "\"", "'", "a\nb", "x\u{0}y", "x", "\u{FFFD}", "ﬁ", "fi", " ",
    "z\u{10FFFF}",
  ]
}
