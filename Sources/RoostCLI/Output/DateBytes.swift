import RoostImport
import RoostModel

/// Dates as ``ValueText`` writes them; the day's part is kept, as rows of one day often follow
/// each other.
struct DateBytes {
  private var day = Int.min
  /// `2013-01-31T`
  private var dayText: [UInt8] = []

  mutating func append(_ seconds: Double, to output: inout ByteBuffer) {
    // Whole seconds of the years 1 to 9999; the others are rare.
    guard seconds >= -63_113_904_000, seconds < 252_423_993_600,
      seconds == seconds.rounded(.towardZero)
    else { return output.append(ValueText.text(.date(seconds)) ?? "") }
    let whole = Int(seconds)
    let day = whole >= 0 ? whole / 86_400 : -((86_399 - whole) / 86_400)
    if day != self.day { remember(day) }
    let second = whole - day * 86_400
    dayText.withUnsafeBytes { output.append($0) }
    output.reserve(9)
    output.put(twoDigits: second / 3_600)
    output.put(UInt8(ascii: ":"))
    output.put(twoDigits: second / 60 % 60)
    output.put(UInt8(ascii: ":"))
    output.put(twoDigits: second % 60)
    output.put(UInt8(ascii: "Z"))
  }

  private mutating func remember(_ day: Int) {
    let midnight = ValueText.text(.date(Double(day * 86_400))) ?? ""
    self.day = day
    dayText = Array(midnight.utf8.prefix(11))
  }
}
