/// Numbers for people.
enum NumberForm {
  /// `336,776`
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 row`, `2,000 rows`
  static func rows(_ number: Int) -> String {
    "\(grouped(number)) \(number == 1 ? "row" : "rows")"
  }

  /// At most three digits behind the point.
  static func decimal(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    let thousandths = Int((number * 1_000).rounded())
    let whole = grouped(abs(thousandths) / 1_000)
    var fraction = String(abs(thousandths) % 1_000 + 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return (thousandths < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
