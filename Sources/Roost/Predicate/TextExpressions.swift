public import Foundation
import RoostModel

extension PredicateExpressions {
  /// Whether a text contains another, ignoring case and accents.
  public struct LocalizedStandardContains<
    Base: PredicateExpression, Other: PredicateExpression
  >: PredicateExpression
  where Base.Output: StringProtocol, Other.Output: StringProtocol {
    let base: Base
    let other: Other

    /// Compares folded texts, as the store does.
    public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
      TextRules.holds(
        .contains, String(try base.evaluate(bindings)), String(try other.evaluate(bindings)),
        folded: true)
    }
  }

  /// How two texts compare, with or without case.
  public struct TextComparison<
    LHS: PredicateExpression, RHS: PredicateExpression
  >: PredicateExpression
  where LHS.Output: StringProtocol, RHS.Output: StringProtocol {
    let lhs: LHS
    let rhs: RHS
    let ignoresCase: Bool

    /// Compares as UTF-8 bytes, as the store does.
    public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
      var left = String(try lhs.evaluate(bindings))
      var right = String(try rhs.evaluate(bindings))
      if ignoresCase { (left, right) = (left.lowercased(), right.lowercased()) }
      if left.utf8.elementsEqual(right.utf8) { return .orderedSame }
      return left.utf8.lexicographicallyPrecedes(right.utf8)
        ? .orderedAscending : .orderedDescending
    }
  }

  /// Called by `#Predicate` for `a.localizedStandardContains(b)`.
  public static func build_localizedStandardContains<
    Base: PredicateExpression, Other: PredicateExpression
  >(_ base: Base, _ other: Other) -> LocalizedStandardContains<Base, Other>
  where Base.Output: StringProtocol, Other.Output: StringProtocol {
    LocalizedStandardContains(base: base, other: other)
  }

  /// Called by `#Predicate` for `a.caseInsensitiveCompare(b)`.
  public static func build_caseInsensitiveCompare<
    LHS: PredicateExpression, RHS: PredicateExpression
  >(_ lhs: LHS, _ rhs: RHS) -> TextComparison<LHS, RHS>
  where LHS.Output: StringProtocol, RHS.Output: StringProtocol {
    TextComparison(lhs: lhs, rhs: rhs, ignoresCase: true)
  }

  /// Called by `#Predicate` for `a.localizedCompare(b)`; compares as UTF-8 bytes.
  public static func build_localizedCompare<
    LHS: PredicateExpression, RHS: PredicateExpression
  >(_ lhs: LHS, _ rhs: RHS) -> TextComparison<LHS, RHS>
  where LHS.Output: StringProtocol, RHS.Output: StringProtocol {
    TextComparison(lhs: lhs, rhs: rhs, ignoresCase: false)
  }
}

extension PredicateExpressions.LocalizedStandardContains: StandardPredicateExpression
where Base: StandardPredicateExpression, Other: StandardPredicateExpression {}
extension PredicateExpressions.LocalizedStandardContains: Sendable
where Base: Sendable, Other: Sendable {}
extension PredicateExpressions.LocalizedStandardContains: Codable
where Base: Codable, Other: Codable {}
extension PredicateExpressions.TextComparison: StandardPredicateExpression
where LHS: StandardPredicateExpression, RHS: StandardPredicateExpression {}
extension PredicateExpressions.TextComparison: Sendable where LHS: Sendable, RHS: Sendable {}
extension PredicateExpressions.TextComparison: Codable where LHS: Codable, RHS: Codable {}

extension PredicateExpressions.LocalizedStandardContains: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.textTest(
      .contains, try context.lower(base), try context.lower(other), folded: true)
  }
}

extension PredicateExpressions.TextComparison: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let left = try context.expression(lhs)
    let right = try context.expression(rhs)
    guard ignoresCase else { return .textComparison(left, right) }
    return .textComparison(.function(.lowercased, [left]), .function(.lowercased, [right]))
  }
}
