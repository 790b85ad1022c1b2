import FoundationEssentials

/// The arithmetic of queries: never traps, nil where there is no result.
///
/// SQL, the in-memory evaluator and the client share it, so they cannot disagree.
package enum CheckedArithmetic {
  /// nil on overflow, division by zero and `Int64.min` divided by -1.
  package static func apply<Integer: FixedWidthInteger>(
    _ operation: ArithmeticOperator, _ lhs: Integer, _ rhs: Integer
  ) -> Integer? {
    let (result, overflow) =
      switch operation {
      case .add: lhs.addingReportingOverflow(rhs)
      case .subtract: lhs.subtractingReportingOverflow(rhs)
      case .multiply: lhs.multipliedReportingOverflow(by: rhs)
      case .divide: lhs.dividedReportingOverflow(by: rhs)
      case .remainder: lhs.remainderReportingOverflow(dividingBy: rhs)
      }
    return overflow ? nil : result
  }

  /// nil on division by zero and where IEEE gives NaN; an infinity is a result.
  package static func apply(
    _ operation: ArithmeticOperator, _ lhs: Double, _ rhs: Double
  ) -> Double? {
    let result =
      switch operation {
      case .add: lhs + rhs
      case .subtract: lhs - rhs
      case .multiply: lhs * rhs
      case .divide: rhs == 0 ? .nan : lhs / rhs
      case .remainder: lhs.truncatingRemainder(dividingBy: rhs)
      }
    return result.isNaN ? nil : result
  }

  /// Decimal numbers as canonical text; nil beyond 38 digits' range, on division by zero and for
  /// a remainder.
  package static func apply(
    _ operation: ArithmeticOperator, decimal lhs: String, _ rhs: String
  ) -> String? {
    guard let lhs = DecimalText.number(lhs), let rhs = DecimalText.number(rhs) else { return nil }
    let result =
      switch operation {
      case .add: lhs + rhs
      case .subtract: lhs - rhs
      case .multiply: lhs * rhs
      case .divide: rhs.isZero ? .nan : lhs / rhs
      case .remainder: DecimalText.notANumber
      }
    return DecimalText.canonical(result)
  }

  package static func negate(_ value: Int64) -> Int64? { apply(.subtract, 0, value) }

  package static func absolute(_ value: Int64) -> Int64? { value < 0 ? negate(value) : value }
}
