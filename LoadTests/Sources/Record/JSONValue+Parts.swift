import RoostImport

extension JSONValue {
  /// The number as the nearest double; nil for anything else.
  var double: Double? {
    guard case .number(let text) = self else { return nil }
    return Double(text)
  }

  /// A whole number of 0 and more.
  var count: UInt64? {
    guard case .number(let text) = self else { return nil }
    return UInt64(text)
  }

  var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  var flag: Bool? {
    guard case .bool(let flag) = self else { return nil }
    return flag
  }

  /// The members of an object in their order; none of anything else.
  var parts: [JSONMember] {
    guard case .object(let members) = self else { return [] }
    return members
  }

  /// The elements of an array; none of anything else.
  var elements: [JSONValue] {
    guard case .array(let items) = self else { return [] }
    return items
  }

  /// A duration in microseconds, as nanoseconds.
  var nanoseconds: UInt64? {
    guard let double, double >= 0, double < 1e15 else { return nil }
    return UInt64((double * 1_000).rounded())
  }
}
