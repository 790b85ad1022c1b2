/// Figures with units for people, three or four characters of number; `-` for what is missing.
enum FigureForm {
  static let missing = "-"

  /// `812`, `18.2k`, `142k`, `1.2M`; fractions below ten keep a digit: `8.3`.
  static func count(_ number: Double?) -> String {
    guard let number else { return missing }
    if abs(number) < 999.5 {
      let isWhole = number == number.rounded() || abs(number) >= 9.95
      return fixed(number, isWhole ? 0 : 1)
    }
    return scaled(number, by: 1_000, ["", "k", "M", "G", "T", "P"])
  }

  /// `812 B`, `12 MB`, `4.2 GB`: units of 1,024.
  static func bytes(_ number: Double?) -> String {
    guard let number else { return missing }
    return scaled(number, by: 1_024, [" B", " kB", " MB", " GB", " TB", " PB"])
  }

  /// Milliseconds without their unit, of microseconds: `0.09`, `9.7`, `41`, `1,200`.
  static func milliseconds(_ microseconds: Double?) -> String {
    guard let microseconds else { return missing }
    let value = microseconds / 1_000
    // Gets that are answered at once take some microseconds.
    if abs(value) < 0.01, value != 0 { return fixed(value, 3) }
    if abs(value) < 1 { return fixed(value, 2) }
    if abs(value) < 99.5 { return value == value.rounded() ? fixed(value, 0) : fixed(value, 1) }
    return grouped(value)
  }

  /// `135 µs`, `2.9 ms`, `1.2 s`, `4m 12s`.
  static func time(microseconds: Double?) -> String {
    guard let microseconds else { return missing }
    if microseconds < 999.5 { return fixed(microseconds, 0) + " µs" }
    if microseconds < 999_500 { return milliseconds(microseconds) + " ms" }
    return time(milliseconds: microseconds / 1_000)
  }

  /// `40 ms`, `2.1 s`, `4m 12s`, `3h 04m`, `3d 04:12`.
  static func time(milliseconds: Double?) -> String {
    guard let milliseconds else { return missing }
    if milliseconds < 999.5 { return fixed(milliseconds, 0) + " ms" }
    if milliseconds < 59_500 {
      let seconds = milliseconds / 1_000
      return fixed(seconds, seconds < 9.95 ? 1 : 0) + " s"
    }
    guard let seconds = Int(exactly: (milliseconds / 1_000).rounded()) else { return "ages" }
    let (minutes, hours, days) = (seconds / 60, seconds / 3_600, seconds / 86_400)
    if hours == 0 { return "\(minutes)m \(padded(seconds % 60))s" }
    if days == 0 { return "\(hours)h \(padded(minutes % 60))m" }
    return "\(days)d \(padded(hours % 24)):\(padded(minutes % 60))"
  }

  /// `00:00:48`; for what remains.
  static func clock(milliseconds: Double?) -> String {
    guard let milliseconds, let seconds = Int(exactly: (milliseconds / 1_000).rounded()),
      seconds >= 0
    else { return missing }
    return "\(padded(seconds / 3_600)):\(padded(seconds / 60 % 60)):\(padded(seconds % 60))"
  }

  /// `46 %`; near the ends a digit more, so that 99.9 % is not all: `99.2 %`.
  static func share(_ share: Double?) -> String {
    guard let share else { return missing }
    let percent = share * 100
    if percent == percent.rounded() || (percent >= 10 && percent < 90) || percent > 100 {
      return fixed(percent, 0) + " %"
    }
    return fixed((percent * 10).rounded(.down) / 10, 1) + " %"
  }

  /// `336,776`, rounded.
  static func grouped(_ number: Double?) -> String {
    guard let number else { return missing }
    guard let whole = Int(exactly: number.rounded()) else { return "\(number)" }
    return NumberForm.grouped(whole)
  }

  /// With so many digits behind the point.
  static func fixed(_ number: Double, _ digits: Int) -> String {
    let scale = [1.0, 10, 100, 1_000][max(0, min(3, digits))]
    guard let units = Int(exactly: (number * scale).rounded()), digits > 0 else {
      return Int(exactly: number.rounded()).map { "\($0)" } ?? "\(number)"
    }
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt(scale))
    let fraction = String(rest)
    let zeros = String(repeating: "0", count: max(0, digits - fraction.count))
    return "\(units < 0 ? "-" : "")\(whole).\(zeros)\(fraction)"
  }

  private static func scaled(_ number: Double, by factor: Double, _ units: [String]) -> String {
    var value = number
    var index = 0
    while abs(value) >= 999.5, index < units.count - 1 {
      value /= factor
      index += 1
    }
    let isRough = index == 0 || abs(value) >= 99.5 || value == value.rounded()
    return fixed(value, isRough ? 0 : 1) + units[index]
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
