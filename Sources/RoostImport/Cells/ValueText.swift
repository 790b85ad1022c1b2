import FoundationEssentials
package import RoostModel

/// Values as text, in the form that the readers of this room take back.
package enum ValueText {
  /// nil for null; dates in ISO 8601, bytes in base64.
  package static func text(_ value: Value) -> String? {
    switch value {
    case .null: nil
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): String(number)
    case .double(let number): number.description
    case .text(let text), .decimal(let text): text
    case .blob(let bytes): base64(bytes)
    case .date(let seconds): DateText.text(seconds)
    case .uuid(let uuid): uuid.uuidString
    case .reference(let reference): "#\(reference.row)"
    case .list, .map, .result, .key: json(value).canonicalText
    }
  }

  /// The value as JSON; NaN and the infinities, which JSON lacks, as strings.
  package static func json(_ value: Value) -> JSONValue {
    switch value {
    case .null: .null
    case .bool(let flag): .bool(flag)
    case .int(let number): .number(String(number))
    case .double(let number):
      number.isFinite ? .number(number.description) : .string(number.description)
    case .text(let text): .string(text)
    case .reference(let reference): .number(String(reference.row))
    case .list(let items): .array(items.map { json($0) })
    case .map(let entries): .object(entries.map { JSONMember($0.key, json($0.value)) })
    case .result(let operation): .string("result \(operation)")
    case .key(let key): .array(key.values.map { json($0) })
    case .decimal(let text): .string(text)
    case .blob, .date, .uuid: .string(text(value) ?? "")
    }
  }

  package static func base64(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let sextet = Int(bits >> UInt32(18 - 6 * position)) & 0x3F
        text.append(position <= group.count ? alphabet[sextet] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}

extension DateText {
  /// `2013-01-01T10:00:00Z`, with a fraction of up to nine digits where there is one.
  package static func text(_ secondsSince2001: Double) -> String {
    // Years 1…9999; what is beyond has no ISO form of four digits.
    guard secondsSince2001 >= -63_113_904_000, secondsSince2001 < 252_423_993_600 else {
      return "\(secondsSince2001)"
    }
    var whole = secondsSince2001.rounded(.down)
    var nanoseconds = Int(((secondsSince2001 - whole) * 1e9).rounded())
    if nanoseconds >= 1_000_000_000 {
      whole += 1
      nanoseconds = 0
    }
    let seconds = Int(whole)
    let days = seconds >= 0 ? seconds / 86_400 : -((-seconds + 86_399) / 86_400)
    let rest = seconds - days * 86_400
    let (year, month, day) = civil(daysSince2001: days)
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(rest / 3_600, 2)):\(padded(rest / 60 % 60, 2)):\(padded(rest % 60, 2))"
      + fraction(nanoseconds) + "Z"
  }

  private static func fraction(_ nanoseconds: Int) -> String {
    guard nanoseconds > 0 else { return "" }
    var digits = padded(nanoseconds, 9)
    while digits.last == "0" { digits.removeLast() }
    return "." + digits
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func civil(daysSince2001 days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 730_791
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * march + 2) / 5 + 1
    )
  }
}
