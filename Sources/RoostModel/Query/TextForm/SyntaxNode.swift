/// A query expression as it is written, before names are looked up.
struct SyntaxNode {
  indirect enum Kind {
    case null
    case bool(Bool)
    case integer(String)
    case number(String)
    case string(String)
    /// `#7`, or `Airport#7`.
    case row(Int64, entity: String?)
    /// A first name: a property, or a closure's parameter.
    case name(String)
    /// `id` or `#id` as a first name.
    case rowIdentifier
    case scope(Int)
    case member(SyntaxNode, String)
    case rowIdentifierMember(SyntaxNode)
    /// `base.name(arguments)`, or `name(arguments)` without a base.
    case call(SyntaxNode?, String, [SyntaxNode])
    /// `base.name { parameter in body }`
    case closureCall(SyntaxNode, String, parameter: String?, SyntaxNode)
    case not(SyntaxNode)
    case negate(SyntaxNode)
    case compare(ComparisonOperator, SyntaxNode, SyntaxNode)
    case containsFolded(SyntaxNode, SyntaxNode)
    case isIn(SyntaxNode, [SyntaxNode])
    case coalesce(SyntaxNode, SyntaxNode)
    case arithmetic(ArithmeticOperator, SyntaxNode, SyntaxNode)
    case and([SyntaxNode])
    case or([SyntaxNode])
    case conditional(SyntaxNode, SyntaxNode, SyntaxNode)
    case parenthesized(SyntaxNode)
  }

  var kind: Kind
  /// Where to point when something is wrong with it.
  var offset: Int
  /// Nodes inside one another, this one included: what walking it costs in stack.
  let depth: Int

  init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
    depth = 1 + kind.deepestPart
  }
}

extension SyntaxNode.Kind {
  fileprivate var deepestPart: Int {
    switch self {
    case .null, .bool, .integer, .number, .string, .row, .name, .rowIdentifier, .scope: 0
    case .member(let part, _), .rowIdentifierMember(let part), .not(let part), .negate(let part),
      .parenthesized(let part), .isIn(let part, _):
      part.depth
    case .closureCall(let base, _, _, let body): max(base.depth, body.depth)
    case .call(let base, _, let arguments): arguments.reduce(base?.depth ?? 0) { max($0, $1.depth) }
    case .compare(_, let lhs, let rhs), .containsFolded(let lhs, let rhs),
      .coalesce(let lhs, let rhs), .arithmetic(_, let lhs, let rhs):
      max(lhs.depth, rhs.depth)
    case .and(let parts), .or(let parts): parts.reduce(0) { max($0, $1.depth) }
    case .conditional(let test, let then, let other): max(test.depth, then.depth, other.depth)
    }
  }
}
