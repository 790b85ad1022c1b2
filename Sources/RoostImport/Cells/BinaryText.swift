package import FoundationEssentials

/// UUIDs and bytes written as text.
package enum BinaryText {
  /// 32 hexadecimal digits, with hyphens at the usual places or none.
  package static func uuid(_ bytes: UnsafeRawBufferPointer) -> UUID? {
    guard bytes.count == 36 || bytes.count == 32 else { return nil }
    var value: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
    var index = 0
    let isComplete = withUnsafeMutableBytes(of: &value) { target in
      for position in 0..<16 {
        if bytes.count == 36, position == 4 || position == 6 || position == 8 || position == 10 {
          guard bytes[index] == Byte.minus else { return false }
          index += 1
        }
        guard let high = hex(bytes[index]), let low = hex(bytes[index + 1]) else { return false }
        target[position] = high << 4 | low
        index += 2
      }
      return true
    }
    return isComplete ? UUID(uuid: value) : nil
  }

  static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// Base64 by RFC 4648, the URL alphabet too; padding may be left out.
  package static func base64(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    var count = bytes.count
    while count > 0, bytes.count - count < 2, bytes[count - 1] == UInt8(ascii: "=") { count -= 1 }
    guard count % 4 != 1, count == bytes.count || bytes.count % 4 == 0 else { return nil }
    var decoded: [UInt8] = []
    decoded.reserveCapacity(count * 3 / 4)
    var bits: UInt32 = 0
    var bitCount: UInt32 = 0
    for index in 0..<count {
      guard let digit = sextet(bytes[index]) else { return nil }
      bits = bits << 6 | digit
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        decoded.append(UInt8(truncatingIfNeeded: bits >> bitCount))
      }
      bits &= 0xFFFF
    }
    return bits & ((1 << bitCount) - 1) == 0 ? decoded : nil
  }

  private static func sextet(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(byte) - 65
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(byte) - 71
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte) + 4
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
