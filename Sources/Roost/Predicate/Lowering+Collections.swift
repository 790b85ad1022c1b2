import Foundation
import RoostModel

extension PredicateExpressions.SequenceContains: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let base = try context.lower(sequence)
    let part = try context.lower(element)
    switch base {
    case .constant(let captured):
      let values = try context.values(of: captured, near: part)
      if case .constant(let value) = part {
        return .constant(values.contains(try context.literal(value, near: nil)))
      }
      return .expression(.isIn(try context.expression(part), values))
    case .attribute(_, let property):
      guard case .attribute(.text) = property.kind else {
        throw LoweringContext.unsupported("contains(_:) on '\(property.name)'")
      }
      return try context.textTest(.contains, base, part, folded: false)
    default: throw LoweringContext.unsupported("contains(_:) on a computed sequence")
    }
  }
}

extension PredicateExpressions.CollectionContainsCollection: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.textTest(
      .contains, try context.lower(base), try context.lower(other), folded: false)
  }
}

extension PredicateExpressions.SequenceStartsWith: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.textTest(
      .startsWith, try context.lower(base), try context.lower(prefix), folded: false)
  }
}

extension PredicateExpressions.SequenceContainsWhere: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.quantified(.any, sequence, variable.key, test)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    try context.quantified(.all, sequence, variable.key, test)
  }
}

extension PredicateExpressions.Filter: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    guard case .toMany(let way, let model, let earlier) = try context.lower(sequence) else {
      throw LoweringContext.unsupported("filter on anything but a to-many relationship")
    }
    let condition = try context.nested(variable.key, model) { () throws(SwiftDataError) in
      try context.expression(filter)
    }
    return .toMany(way, model, filter: earlier.map { .all($0, condition) } ?? condition)
  }
}

extension LoweringContext {
  /// Captured elements that one predicate may be written out for.
  static let expandedElementsMax = 256

  func values(of captured: Any?, near part: Lowered) throws(SwiftDataError) -> [Value] {
    var values: [Value] = []
    for element in try elements(of: captured) {
      values.append(try literal(element, near: part))
    }
    return values
  }

  private func elements(of captured: Any?) throws(SwiftDataError) -> [Any] {
    guard let captured = Lowered.unwrapped(captured) else { return [] }
    guard let sequence = captured as? any Sequence else {
      throw LoweringContext.unsupported("contains(_:) on a captured \(type(of: captured))")
    }
    func collect(_ sequence: some Sequence) -> [Any] { sequence.map { $0 as Any } }
    return collect(sequence)
  }

  func textTest(
    _ operation: TextOperator, _ base: Lowered, _ part: Lowered, folded: Bool
  ) throws(SwiftDataError) -> Lowered {
    for side in [base, part] {
      if case .attribute(_, let property) = side, case .attribute(.text) = property.kind {
        continue
      } else if case .attribute(_, let property) = side {
        throw LoweringContext.unsupported("a text test on '\(property.name)', which is no text")
      }
    }
    return .expression(
      .textTest(operation, try expression(base), try expression(part), folded: folded))
  }

  func quantified(
    _ quantifier: Quantifier, _ sequence: any PredicateExpression,
    _ variable: PredicateExpressions.VariableID, _ test: any PredicateExpression
  ) throws(SwiftDataError) -> Lowered {
    switch try lower(sequence) {
    case .toMany(let way, let model, let filter):
      let condition = try nested(variable, model) { () throws(SwiftDataError) in
        try expression(test)
      }
      let path = path(way)
      guard let filter else { return .expression(.toMany(quantifier, path, condition)) }
      let combined: QueryExpression =
        quantifier == .any ? .all(filter, condition) : .either(.not(filter), condition)
      return .expression(.toMany(quantifier, path, combined))
    case .constant(let captured):
      return try expanded(quantifier, try elements(of: captured), variable, test)
    default:
      throw LoweringContext.unsupported("a test of the elements of a stored value")
    }
  }

  /// Writes a test of captured elements out, one part for each.
  private func expanded(
    _ quantifier: Quantifier, _ elements: [Any], _ variable: PredicateExpressions.VariableID,
    _ test: any PredicateExpression
  ) throws(SwiftDataError) -> Lowered {
    guard elements.count <= LoweringContext.expandedElementsMax else {
      throw LoweringContext.unsupported(
        "a test of more than \(LoweringContext.expandedElementsMax) captured elements")
    }
    var parts: [QueryExpression] = []
    for element in elements {
      variables[variable] = .constant(element)
      let part = try lower(test)
      if let value = part.bool {
        // One element decides: a true one for `any`, a false one for `all`.
        if value == (quantifier == .any) { return .constant(value) }
        continue
      }
      parts.append(try expression(part))
    }
    if parts.isEmpty { return .constant(quantifier == .all) }
    return .expression(quantifier == .any ? .or(parts) : .and(parts))
  }
}
