import RoostModel

/// Why a JSON text cannot be read on.
enum JSONStop: Error, Hashable {
  /// The bytes end within a token; more may follow.
  case needsMore
  case invalid(at: Int, String)
}

/// A string's bytes between its quotes, escapes not yet resolved.
struct JSONText: Hashable {
  var start: Int
  var count: Int
  var hasEscapes: Bool
}

/// Steps over the tokens of a JSON text by RFC 8259 and checks all of them.
///
/// It may stop with ``JSONStop/needsMore`` anywhere; the caller then goes back to where it began.
/// Nesting is bounded by ``ImportLimits/jsonDepthMax``.
struct JSONCursor {
  let bytes: UnsafeRawBufferPointer
  var offset: Int
  /// No more bytes will follow, so that a number at the end is complete.
  let isFinal: Bool

  init(_ bytes: UnsafeRawBufferPointer, offset: Int = 0, isFinal: Bool = true) {
    self.bytes = bytes
    self.offset = offset
    self.isFinal = isFinal
  }

  // MARK: Tokens

  mutating func skipSpace() {
    while offset < bytes.count {
      switch bytes[offset] {
      case Byte.space, Byte.lineFeed, Byte.carriageReturn, Byte.tab: offset += 1
      default: return
      }
    }
  }

  /// The next byte that is not white space.
  mutating func peek(_ expected: @autoclosure () -> String) throws(JSONStop) -> UInt8 {
    skipSpace()
    guard offset < bytes.count else { throw end(expected()) }
    return bytes[offset]
  }

  mutating func take(_ byte: UInt8, _ expected: @autoclosure () -> String) throws(JSONStop) {
    guard try peek(expected()) == byte else { throw wrong(expected()) }
    offset += 1
  }

  /// A string whose opening quote stands here.
  mutating func string(_ expected: @autoclosure () -> String) throws(JSONStop) -> JSONText {
    try take(Byte.quote, expected())
    let start = offset
    var hasEscapes = false
    var isASCII = true
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte == Byte.quote {
        let count = offset - start
        guard isASCII || UTF8Check.isValid(bytes.part(start, count)) else {
          throw .invalid(at: start, "the text is not UTF-8")
        }
        offset += 1
        return JSONText(start: start, count: count, hasEscapes: hasEscapes)
      }
      if byte == Byte.backslash {
        hasEscapes = true
        try skipEscape()
      } else {
        guard byte >= Byte.space else {
          throw .invalid(at: offset, "a control character inside a string; write it as \\u00XX")
        }
        if byte >= 0x80 { isASCII = false }
        offset += 1
      }
    }
    throw end("the string's closing quote")
  }

  private mutating func skipEscape() throws(JSONStop) {
    let at = offset
    guard offset + 1 < bytes.count else { throw end("an escape") }
    switch bytes[offset + 1] {
    case UInt8(ascii: "u"):
      let unit = try hexUnit(at: offset + 2)
      offset += 6
      if unit & 0xFC00 == 0xDC00 { throw .invalid(at: at, "half of a surrogate pair") }
      guard unit & 0xFC00 == 0xD800 else { return }
      guard offset + 1 < bytes.count else { throw end("the pair's second half") }
      guard bytes[offset] == Byte.backslash, bytes[offset + 1] == UInt8(ascii: "u"),
        try hexUnit(at: offset + 2) & 0xFC00 == 0xDC00
      else { throw .invalid(at: at, "half of a surrogate pair") }
      offset += 6
    case Byte.quote, Byte.backslash, Byte.slash, UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    default:
      throw .invalid(at: at, "an unknown escape; \\\\ writes a backslash")
    }
  }

  private func hexUnit(at start: Int) throws(JSONStop) -> UInt16 {
    var unit: UInt16 = 0
    for index in start..<start + 4 {
      guard index < bytes.count else { throw end("four hexadecimal digits") }
      guard let digit = BinaryText.hex(bytes[index]) else {
        throw .invalid(at: start - 2, "\\u needs four hexadecimal digits")
      }
      unit = unit << 4 | UInt16(digit)
    }
    return unit
  }

  /// A number; gives its length and whether it has neither fraction nor exponent.
  mutating func number() throws(JSONStop) -> (count: Int, isWhole: Bool) {
    let start = offset
    var isWhole = true
    if offset < bytes.count, bytes[offset] == Byte.minus { offset += 1 }
    if offset < bytes.count, bytes[offset] == Byte.zero {
      offset += 1
    } else {
      try digits()
    }
    if offset < bytes.count, bytes[offset] == Byte.dot {
      offset += 1
      isWhole = false
      try digits()
    }
    if offset < bytes.count, bytes[offset] | 0x20 == UInt8(ascii: "e") {
      offset += 1
      isWhole = false
      if offset < bytes.count, bytes[offset] == Byte.plus || bytes[offset] == Byte.minus {
        offset += 1
      }
      try digits()
    }
    if offset == bytes.count, !isFinal { throw .needsMore }
    return (offset - start, isWhole)
  }

  private mutating func digits() throws(JSONStop) {
    guard offset < bytes.count else { throw end("a digit") }
    guard Byte.isDigit(bytes[offset]) else { throw wrong("a digit") }
    while offset < bytes.count, Byte.isDigit(bytes[offset]) { offset += 1 }
  }

  mutating func literal(_ word: StaticString) throws(JSONStop) {
    for index in 0..<word.utf8CodeUnitCount {
      guard offset + index < bytes.count else { throw end("\(word)") }
      guard bytes[offset + index] == word.utf8Start[index] else { throw wrong("a JSON value") }
    }
    offset += word.utf8CodeUnitCount
  }

  // MARK: Faults

  func end(_ expected: String) -> JSONStop {
    isFinal ? .invalid(at: bytes.count, "it ends early; expected \(expected)") : .needsMore
  }

  func wrong(_ expected: String) -> JSONStop {
    let rest = bytes.part(offset, min(12, bytes.count - offset))
    return .invalid(at: offset, "expected \(expected), found \"\(CellFault.excerpt(rest))\"")
  }
}
