/// Reads one ISO 8601 date from bytes.
struct DateScanner {
  let bytes: UnsafeRawBufferPointer
  private var index = 0

  init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  mutating func seconds() -> Double? {
    guard let year = number(digits: 4), take("-"), let month = number(digits: 2), take("-"),
      let day = number(digits: 2), let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    let midnight = date.daysSince2001 * 86_400
    if index == bytes.count { return Double(midnight) }
    guard take("T") || take(" ") || take("t"), let hour = number(digits: 2), hour < 24, take(":"),
      let minute = number(digits: 2), minute < 60
    else { return nil }
    var seconds = midnight + hour * 3_600 + minute * 60
    var fraction = 0.0
    if take(":") {
      guard let second = number(digits: 2), second < 60 else { return nil }
      seconds += second
      if take(".") || take(",") {
        guard let digits = fractionDigits() else { return nil }
        fraction = digits
      }
    }
    guard let offset = zoneSeconds(), index == bytes.count else { return nil }
    return Double(seconds - offset) + fraction
  }

  private mutating func zoneSeconds() -> Int? {
    if index == bytes.count || take("Z") || take("z") { return 0 }
    let sign = take("+") ? 1 : (take("-") ? -1 : 0)
    guard sign != 0, let hours = number(digits: 2), hours < 24 else { return nil }
    if index == bytes.count { return sign * hours * 3_600 }
    _ = take(":")
    guard let minutes = number(digits: 2), minutes < 60 else { return nil }
    return sign * (hours * 3_600 + minutes * 60)
  }

  /// Digits beyond the eighteenth are below what a `Double` can tell and are dropped.
  private mutating func fractionDigits() -> Double? {
    var digits: Int64 = 0
    var scale = 1.0
    let start = index
    while index < bytes.count, bytes[index] &- UInt8(ascii: "0") < 10 {
      if index - start < 18 {
        digits = digits * 10 + Int64(bytes[index] &- UInt8(ascii: "0"))
        scale *= 10
      }
      index += 1
    }
    return index == start ? nil : Double(digits) / scale
  }

  private mutating func number(digits: Int) -> Int? {
    guard index + digits <= bytes.count else { return nil }
    var number = 0
    for _ in 0..<digits {
      let digit = bytes[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return nil }
      number = number * 10 + Int(digit)
      index += 1
    }
    return number
  }

  private mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard index < bytes.count, bytes[index] == UInt8(ascii: character) else { return false }
    index += 1
    return true
  }
}
