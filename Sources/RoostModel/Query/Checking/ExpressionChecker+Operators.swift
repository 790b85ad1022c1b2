extension ExpressionChecker {
  func compare(
    _ operation: ComparisonOperator, _ first: QueryExpression, _ second: QueryExpression,
    in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    let (lhs, rhs) = adapted(try typed(first), try typed(second))
    guard let domain = ComparisonChoice.domain(lhs.type, rhs.type) else {
      throw unsupported(expression, "compares \(name(lhs.type)) with \(name(rhs.type))")
    }
    let asksOrder = operation != .equal && operation != .notEqual
    guard domain.isOrdered || !asksOrder else {
      throw unsupported(expression, "asks for an order that \(name(lhs.type)) does not have")
    }
    return .condition(.compare(operation, domain, lhs, rhs))
  }

  func isIn(
    _ part: QueryExpression, _ values: [Value], in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    let operand = try typed(part)
    var domain = ComparisonDomain(operand.type)
    var converted: [Value] = []
    converted.reserveCapacity(values.count)
    for value in values {
      guard let natural = ExpressionType(natural: value) else {
        throw unsupported(expression, "has a list item that is not a value")
      }
      let item = LiteralConversion.adapt(
        TypedExpression(natural, .literal(value)), to: operand)
      guard let shared = ComparisonChoice.domain(operand.type, item.type) else {
        throw unsupported(expression, "looks for \(name(natural)) among \(name(operand.type))")
      }
      if shared == .number { domain = .number }
      converted.append(item.literal ?? value)
    }
    return .condition(.isIn(operand, domain, converted))
  }

  func arithmetic(
    _ operation: ArithmeticOperator, _ first: QueryExpression, _ second: QueryExpression,
    in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    let (lhs, rhs) = adapted(try typed(first), try typed(second))
    if lhs.type == .null, rhs.type == .null { return TypedExpression(.null, .literal(.null)) }
    guard let choice = ArithmeticChoice(operation, lhs.type, rhs.type) else {
      let types = "\(name(lhs.type)) and \(name(rhs.type))"
      throw unsupported(expression, "calculates with \(types), which has no result")
    }
    return TypedExpression(
      .attribute(choice.result), .arithmetic(operation, choice.domain, lhs, rhs))
  }

  func text(_ part: QueryExpression) throws(StoreError) -> TypedExpression {
    let checked = try typed(part)
    guard checked.type == .attribute(.text) || checked.type == .null else {
      throw unsupported(part, "is \(name(checked.type)), not text")
    }
    return checked
  }

  func call(
    _ function: QueryFunction, _ arguments: [QueryExpression], in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    guard arguments.count == 1, let part = arguments.first else {
      throw unsupported(expression, "takes one argument")
    }
    switch function {
    case .fold, .lowercased, .uppercased:
      return TypedExpression(.attribute(.text), .function(function, try text(part)))
    case .length:
      return TypedExpression(.attribute(.int), .function(function, try text(part)))
    case .absolute, .negate:
      let operand = try typed(part)
      switch operand.type {
      case .null, .attribute(.int), .attribute(.double), .attribute(.decimal):
        return TypedExpression(operand.type, .function(function, operand))
      default: throw unsupported(expression, "needs a signed number, not \(name(operand.type))")
      }
    }
  }

  func cast(
    _ part: QueryExpression, to type: AttributeType, in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    let operand = try typed(part)
    switch operand.type {
    case .null: return TypedExpression(.attribute(type), .cast(operand))
    case .attribute(let source) where ValueCast.isPossible(from: source, to: type):
      return TypedExpression(.attribute(type), .cast(operand))
    default:
      throw unsupported(expression, "turns \(name(operand.type)) into \(type.name)")
    }
  }

  /// Two branches brought to one type.
  func unified(
    _ first: QueryExpression, _ second: QueryExpression, in expression: QueryExpression
  ) throws(StoreError) -> (TypedExpression, TypedExpression, ExpressionType) {
    let (lhs, rhs) = adapted(try typed(first), try typed(second))
    if lhs.type == rhs.type { return (lhs, rhs, lhs.type) }
    let double = ExpressionType.attribute(.double)
    switch (lhs.type, rhs.type) {
    case (.null, let type), (let type, .null): return (lhs, rhs, type)
    case (.attribute(.int), double):
      return (TypedExpression(double, .cast(lhs)), rhs, double)
    case (double, .attribute(.int)):
      return (lhs, TypedExpression(double, .cast(rhs)), double)
    default:
      throw unsupported(expression, "gives \(name(lhs.type)) or \(name(rhs.type))")
    }
  }

  /// A literal takes the type of what stands beside it, where it can.
  private func adapted(
    _ lhs: TypedExpression, _ rhs: TypedExpression
  ) -> (TypedExpression, TypedExpression) {
    (LiteralConversion.adapt(lhs, to: rhs), LiteralConversion.adapt(rhs, to: lhs))
  }
}
