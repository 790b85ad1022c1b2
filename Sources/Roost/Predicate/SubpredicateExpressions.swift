public import Foundation

extension PredicateExpressions {
  /// A predicate applied to a part of another.
  public struct Subpredicate<Input, Variable: PredicateExpression>: PredicateExpression
  where Variable.Output == Input {
    let inner: Predicate<Input>
    let variable: Variable

    /// Evaluates the inner predicate.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      try inner.evaluate(try variable.evaluate(bindings))
    }
  }

  /// An expression applied to a part of a predicate.
  public struct Subexpression<Input, Output, Variable: PredicateExpression>: PredicateExpression
  where Variable.Output == Input {
    let inner: Expression<Input, Output>
    let variable: Variable

    /// Evaluates the inner expression.
    public func evaluate(_ bindings: PredicateBindings) throws -> Output {
      try inner.evaluate(try variable.evaluate(bindings))
    }
  }

  /// Called by `#Predicate` for `predicate.evaluate(x)`, under a name Foundation's macro accepts.
  public static func build_localizedCompare<Input, Variable: PredicateExpression>(
    _ predicate: PredicateExpressions.Value<Predicate<Input>>, _ variable: Variable
  ) -> Subpredicate<Input, Variable> {
    Subpredicate(inner: predicate.value, variable: variable)
  }

  /// Called by `#Predicate` for `expression.evaluate(x)`, under a name Foundation's macro accepts.
  public static func build_localizedCompare<Input, Output, Variable: PredicateExpression>(
    _ expression: PredicateExpressions.Value<Expression<Input, Output>>, _ variable: Variable
  ) -> Subexpression<Input, Output, Variable> {
    Subexpression(inner: expression.value, variable: variable)
  }
}

extension Predicate {
  /// What `evaluate` is called inside `#Predicate`, where Foundation's macro knows few names.
  public func localizedCompare(_ input: repeat each Input) -> Bool {
    (try? evaluate(repeat each input)) ?? false
  }
}

extension Expression {
  /// What `evaluate` is called inside `#Predicate`, where Foundation's macro knows few names.
  public func localizedCompare(_ input: repeat each Input) throws -> Output {
    try evaluate(repeat each input)
  }
}

/// Why a composed predicate cannot be encoded: Foundation's are not Codable on Linux.
struct PredicateNotCodable: Error {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PredicateExpressions.Subpredicate: Codable where Variable: Codable {
  public init(from decoder: any Decoder) throws { throw PredicateNotCodable() }
  public func encode(to encoder: any Encoder) throws { throw PredicateNotCodable() }
}
extension PredicateExpressions.Subpredicate: Sendable where Variable: Sendable {}
extension PredicateExpressions.Subpredicate: StandardPredicateExpression
where Variable: StandardPredicateExpression {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PredicateExpressions.Subexpression: Codable where Variable: Codable {
  public init(from decoder: any Decoder) throws { throw PredicateNotCodable() }
  public func encode(to encoder: any Encoder) throws { throw PredicateNotCodable() }
}
extension PredicateExpressions.Subexpression: Sendable where Variable: Sendable {}
extension PredicateExpressions.Subexpression: StandardPredicateExpression
where Variable: StandardPredicateExpression {}

extension PredicateExpressions.Subpredicate: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    context.variables[inner.variable.key] = try context.lower(variable)
    return try context.lower(inner.expression)
  }
}

extension PredicateExpressions.Subexpression: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    context.variables[inner.variable.key] = try context.lower(variable)
    return try context.lower(inner.expression)
  }
}
