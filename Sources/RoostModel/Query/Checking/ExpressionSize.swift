/// Counts an expression's nodes and depth before anything walks it.
enum ExpressionSize {
  static func check(_ expression: QueryExpression) throws(StoreError) {
    var nodes = 0
    try visit(expression, depth: 1, &nodes)
  }

  private static func visit(
    _ expression: QueryExpression, depth: Int, _ nodes: inout Int
  ) throws(StoreError) {
    nodes += 1
    guard nodes <= Limits.expressionNodesMax else {
      throw tooLarge("more than \(Limits.expressionNodesMax) nodes")
    }
    guard depth <= Limits.expressionDepthMax else {
      throw tooLarge("deeper than \(Limits.expressionDepthMax)")
    }
    if case .isIn(_, let values) = expression, values.count > Limits.listValuesMax {
      throw tooLarge("a list of more than \(Limits.listValuesMax) values")
    }
    for child in expression.children { try visit(child, depth: depth + 1, &nodes) }
  }

  private static func tooLarge(_ what: String) -> StoreError {
    StoreError(.invalidArgument, .expressionTooLarge, "the expression is too large: \(what)")
  }
}

extension QueryExpression {
  /// The expressions directly inside this one.
  package var children: [QueryExpression] {
    switch self {
    case .literal, .path: []
    case .compare(_, let lhs, let rhs), .coalesce(let lhs, let rhs),
      .arithmetic(_, let lhs, let rhs), .textTest(_, let lhs, let rhs, _):
      [lhs, rhs]
    case .and(let parts), .or(let parts), .function(_, let parts): parts
    case .not(let part), .isNil(let part), .isIn(let part, _), .cast(let part, _),
      .toMany(_, _, let part):
      [part]
    case .conditional(let test, let then, let other): [test, then, other]
    case .count(_, let filter): filter.map { [$0] } ?? []
    }
  }
}
