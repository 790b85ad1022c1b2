/// Numbers as people read them.
enum Figures {
  /// `1,234,567`.
  static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number.magnitude)
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.utf8.count - index).isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return text
  }

  /// Three significant digits and a unit: `870 ns`, `12.3 µs`, `1.05 ms`, `2.50 s`.
  static func duration(_ nanoseconds: UInt64) -> String {
    switch nanoseconds {
    case ..<1_000: "\(nanoseconds) ns"
    case ..<999_500: significant(Double(nanoseconds) / 1e3) + " µs"
    case ..<999_500_000: significant(Double(nanoseconds) / 1e6) + " ms"
    default: significant(Double(nanoseconds) / 1e9) + " s"
    }
  }

  /// Three significant digits for what is below 1,000, else whole.
  static func significant(_ number: Double) -> String {
    switch number {
    case ..<9.995: fixed(number, decimals: 2)
    case ..<99.95: fixed(number, decimals: 1)
    default: fixed(number, decimals: 0)
    }
  }

  /// A decimal number with so many places; `-` for what is no number.
  static func fixed(_ number: Double, decimals: Int) -> String {
    let places = max(0, min(9, decimals))
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let scaled = (abs(number) * scale).rounded()
    guard scaled < 9e18 else { return "-" }
    let whole = UInt64(scaled)
    let divisor = UInt64(scale)
    let sign = number < 0 && whole > 0 ? "-" : ""
    if places == 0 { return sign + grouped(whole) }
    let fraction = String(whole % divisor)
    let zeros = String(repeating: "0", count: places - fraction.utf8.count)
    return sign + grouped(whole / divisor) + "." + zeros + fraction
  }

  static func percent(_ share: Double) -> String { fixed(share * 100, decimals: 0) + " %" }

  /// Whole microseconds, rounded, as results give them.
  static func microseconds(_ nanoseconds: UInt64) -> UInt64 {
    nanoseconds / 1_000 + (nanoseconds % 1_000 >= 500 ? 1 : 0)
  }
}
