import FoundationEssentials

/// How queries order and equate values, in memory as in SQL.
package enum ValueOrder {
  /// The order of a sort: nil first, then as the domain says; negative, 0 or positive.
  package static func compare(
    _ lhs: Value, _ rhs: Value, in domain: ComparisonDomain
  ) -> Int {
    switch (lhs, rhs) {
    case (.null, .null): 0
    case (.null, _): -1
    case (_, .null): 1
    default: compareValues(lhs, rhs, in: domain)
    }
  }

  private static func compareValues(
    _ lhs: Value, _ rhs: Value, in domain: ComparisonDomain
  ) -> Int {
    switch (lhs, rhs) {
    case (.bool(let lhs), .bool(let rhs)): order(lhs ? 1 : 0, rhs ? 1 : 0)
    case (.int(let lhs), .int(let rhs)):
      domain == .unsigned
        ? order(UInt64(bitPattern: lhs), UInt64(bitPattern: rhs)) : order(lhs, rhs)
    case (.double(let lhs), .double(let rhs)), (.date(let lhs), .date(let rhs)):
      compare(lhs, rhs)
    case (.int(let lhs), .double(let rhs)): compare(lhs, rhs)
    case (.double(let lhs), .int(let rhs)): -compare(rhs, lhs)
    case (.decimal(let lhs), .decimal(let rhs)): DecimalText.compare(lhs, rhs)
    case (.text(let lhs), .text(let rhs)): lhs.compareBytes(to: rhs)
    case (.blob(let lhs), .blob(let rhs)):
      lhs.withUnsafeBytes { lhs in rhs.withUnsafeBytes { lhs.compareBytes(to: $0) } }
    case (.uuid(let lhs), .uuid(let rhs)):
      withUnsafeBytes(of: lhs.uuid) { lhs in
        withUnsafeBytes(of: rhs.uuid) { lhs.compareBytes(to: $0) }
      }
    case (.reference(let lhs), .reference(let rhs)):
      lhs.entity == rhs.entity ? order(lhs.row, rhs.row) : order(lhs.entity, rhs.entity)
    default:
      // Kinds the checker keeps apart: any fixed order, so that a sort stays consistent.
      order(lhs.kindNumber, rhs.kindNumber)
    }
  }

  /// NaN equals itself and is greater than every number; -0 equals 0.
  package static func compare(_ lhs: Double, _ rhs: Double) -> Int {
    if lhs < rhs { return -1 }
    if lhs > rhs { return 1 }
    if lhs == rhs { return 0 }
    return order(lhs.isNaN ? 1 : 0, rhs.isNaN ? 1 : 0)
  }

  /// Exact: the integer is not rounded to a `Double`.
  package static func compare(_ lhs: Int64, _ rhs: Double) -> Int {
    if rhs.isNaN || rhs >= 0x1p63 { return -1 }
    if rhs < -0x1p63 { return 1 }
    let whole = rhs.rounded(.towardZero)
    let integer = Int64(whole)
    return lhs == integer ? compare(whole, rhs) : order(lhs, integer)
  }

  private static func order<Number: Comparable>(_ lhs: Number, _ rhs: Number) -> Int {
    lhs < rhs ? -1 : (lhs > rhs ? 1 : 0)
  }
}
