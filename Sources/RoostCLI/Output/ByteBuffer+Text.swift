import RoostImport
import RoostModel

/// Values as text, byte for byte as ``ValueText`` writes them.
extension ByteBuffer {
  mutating func append(integer value: Int64) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(digits: value.magnitude)
  }

  @inline(__always)
  mutating func append(digits value: UInt64) {
    reserve(20)
    if value < 10 { return put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value)) }
    var digitCount = 2
    var scale: UInt64 = 100
    // Ends before it could overflow: 20 digits are all there are.
    while digitCount < 20, value >= scale {
      digitCount += 1
      scale = digitCount < 20 ? scale &* 10 : scale
    }
    put(count: digitCount) { place in
      var rest = value
      for index in stride(from: digitCount - 1, through: 0, by: -1) {
        let (tenth, digit) = rest.quotientAndRemainder(dividingBy: 10)
        place[index] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
        rest = tenth
      }
    }
  }

  /// A number from 0 to 99 into room that was reserved.
  @inline(__always)
  mutating func put(twoDigits number: Int) {
    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / 10))
    put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
  }

  /// The shortest text that reads back as the same number.
  mutating func append(number value: Double) {
    let isWhole = value.magnitude < 1e15 && value == value.rounded(.towardZero)
    // The sign of -0 would be lost in an integer.
    guard isWhole, value != 0 || value.sign == .plus else { return append(value.description) }
    append(integer: Int64(value))
    reserve(2)
    put(UInt8(ascii: "."))
    put(UInt8(ascii: "0"))
  }

  mutating func append(base64 bytes: UnsafeRawBufferPointer) {
    reserve((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let groupCount = Swift.min(3, bytes.count - start)
      var bits: UInt32 = 0
      for index in start..<start + groupCount { bits = bits << 8 | UInt32(bytes[index]) }
      bits <<= UInt32(8 * (3 - groupCount))
      for position in 0..<4 {
        let sextet = UInt8(truncatingIfNeeded: bits >> UInt32(18 - 6 * position)) & 0x3F
        put(position <= groupCount ? ByteBuffer.base64Digit(sextet) : UInt8(ascii: "="))
      }
    }
  }

  private static func base64Digit(_ sextet: UInt8) -> UInt8 {
    switch sextet {
    case 0..<26: UInt8(ascii: "A") + sextet
    case 26..<52: UInt8(ascii: "a") + sextet - 26
    case 52..<62: UInt8(ascii: "0") + sextet - 52
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }

  /// `9F0C6A52-…` of 16 bytes.
  mutating func append(uuid bytes: UnsafeRawBufferPointer) {
    reserve(2 * bytes.count + 4)
    for (index, byte) in bytes.enumerated() {
      if index == 4 || index == 6 || index == 8 || index == 10 { put(UInt8(ascii: "-")) }
      put(ByteBuffer.hexDigit(byte >> 4))
      put(ByteBuffer.hexDigit(byte & 0x0F))
    }
  }

  private static func hexDigit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }

  /// A string of JSON with its quotes.
  mutating func append(jsonString text: UnsafeRawBufferPointer) {
    reserve(text.count + 2)
    if !ByteBuffer.needsEscapes(text) {
      put(UInt8(ascii: "\""))
      put(text)
      put(UInt8(ascii: "\""))
    } else {
      var escaped: [UInt8] = []
      JSONEscapes.appendQuoted(text, to: &escaped)
      append(escaped)
    }
  }

  private static func needsEscapes(_ text: UnsafeRawBufferPointer) -> Bool {
    // Without a way out of the loop, so that it is done many bytes at a time.
    var found: UInt8 = 0
    for byte in text {
      found |= byte < 0x20 ? 1 : 0
      found |= byte == UInt8(ascii: "\"") ? 1 : 0
      found |= byte == UInt8(ascii: "\\") ? 1 : 0
    }
    return found != 0
  }
}
