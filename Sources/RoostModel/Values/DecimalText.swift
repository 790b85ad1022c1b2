package import FoundationEssentials

/// Decimal numbers in their canonical text form: what is stored, sent and compared.
///
/// An optional minus, digits without leading zeros, and where there is a fraction a point and
/// digits without trailing zeros. Zero is "0". No exponent, no plus, no NaN.
package enum DecimalText {
  /// Digits before and after the point that a text may have.
  package static let digitsMax = 400

  static let notANumber = Decimal.nan

  /// The canonical form of a number written in any usual way, exponent included.
  ///
  /// nil if it is not a number or has more than ``digitsMax`` digits.
  package static func canonical(_ text: String) -> String? {
    var text = text
    return text.withUTF8 { canonical(utf8: UnsafeRawBufferPointer($0)) }
  }

  package static func canonical(utf8 bytes: UnsafeRawBufferPointer) -> String? {
    DecimalScanner(bytes)?.canonical
  }

  package static func canonical(_ number: Decimal) -> String? {
    number.isNaN ? nil : canonical(number.description)
  }

  /// The shortest decimal that reads back as the same `Double`; nil if it is not finite.
  package static func canonical(_ number: Double) -> String? {
    number.isFinite ? canonical(number.description) : nil
  }

  package static func number(_ canonicalText: String) -> Decimal? {
    guard let number = Decimal(string: canonicalText, locale: nil), !number.isNaN else {
      return nil
    }
    return number
  }

  /// Orders canonical texts as numbers: negative, 0 or positive.
  ///
  /// Other texts have an order, too, so that it can serve as a collation.
  package static func compare(_ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer) -> Int {
    let minus = UInt8(ascii: "-")
    switch (lhs.first == minus, rhs.first == minus) {
    case (false, false): return compareMagnitudes(lhs, rhs)
    case (true, false): return -1
    case (false, true): return 1
    case (true, true):
      return compareMagnitudes(
        UnsafeRawBufferPointer(rebasing: rhs.dropFirst()),
        UnsafeRawBufferPointer(rebasing: lhs.dropFirst()))
    }
  }

  package static func compare(_ lhs: String, _ rhs: String) -> Int {
    var lhs = lhs
    var rhs = rhs
    return lhs.withUTF8 { lhs in
      rhs.withUTF8 { rhs in
        compare(UnsafeRawBufferPointer(lhs), UnsafeRawBufferPointer(rhs))
      }
    }
  }

  private static func compareMagnitudes(
    _ lhs: UnsafeRawBufferPointer, _ rhs: UnsafeRawBufferPointer
  ) -> Int {
    let point = UInt8(ascii: ".")
    let lhsDigits = lhs.firstIndex(of: point) ?? lhs.count
    let rhsDigits = rhs.firstIndex(of: point) ?? rhs.count
    if lhsDigits != rhsDigits { return lhsDigits < rhsDigits ? -1 : 1 }
    // Equally many digits before the point: what follows compares as text, "." before digits.
    return lhs.compareBytes(to: rhs)
  }
}
