import Foundation
import RoostModel

extension PredicateExpressions.Conjunction: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let left = try context.lower(lhs)
    if let value = left.bool { return value ? try context.lower(rhs) : .constant(false) }
    let right = try context.lower(rhs)
    if let value = right.bool { return value ? left : .constant(false) }
    return .expression(.all(try context.expression(left), try context.expression(right)))
  }
}

extension PredicateExpressions.Disjunction: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let left = try context.lower(lhs)
    if let value = left.bool { return value ? .constant(true) : try context.lower(rhs) }
    let right = try context.lower(rhs)
    if let value = right.bool { return value ? .constant(true) : left }
    return .expression(.either(try context.expression(left), try context.expression(right)))
  }
}

extension PredicateExpressions.Negation: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let inner = try context.lower(wrapped)
    if let value = inner.bool { return .constant(!value) }
    return .expression(.not(try context.expression(inner)))
  }
}

extension PredicateExpressions.Conditional: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let condition = try context.lower(test)
    if let value = condition.bool {
      return try context.lower(value ? trueBranch as any PredicateExpression : falseBranch)
    }
    let then = try context.lower(trueBranch)
    let other = try context.lower(falseBranch)
    return .expression(
      .conditional(
        try context.expression(condition), then: try context.expression(then, near: other),
        else: try context.expression(other, near: then)))
  }
}

extension PredicateExpressions.NilCoalesce: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let left = try context.lower(lhs)
    let right = try context.lower(rhs)
    switch left {
    case .constant: return left.isNilConstant ? right : left
    case .toMany: return left
    case .guarded(let tests, let value):
      let isNil = LoweringContext.any(tests)
      switch right.bool {
      case true?: return .expression(.either(isNil, value))
      case false?: return .expression(.all(.not(isNil), value))
      case nil:
        return .expression(
          .conditional(isNil, then: try context.expression(right, near: left), else: value))
      }
    default:
      return .expression(
        .coalesce(
          try context.expression(left), try context.expression(right, near: left)))
    }
  }
}

extension PredicateExpressions.ForcedUnwrap: LowerableExpression {
  /// Nothing is unwrapped: what is nil compares as nil.
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let value = try context.lower(inner)
    if case .guarded(_, let expression) = value { return .expression(expression) }
    return value
  }
}

extension PredicateExpressions.OptionalFlatMap: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let value = try context.lower(wrapped)
    if case .constant(let constant) = value {
      guard let payload = Lowered.unwrapped(constant) else { return .constant(nil) }
      context.variables[variable.key] = .constant(payload)
      return try context.lower(transform)
    }
    let tests = context.nilTests(value)
    if case .guarded(_, let inner) = value {
      context.variables[variable.key] = .expression(inner)
    } else {
      context.variables[variable.key] = value
    }
    let result = try context.lower(transform)
    guard let tests else { return result }
    switch result {
    // A longer way over a nil is nil by itself.
    case .row, .attribute, .toMany: return result
    case .guarded(let more, let expression): return .guarded(tests + more, expression)
    default: return .guarded(tests, try context.expression(result))
    }
  }
}

extension Lowered {
  /// A constant Bool.
  var bool: Bool? {
    guard case .constant(let value) = self else { return nil }
    return Lowered.unwrapped(value) as? Bool
  }
}

extension QueryExpression {
  /// Both, with chains of `&&` in one list.
  static func all(_ lhs: QueryExpression, _ rhs: QueryExpression) -> QueryExpression {
    .and(lhs.conjuncts + rhs.conjuncts)
  }

  /// One of the two, with chains of `||` in one list.
  static func either(_ lhs: QueryExpression, _ rhs: QueryExpression) -> QueryExpression {
    .or(lhs.disjuncts + rhs.disjuncts)
  }

  private var conjuncts: [QueryExpression] {
    if case .and(let parts) = self { parts } else { [self] }
  }

  private var disjuncts: [QueryExpression] {
    if case .or(let parts) = self { parts } else { [self] }
  }
}
