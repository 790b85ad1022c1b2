import Foundation
import RoostModel

extension PredicateExpressions.Equal: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.equality(try context.lower(lhs), try context.lower(rhs))
  }
}

extension PredicateExpressions.NotEqual: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let equal = try context.equality(try context.lower(lhs), try context.lower(rhs))
    if let value = equal.bool { return .constant(!value) }
    if case .expression(.compare(.equal, let left, let right)) = equal {
      return .expression(.compare(.notEqual, left, right))
    }
    return .expression(.not(try context.expression(equal)))
  }
}

extension LoweringContext {
  func equality(_ lhs: Lowered, _ rhs: Lowered) throws(SwiftDataError) -> Lowered {
    if case .constant(let left) = lhs, case .constant(let right) = rhs {
      return .constant(try literal(left, near: nil) == (try literal(right, near: nil)))
    }
    if case .constant = lhs { return try equality(rhs, lhs) }
    if case .textComparison(let left, let right) = lhs {
      return try comparison(left, right, is: rhs)
    }
    if rhs.isNilConstant {
      guard let tests = nilTests(lhs) else { return .constant(false) }
      return .expression(LoweringContext.any(tests))
    }
    if case .guarded(let tests, let value) = lhs, let flag = rhs.bool {
      // An optional Bool equals a Bool only where it is not nil.
      return .expression(.all(.not(LoweringContext.any(tests)), flag ? value : .not(value)))
    }
    return .expression(
      .compare(.equal, try expression(lhs, near: rhs), try expression(rhs, near: lhs)))
  }

  private func comparison(
    _ left: QueryExpression, _ right: QueryExpression, is result: Lowered
  ) throws(SwiftDataError) -> Lowered {
    guard case .constant(let value) = result,
      let order = Lowered.unwrapped(value) as? ComparisonResult
    else { throw LoweringContext.unsupported("a text comparison with a computed result") }
    let operation: ComparisonOperator =
      switch order {
      case .orderedAscending: .less
      case .orderedSame: .equal
      case .orderedDescending: .greater
      }
    return .expression(.compare(operation, left, right))
  }
}

extension PredicateExpressions.Comparison: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let left = try context.lower(lhs)
    let right = try context.lower(rhs)
    let operation: ComparisonOperator =
      switch op {
      case .lessThan: .less
      case .lessThanOrEqual: .lessOrEqual
      case .greaterThan: .greater
      case .greaterThanOrEqual: .greaterOrEqual
      @unknown default: throw LoweringContext.unsupported("this comparison")
      }
    return .expression(
      .compare(
        operation, try context.expression(left, near: right),
        try context.expression(right, near: left)))
  }
}

extension PredicateExpressions.Arithmetic: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let operation: ArithmeticOperator =
      switch op {
      case .add: .add
      case .subtract: .subtract
      case .multiply: .multiply
      @unknown default: throw LoweringContext.unsupported("this arithmetic")
      }
    return try context.arithmetic(operation, lhs, rhs)
  }
}

extension PredicateExpressions.IntDivision: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.arithmetic(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.FloatDivision: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.arithmetic(.divide, lhs, rhs)
  }
}

extension PredicateExpressions.IntRemainder: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.arithmetic(.remainder, lhs, rhs)
  }
}

extension PredicateExpressions.UnaryMinus: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    .expression(.function(.negate, [try context.expression(wrapped)]))
  }
}

extension LoweringContext {
  func arithmetic(
    _ operation: ArithmeticOperator, _ lhs: any PredicateExpression,
    _ rhs: any PredicateExpression
  ) throws(SwiftDataError) -> Lowered {
    let left = try lower(lhs)
    let right = try lower(rhs)
    return .expression(
      .arithmetic(
        operation, try expression(left, near: right), try expression(right, near: left)))
  }
}

extension PredicateExpressions.Range: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    .range(
      lower: try context.expression(lower), upper: try context.expression(upper), isClosed: false)
  }
}

extension PredicateExpressions.ClosedRange: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    .range(
      lower: try context.expression(lower), upper: try context.expression(upper), isClosed: true)
  }
}

extension PredicateExpressions.RangeExpressionContains: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let value = try context.expression(element)
    let bounds = try context.lower(range)
    if case .range(let lower, let upper, let isClosed) = bounds {
      return .expression(
        .and([
          .compare(.greaterOrEqual, value, lower),
          .compare(isClosed ? .lessOrEqual : .less, value, upper),
        ]))
    }
    guard case .constant(let captured?) = bounds else {
      throw LoweringContext.unsupported("a computed range")
    }
    func literal(_ bound: Element.Output) throws(SwiftDataError) -> QueryExpression {
      .literal(try context.literal(bound, near: nil))
    }
    switch captured {
    case let range as Swift.Range<Element.Output>:
      return .expression(
        .and([
          .compare(.greaterOrEqual, value, try literal(range.lowerBound)),
          .compare(.less, value, try literal(range.upperBound)),
        ]))
    case let range as Swift.ClosedRange<Element.Output>:
      return .expression(
        .and([
          .compare(.greaterOrEqual, value, try literal(range.lowerBound)),
          .compare(.lessOrEqual, value, try literal(range.upperBound)),
        ]))
    case let range as PartialRangeFrom<Element.Output>:
      return .expression(.compare(.greaterOrEqual, value, try literal(range.lowerBound)))
    case let range as PartialRangeUpTo<Element.Output>:
      return .expression(.compare(.less, value, try literal(range.upperBound)))
    case let range as PartialRangeThrough<Element.Output>:
      return .expression(.compare(.lessOrEqual, value, try literal(range.upperBound)))
    default: throw LoweringContext.unsupported("a captured \(type(of: captured))")
    }
  }
}
