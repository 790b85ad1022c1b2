/// Numbers written as text, read without a `String` wherever the result is exact.
package enum NumberText {
  /// A whole number with an optional sign; nil if it is none or does not fit.
  @inline(__always)
  package static func int(_ bytes: UnsafeRawBufferPointer) -> Int64? {
    var index = 0
    guard bytes.count > 0 else { return nil }
    let isNegative = bytes[0] == Byte.minus
    if isNegative || bytes[0] == Byte.plus { index = 1 }
    guard let magnitude = magnitude(bytes, from: index) else { return nil }
    if isNegative {
      return magnitude <= UInt64(Int64.max) + 1 ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
    return Int64(exactly: magnitude)
  }

  package static func uint64(_ bytes: UnsafeRawBufferPointer) -> UInt64? {
    magnitude(bytes, from: bytes.count > 0 && bytes[0] == Byte.plus ? 1 : 0)
  }

  @inline(__always)
  private static func magnitude(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64? {
    let count = bytes.count - start
    guard count > 0 else { return nil }
    var value: UInt64 = 0
    if count < 19 {
      // 18 digits cannot overflow.
      for index in start..<bytes.count {
        let digit = bytes[index] &- Byte.zero
        if digit > 9 { return nil }
        value = value &* 10 &+ UInt64(digit)
      }
      return value
    }
    for index in start..<bytes.count {
      let digit = bytes[index] &- Byte.zero
      if digit > 9 { return nil }
      let (product, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
      if overflow || carry { return nil }
      value = sum
    }
    return value
  }

  /// A decimal number with optional fraction and exponent, `nan`, `inf` or `infinity`.
  ///
  /// The nearest `Double`; short numbers, which is nearly all, take no library call: up to
  /// 2^53 with a power of ten up to 22 both operands are exact, so one operation rounds once.
  package static func double(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let parts = DecimalParts(bytes) else { return special(bytes) }
    if parts.isExactMantissa, parts.mantissa <= 1 << 53, abs(parts.exponent) <= 22 {
      let mantissa = Double(parts.mantissa)
      let power = powersOfTen[abs(parts.exponent)]
      let value = parts.exponent < 0 ? mantissa / power : mantissa * power
      return parts.isNegative ? -value : value
    }
    return Double(String(decoding: bytes, as: UTF8.self))
  }

  private static func special(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard bytes.count >= 3, bytes.count <= 9 else { return nil }
    let isSigned = bytes[0] == Byte.minus || bytes[0] == Byte.plus
    let word = isSigned ? bytes.part(1, bytes.count - 1) : bytes
    if word.isWord("nan") { return .nan }
    guard word.isWord("inf") || word.isWord("infinity") else { return nil }
    return bytes[0] == Byte.minus ? -.infinity : .infinity
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]
}
