public import Foundation
import RoostModel

extension PredicateExpressions {
  /// Several predicates over the same inputs, joined.
  public struct Composition<each Input>: StandardPredicateExpression {
    let parts: [Predicate<repeat each Input>]
    let variables: (repeat PredicateExpressions.Variable<each Input>)
    let isAll: Bool

    /// Evaluates part by part until one decides.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      for part in parts {
        let holds = try part.evaluate(repeat try (each variables).evaluate(bindings))
        if holds != isAll { return holds }
      }
      return isAll
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PredicateExpressions.Composition: Codable {
  public init(from decoder: any Decoder) throws { throw PredicateNotCodable() }
  public func encode(to encoder: any Encoder) throws { throw PredicateNotCodable() }
}

// Predicates are Sendable and a variable is a number.
extension PredicateExpressions.Composition: @unchecked Sendable {}

extension Predicate {
  /// Whether all of the predicates hold; with none at all it is true.
  public init(all predicates: some Collection<Predicate<repeat each Input>>) {
    self = Predicate.composed(Array(predicates), isAll: true)
  }

  /// Whether any of the predicates holds; with none at all it is false.
  public init(any predicates: some Collection<Predicate<repeat each Input>>) {
    self = Predicate.composed(Array(predicates), isAll: false)
  }

  private static func composed(
    _ parts: [Predicate<repeat each Input>], isAll: Bool
  ) -> Predicate<repeat each Input> {
    Predicate { (variables: repeat PredicateExpressions.Variable<each Input>) in
      PredicateExpressions.Composition(
        parts: parts, variables: (repeat each variables), isAll: isAll)
    }
  }
}

extension PredicateExpressions.Composition: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    var lowered: [QueryExpression] = []
    for part in parts {
      repeat context.variables[(each part.variable).key] = context.variables[(each variables).key]
      let one = try context.lower(part.expression)
      if let value = one.bool {
        if value != isAll { return .constant(value) }
      } else {
        lowered.append(try context.expression(one))
      }
    }
    if lowered.isEmpty { return .constant(isAll) }
    return .expression(isAll ? .and(lowered) : .or(lowered))
  }
}
