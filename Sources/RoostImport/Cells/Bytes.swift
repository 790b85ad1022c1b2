extension UnsafeRawBufferPointer {
  /// A part of the buffer; the caller has checked the bounds.
  @inline(__always)
  func part(_ start: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[start..<start + count])
  }

  func equals(_ other: [UInt8]) -> Bool {
    guard count == other.count else { return false }
    for index in 0..<count where self[index] != other[index] { return false }
    return true
  }

  /// Whether it is this ASCII word, given in lower case, in any case.
  func isWord(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index] | 0x20 != word.utf8Start[index] { return false }
    return true
  }

  /// Number of line feeds.
  func lineFeeds() -> Int {
    var found = 0
    for byte in self where byte == 0x0A { found += 1 }
    return found
  }
}

/// Names of the bytes that grammars are made of.
enum Byte {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let colon: UInt8 = 0x3A
  static let backslash: UInt8 = 0x5C

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }
}
