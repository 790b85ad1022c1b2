/// ISO 8601 dates as seconds since 2001-01-01T00:00:00Z.
package enum DateText {
  /// `2013-01-01`, `2013-01-01T10:00Z`, `2013-01-01 10:00:00.25+02:00`; without zone it is UTC.
  ///
  /// - Complexity: O(bytes); no allocation.
  package static func seconds(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard bytes.count >= 10, bytes[4] == Byte.minus, bytes[7] == Byte.minus,
      let year = number(bytes, 0, 4), let month = number(bytes, 5, 2),
      let day = number(bytes, 8, 2), month >= 1, month <= 12, day >= 1,
      day <= daysIn(month: month, year: year)
    else { return nil }
    let days = daysSince2001(year: year, month: month, day: day)
    if bytes.count == 10 { return Double(days * 86_400) }
    guard bytes[10] | 0x20 == UInt8(ascii: "t") || bytes[10] == Byte.space,
      let time = timeOfDay(bytes, from: 11)
    else { return nil }
    let whole = Double(days * 86_400 + time.seconds)
    return time.fraction == 0 ? whole : whole + time.fraction
  }

  private static func timeOfDay(
    _ bytes: UnsafeRawBufferPointer, from start: Int
  ) -> (seconds: Int, fraction: Double)? {
    guard bytes.count >= start + 5, bytes[start + 2] == Byte.colon,
      let hour = number(bytes, start, 2), let minute = number(bytes, start + 3, 2),
      hour <= 23, minute <= 59
    else { return nil }
    var index = start + 5
    var seconds = hour * 3_600 + minute * 60
    var fraction = 0.0
    if index < bytes.count, bytes[index] == Byte.colon {
      // 60 is a leap second: the next second in a count without them.
      guard let second = number(bytes, index + 1, 2), second <= 60 else { return nil }
      seconds += second
      index += 3
      if index < bytes.count, bytes[index] == Byte.dot || bytes[index] == Byte.comma {
        index += 1
        guard let part = fractionOfSecond(bytes, &index) else { return nil }
        fraction = part
      }
    }
    guard let offset = zone(bytes, from: index) else { return nil }
    return (seconds - offset, fraction)
  }

  private static func fractionOfSecond(
    _ bytes: UnsafeRawBufferPointer, _ index: inout Int
  ) -> Double? {
    let start = index
    var digits: UInt64 = 0
    var scale = 1.0
    while index < bytes.count, Byte.isDigit(bytes[index]) {
      if index - start < 15 {
        digits = digits * 10 + UInt64(bytes[index] &- Byte.zero)
        scale *= 10
      }
      index += 1
    }
    return index > start ? Double(digits) / scale : nil
  }

  /// Seconds east of Greenwich: nothing, `Z`, `+02`, `+0200` or `+02:00`, to the end.
  private static func zone(_ bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let count = bytes.count - start
    if count == 0 { return 0 }
    if count == 1 { return bytes[start] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
    let isWest = bytes[start] == Byte.minus
    guard isWest || bytes[start] == Byte.plus, let hours = number(bytes, start + 1, 2),
      hours <= 18
    else { return nil }
    var minutes = 0
    if count == 5 || count == 6 {
      guard count == 5 || bytes[start + 3] == Byte.colon,
        let value = number(bytes, bytes.count - 2, 2), value <= 59
      else { return nil }
      minutes = value
    } else if count != 3 {
      return nil
    }
    let offset = hours * 3_600 + minutes * 60
    return isWest ? -offset : offset
  }

  private static func number(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ count: Int
  ) -> Int? {
    guard start + count <= bytes.count else { return nil }
    var value = 0
    for index in start..<start + count {
      let digit = bytes[index] &- Byte.zero
      if digit > 9 { return nil }
      value = value * 10 + Int(digit)
    }
    return value
  }

  private static func daysIn(month: Int, year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    if month == 2 { return isLeap ? 29 : 28 }
    return month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
  }

  /// Days by counting years from March, so that the leap day comes last.
  package static func daysSince2001(year: Int, month: Int, day: Int) -> Int {
    let marchYear = month > 2 ? year : year - 1
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // 730,791 days lie between 0000-03-01 and 2001-01-01.
    return era * 146_097 + dayOfEra - 730_791
  }
}
