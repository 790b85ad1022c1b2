/// A way from a row over to-one relationships to a property.
///
/// Scope 0 is the innermost row: inside a to-many test that is the related row, 1 is the row the
/// test belongs to, and so on outwards. No properties at all means the row itself, whose value is
/// its reference; a way that ends at a to-one is that row's reference or nil.
public struct PropertyPath: Hashable, Sendable {
  /// How many to-many tests outwards the way starts; 0 is the innermost row.
  public var scope: UInt8
  /// To-one relationships, and at the end any property.
  public var properties: [PropertyID]

  /// Makes one from its parts.
  public init(scope: UInt8 = 0, _ properties: [PropertyID]) {
    self.scope = scope
    self.properties = properties
  }
}

/// Comparisons; raw values are the wire's.
public enum ComparisonOperator: UInt8, Hashable, Sendable, CaseIterable {
  case equal = 0
  case notEqual = 1
  case less = 2
  case lessOrEqual = 3
  case greater = 4
  case greaterOrEqual = 5
}

/// Checked arithmetic; raw values are the wire's.
public enum ArithmeticOperator: UInt8, Hashable, Sendable, CaseIterable {
  case add = 0
  case subtract = 1
  case multiply = 2
  case divide = 3
  case remainder = 4
}

/// Text tests; raw values are the wire's.
public enum TextOperator: UInt8, Hashable, Sendable, CaseIterable {
  case contains = 0
  case startsWith = 1
  case endsWith = 2
}

/// What must hold of the related rows; raw values are the wire's.
public enum Quantifier: UInt8, Hashable, Sendable, CaseIterable {
  case any = 0
  case all = 1
  case none = 2
}

/// Named functions of one or more arguments; raw values are the wire's.
public enum QueryFunction: UInt8, Hashable, Sendable, CaseIterable {
  /// Lower case without accents: what `localizedStandardContains` compares.
  case fold = 0
  case lowercased = 1
  case uppercased = 2
  /// Characters of a text, as Swift counts them.
  case length = 3
  case absolute = 4
  case negate = 5
}

/// A predicate, a sort key or a selected value: one closed tree for SQL, memory, wire and text.
///
/// nil follows Swift: `==` and `!=` treat nil as a value, an ordering or text test with nil is
/// false, a condition that is nil is false, so `!(nil < 3)` is true. Arithmetic with nil,
/// overflow and division by zero give nil; a double result that would be NaN is nil, too. Text
/// compares as UTF-8 bytes, integers with doubles exactly. NaN equals itself and is greater than
/// every number, -0 equals 0. A to-many over a to-one that is nil has no rows.
/// At most ``Limits/expressionNodesMax`` nodes, ``Limits/expressionDepthMax`` deep.
public indirect enum QueryExpression: Hashable, Sendable {
  case literal(Value)
  case path(PropertyPath)
  case compare(ComparisonOperator, QueryExpression, QueryExpression)
  /// Empty is true.
  case and([QueryExpression])
  /// Empty is false.
  case or([QueryExpression])
  case not(QueryExpression)
  /// Whether the value is one of the literals; nil is in the list only if the list holds nil.
  case isIn(QueryExpression, [Value])
  case isNil(QueryExpression)
  case coalesce(QueryExpression, QueryExpression)
  case conditional(QueryExpression, then: QueryExpression, else: QueryExpression)
  case arithmetic(ArithmeticOperator, QueryExpression, QueryExpression)
  /// `folded` ignores case and accents.
  case textTest(TextOperator, QueryExpression, QueryExpression, folded: Bool)
  case function(QueryFunction, [QueryExpression])
  case cast(QueryExpression, to: AttributeType)
  /// The path ends at a to-many; the predicate sees the related row as scope 0.
  case toMany(Quantifier, PropertyPath, QueryExpression)
  /// How many related rows there are, or how many satisfy the filter (related row is scope 0).
  case count(PropertyPath, QueryExpression?)
}
