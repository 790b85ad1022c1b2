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

  init(_ kind: Kind, at offset: Int) {
    self.kind = kind
    self.offset = offset
  }
}
