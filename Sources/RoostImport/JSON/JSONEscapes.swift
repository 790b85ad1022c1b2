/// Strings of JSON: resolving and writing escapes.
package enum JSONEscapes {
  /// The text of a string that a ``JSONCursor`` has checked, in UTF-8.
  static func resolved(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      guard bytes[index] == Byte.backslash, index + 1 < bytes.count else {
        result.append(bytes[index])
        index += 1
        continue
      }
      if bytes[index + 1] == UInt8(ascii: "u") {
        appendUnicode(bytes, &index, &result)
      } else {
        result.append(single(bytes[index + 1]))
        index += 2
      }
    }
    return result
  }

  private static func single(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): Byte.lineFeed
    case UInt8(ascii: "r"): Byte.carriageReturn
    case UInt8(ascii: "t"): Byte.tab
    default: byte
    }
  }

  private static func appendUnicode(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int, _ result: inout [UInt8]
  ) {
    var code = unit(bytes, index + 2)
    index += 6
    if code & 0xFC00 == 0xD800 {
      code = 0x10000 + ((code & 0x3FF) << 10) + (unit(bytes, index + 2) & 0x3FF)
      index += 6
    }
    // Checked before: pairs are whole, so every code is a scalar.
    let scalar = Unicode.Scalar(code) ?? "\u{FFFD}"
    result.append(contentsOf: String(Character(scalar)).utf8)
  }

  private static func unit(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> UInt32 {
    var value: UInt32 = 0
    for index in start..<min(start + 4, bytes.count) {
      value = value << 4 | UInt32(BinaryText.hex(bytes[index]) ?? 0)
    }
    return value
  }

  /// Appends a string with its quotes, escaping only what must be.
  package static func appendQuoted(_ text: some Sequence<UInt8>, to result: inout [UInt8]) {
    result.append(Byte.quote)
    for byte in text {
      switch byte {
      case Byte.quote, Byte.backslash:
        result.append(Byte.backslash)
        result.append(byte)
      case Byte.lineFeed: result.append(contentsOf: [Byte.backslash, UInt8(ascii: "n")])
      case Byte.carriageReturn: result.append(contentsOf: [Byte.backslash, UInt8(ascii: "r")])
      case Byte.tab: result.append(contentsOf: [Byte.backslash, UInt8(ascii: "t")])
      case 0..<Byte.space:
        result.append(contentsOf: Array("\\u00".utf8))
        result.append(contentsOf: [hexDigit(byte >> 4), hexDigit(byte & 0x0F)])
      default: result.append(byte)
      }
    }
    result.append(Byte.quote)
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
  }

  package static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = []
    appendQuoted(text.utf8, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }
}
