import FoundationEssentials

/// Conversions between attribute types in queries; the same in SQL and in memory.
package enum ValueCast {
  package static func isPossible(from source: AttributeType, to target: AttributeType) -> Bool {
    if source == target { return true }
    let numbers: Set<AttributeType> = [.int, .uint64, .double, .decimal]
    if numbers.contains(source), numbers.contains(target) { return true }
    switch (source, target) {
    case (.date, .double), (.double, .date), (.int, .date): return true
    case (.int, .text), (.uint64, .text), (.decimal, .text), (.bool, .text), (.uuid, .text),
      (.json, .text), (.bool, .int):
      return true
    default: return false
    }
  }

  /// The value in the other type; null for null and where the target cannot hold it.
  ///
  /// Doubles lose their fraction on the way to integers, as `Int(_:)` does.
  package static func apply(
    _ value: Value, from source: AttributeType, to target: AttributeType
  ) -> Value {
    if source == target || value == .null { return value }
    switch target {
    case .int: return integer(value, isUnsigned: source == .uint64).map { .int($0) } ?? .null
    case .uint64: return unsigned(value).map { .int(Int64(bitPattern: $0)) } ?? .null
    case .double: return double(value, isUnsigned: source == .uint64).map { .double($0) } ?? .null
    case .date:
      let seconds = double(value, isUnsigned: false)
      return seconds.flatMap { $0.isNaN ? nil : .date($0) } ?? .null
    case .decimal:
      return decimal(value, isUnsigned: source == .uint64).map { .decimal($0) } ?? .null
    case .text: return text(value, isUnsigned: source == .uint64).map { .text($0) } ?? .null
    case .bool, .uuid, .data, .json: return .null
    }
  }

  private static func integer(_ value: Value, isUnsigned: Bool) -> Int64? {
    switch value {
    case .bool(let flag): flag ? 1 : 0
    case .int(let number): isUnsigned && number < 0 ? nil : number
    case .double(let number): whole(number).flatMap { Int64(exactly: $0) }
    case .decimal(let text): Int64(text.prefix { $0 != "." })
    default: nil
    }
  }

  private static func unsigned(_ value: Value) -> UInt64? {
    switch value {
    case .int(let number): UInt64(exactly: number)
    case .double(let number): whole(number).flatMap { UInt64(exactly: $0) }
    case .decimal(let text): UInt64(text.prefix { $0 != "." })
    default: nil
    }
  }

  private static func double(_ value: Value, isUnsigned: Bool) -> Double? {
    switch value {
    case .int(let number): isUnsigned ? Double(UInt64(bitPattern: number)) : Double(number)
    case .double(let number), .date(let number): number
    case .decimal(let text): Double(text)
    default: nil
    }
  }

  private static func decimal(_ value: Value, isUnsigned: Bool) -> String? {
    switch value {
    case .int(let number): isUnsigned ? String(UInt64(bitPattern: number)) : String(number)
    case .double(let number): DecimalText.canonical(number)
    default: nil
    }
  }

  private static func text(_ value: Value, isUnsigned: Bool) -> String? {
    switch value {
    case .bool(let flag): flag ? "true" : "false"
    case .int(let number): isUnsigned ? String(UInt64(bitPattern: number)) : String(number)
    case .decimal(let text), .text(let text): text
    case .uuid(let uuid): uuid.uuidString
    default: nil
    }
  }

  private static func whole(_ number: Double) -> Double? {
    number.isFinite ? number.rounded(.towardZero) : nil
  }
}
