/// A decimal number taken apart: `[+-] digits [. digits] [e [+-] digits]`.
struct DecimalParts {
  var isNegative = false
  /// All digits as one number, while it fits.
  var mantissa: UInt64 = 0
  var isExactMantissa = true
  /// Power of ten of the mantissa's last digit.
  var exponent = 0
  /// Neither point nor exponent.
  var isWhole = true

  /// nil if the bytes are not wholly such a number; `.5` and `5.` are.
  init?(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    guard bytes.count > 0 else { return nil }
    isNegative = bytes[0] == Byte.minus
    if isNegative || bytes[0] == Byte.plus { index = 1 }
    var digitCount = takeDigits(bytes, &index)
    if index < bytes.count, bytes[index] == Byte.dot {
      index += 1
      isWhole = false
      let fraction = takeDigits(bytes, &index)
      digitCount += fraction
      exponent = -fraction
    }
    guard digitCount > 0 else { return nil }
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
    exponent += isNegative ? -value : value
    return index > start
  }
}
