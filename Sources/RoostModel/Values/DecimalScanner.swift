/// Takes a written number apart: sign, significant digits, and where the point stands.
struct DecimalScanner {
  private var isNegative = false
  /// Values 0 to 9, without leading zeros.
  private var digits: [UInt8] = []
  /// The number is 0.digits times ten to this power.
  private var pointOffset = 0

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count <= 2 * DecimalText.digitsMax else { return nil }
    var index = 0
    if let first = bytes.first, first == UInt8(ascii: "-") || first == UInt8(ascii: "+") {
      isNegative = first == UInt8(ascii: "-")
      index = 1
    }
    guard scanDigits(bytes, &index), scanExponent(bytes, &index), index == bytes.count else {
      return nil
    }
    while digits.last == 0 { digits.removeLast() }
  }

  private mutating func scanDigits(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    var seen = 0
    var isFraction = false
    while index < bytes.count {
      let byte = bytes[index]
      if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else if byte &- UInt8(ascii: "0") < 10 {
        seen += 1
        let isLeadingZero = digits.isEmpty && byte == UInt8(ascii: "0")
        if !isLeadingZero { digits.append(byte &- UInt8(ascii: "0")) }
        if isFraction, isLeadingZero { pointOffset -= 1 }
        if !isFraction, !isLeadingZero { pointOffset += 1 }
      } else {
        break
      }
      index += 1
    }
    return seen > 0
  }

  private mutating func scanExponent(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    guard index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") else { return true }
    let text = String(decoding: bytes[(index + 1)...], as: UTF8.self)
    guard let exponent = Int(text), abs(exponent) <= DecimalText.digitsMax else { return false }
    pointOffset += exponent
    index = bytes.count
    return true
  }

  /// nil where the digits would be too many.
  var canonical: String? {
    if digits.isEmpty { return "0" }
    let leading = max(0, -pointOffset)
    let trailing = max(0, pointOffset - digits.count)
    guard digits.count + leading + trailing <= DecimalText.digitsMax else { return nil }
    var text: [UInt8] = isNegative ? [UInt8(ascii: "-")] : []
    if pointOffset <= 0 { text.append(UInt8(ascii: "0")) }
    if pointOffset <= 0 { text.append(UInt8(ascii: ".")) }
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: leading))
    for (index, digit) in digits.enumerated() {
      if index > 0, index == pointOffset { text.append(UInt8(ascii: ".")) }
      text.append(digit + UInt8(ascii: "0"))
    }
    text.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: trailing))
    return String(decoding: text, as: UTF8.self)
  }
}
