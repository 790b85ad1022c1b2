/// A decimal number taken apart: `[+-] digits [. digits] [e [+-] digits]`.
struct DecimalParts {
  var isNegative = false
  /// All digits as one number, while it fits.
  var mantissa: UInt64 = 0
  var isExactMantissa = true
  /// Power of ten of the mantissa's last digit.
  var exponent = 0
  /// The exponent as it is written.
  var writtenExponent = 0
  /// Neither point nor exponent.
  var isWhole = true
  /// Where the digits begin and where they end, the point included.
  private var digits = 0..<0

  /// nil if the bytes are not wholly such a number; `.5` and `5.` are.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    guard bytes.count > 0 else { return nil }
    isNegative = bytes[0] == Byte.minus
    if isNegative || bytes[0] == Byte.plus { index = 1 }
    let start = index
    var digitCount = takeDigits(bytes, &index)
    if index < bytes.count, bytes[index] == Byte.dot {
      index += 1
      isWhole = false
      let fraction = takeDigits(bytes, &index)
      digitCount += fraction
      exponent = -fraction
    }
    guard digitCount > 0 else { return nil }
    digits = start..<index
    if index < bytes.count {
      guard takeExponent(bytes, &index) else { return nil }
    }
    guard index == bytes.count else { return nil }
  }

  private mutating func takeDigits(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Int {
    let start = index
    while index < bytes.count, Byte.isDigit(bytes[index]) {
      if mantissa <= 1 << 59 {
        mantissa = mantissa &* 10 &+ UInt64(bytes[index] &- Byte.zero)
      } else {
        isExactMantissa = false
      }
      index += 1
    }
    return index - start
  }

  private mutating func takeExponent(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int
  ) -> Bool {
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return false }
    index += 1
    isWhole = false
    guard index < bytes.count else { return false }
    let isNegative = bytes[index] == Byte.minus
    if isNegative || bytes[index] == Byte.plus { index += 1 }
    let start = index
    var value = 0
    while index < bytes.count, Byte.isDigit(bytes[index]) {
      // Beyond this every number is zero or infinite anyway.
      if value < 100_000 { value = value * 10 + Int(bytes[index] &- Byte.zero) }
      index += 1
    }
    writtenExponent = isNegative ? -value : value
    exponent += writtenExponent
    return index > start
  }

  /// The digits without the point, and how many stand before it.
  func collectDigits(
    of bytes: UnsafeRawBufferPointer, into collected: inout [UInt8], integerDigits: inout Int
  ) {
    var point: Int?
    for index in digits {
      if bytes[index] == Byte.dot { point = collected.count } else { collected.append(bytes[index]) }
    }
    integerDigits = point ?? collected.count
  }
}
