/// Dates as ISO 8601 text, in the Gregorian calendar of all years 1 to 9999.
///
/// Reads `2013-01-31`, `2013-01-31T12:05`, `2013-01-31 12:05:30.25`, each with `Z`, `+02`,
/// `+0200`, `+02:00` or nothing behind a time, which is UTC.
package enum DateText {
  /// Seconds since 2001-01-01T00:00:00Z; nil if the text is not a date.
  package static func seconds(_ text: String) -> Double? {
    var text = text
    return text.withUTF8 { seconds(utf8: UnsafeRawBufferPointer($0)) }
  }

  package static func seconds(utf8 bytes: UnsafeRawBufferPointer) -> Double? {
    var scanner = DateScanner(bytes: bytes)
    return scanner.seconds()
  }

  /// The text that reads back as the same seconds, in UTC: `2013-01-31T12:05:30.25Z`.
  ///
  /// nil for what ISO 8601 has no such text for: years outside 1 to 9999, fractions finer than
  /// nanoseconds, NaN.
  package static func text(_ seconds: Double) -> String? {
    let whole = seconds.rounded(.down)
    guard whole >= -63_113_904_000, whole < 252_423_993_600 else { return nil }
    var text = wholeText(Int(whole))
    if whole != seconds {
      guard let fraction = fraction(of: seconds, whole: whole) else { return nil }
      text.append(contentsOf: fraction)
    }
    text.append(UInt8(ascii: "Z"))
    return String(decoding: text, as: UTF8.self)
  }

  private static func wholeText(_ seconds: Int) -> [UInt8] {
    let day = seconds >= 0 ? seconds / 86_400 : -((86_399 - seconds) / 86_400)
    let second = seconds - day * 86_400
    let date = CivilDate(daysSince2001: day)
    var text: [UInt8] = []
    text.reserveCapacity(32)
    append(date.year, digits: 4, to: &text)
    text.append(UInt8(ascii: "-"))
    append(date.month, digits: 2, to: &text)
    text.append(UInt8(ascii: "-"))
    append(date.day, digits: 2, to: &text)
    text.append(UInt8(ascii: "T"))
    append(second / 3_600, digits: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(second / 60 % 60, digits: 2, to: &text)
    text.append(UInt8(ascii: ":"))
    append(second % 60, digits: 2, to: &text)
    return text
  }

  private static func append(_ number: Int, digits: Int, to text: inout [UInt8]) {
    var scale = 1
    for _ in 1..<digits { scale *= 10 }
    while scale > 0 {
      text.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / scale % 10))
      scale /= 10
    }
  }

  /// The fewest digits, up to nine, that give the same seconds again.
  private static func fraction(of seconds: Double, whole: Double) -> [UInt8]? {
    var scale = 1.0
    for digits in 1...9 {
      scale *= 10
      let scaled = ((seconds - whole) * scale).rounded()
      guard scaled < scale, whole + scaled / scale == seconds else { continue }
      var text = [UInt8(ascii: ".")]
      append(Int(scaled), digits: digits, to: &text)
      return text
    }
    return nil
  }
}

/// A day of the proleptic Gregorian calendar.
struct CivilDate {
  var year: Int
  var month: Int
  var day: Int

  init?(year: Int, month: Int, day: Int) {
    guard (1...9_999).contains(year), (1...12).contains(month), day >= 1,
      day <= CivilDate.daysInMonth(month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// The inverse of ``daysSince2001``, by Howard Hinnant's `civil_from_days`: years begin in March.
  init(daysSince2001 days: Int) {
    let shifted = days + CivilDate.marchEpochTo2001
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  var daysSince2001: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - CivilDate.marchEpochTo2001
  }

  /// Days from 0000-03-01 to 2001-01-01.
  private static let marchEpochTo2001 = 730_791

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
