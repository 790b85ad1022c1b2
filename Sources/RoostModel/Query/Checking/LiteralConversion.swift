/// Literals take the type of what stands beside them, as in Swift.
enum LiteralConversion {
  static func adapt(_ expression: TypedExpression, to other: TypedExpression) -> TypedExpression {
    guard case .literal(let value) = expression.node, expression.type != other.type,
      other.literal == nil
    else { return expression }
    if accepts(value, as: other.type) { return TypedExpression(other.type, .literal(value)) }
    guard let converted = converted(value, to: other.type) else { return expression }
    return TypedExpression(other.type, .literal(converted))
  }

  /// Whether the value is that type's own form although its natural type is another.
  static func accepts(_ value: Value, as type: ExpressionType) -> Bool {
    switch (value, type) {
    case (.int, .attribute(.uint64)), (.text, .attribute(.json)): true
    default: false
    }
  }

  /// The value in that type's form; nil where the meaning would change.
  static func converted(_ value: Value, to type: ExpressionType) -> Value? {
    switch (value, type) {
    case (.int(let number), .attribute(.decimal)): .decimal(String(number))
    case (.double(let number), .attribute(.decimal)):
      DecimalText.canonical(number).map { .decimal($0) }
    default: nil
    }
  }
}

/// Which types can be compared, and how.
enum ComparisonChoice {
  static func domain(_ lhs: ExpressionType, _ rhs: ExpressionType) -> ComparisonDomain? {
    switch (lhs, rhs) {
    case (.null, let type), (let type, .null): return ComparisonDomain(type)
    case (.attribute(.int), .attribute(.double)), (.attribute(.double), .attribute(.int)):
      return .number
    default: return lhs == rhs ? ComparisonDomain(lhs) : nil
    }
  }
}

/// Which types can be calculated with, and what comes out.
struct ArithmeticChoice {
  var domain: ArithmeticDomain
  var result: AttributeType

  init?(_ operation: ArithmeticOperator, _ lhs: ExpressionType, _ rhs: ExpressionType) {
    let isSum = operation == .add || operation == .subtract
    switch (ArithmeticChoice.operand(lhs, beside: rhs), ArithmeticChoice.operand(rhs, beside: lhs))
    {
    case (.int, .int): (domain, result) = (.integer, .int)
    case (.double, .double), (.int, .double), (.double, .int): (domain, result) = (.double, .double)
    case (.uint64, .uint64): (domain, result) = (.unsigned, .uint64)
    case (.decimal, .decimal) where operation != .remainder:
      (domain, result) = (.decimal, .decimal)
    case (.date, .date) where operation == .subtract: (domain, result) = (.double, .double)
    case (.date, .int) where isSum, (.date, .double) where isSum:
      (domain, result) = (.double, .date)
    case (.int, .date) where operation == .add, (.double, .date) where operation == .add:
      (domain, result) = (.double, .date)
    default: return nil
    }
  }

  /// nil beside a type counts as that type; nil beside a date as a number, since the result of
  /// the two is nil anyway.
  private static func operand(
    _ type: ExpressionType, beside other: ExpressionType
  ) -> AttributeType? {
    switch (type, other) {
    case (.attribute(let type), _): type
    case (.null, .attribute(.date)): .double
    case (.null, .attribute(let other)): other
    default: nil
    }
  }
}
