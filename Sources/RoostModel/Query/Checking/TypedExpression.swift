/// A way from a row to a property, with the entity of every step known.
package struct ResolvedPath: Hashable, Sendable {
  /// 0 is the innermost row.
  package var scope: Int
  /// The entity of the row the way starts at.
  package var root: EntityID
  /// Every property but the last is a to-one; empty is the row itself, 0 a row's identifier.
  package var properties: [PropertyID]
  /// The entities that have the properties, one for each.
  package var owners: [EntityID]
}

/// The kind of numbers an operation works on.
package enum ArithmeticDomain: Hashable, Sendable {
  case integer
  case unsigned
  /// Doubles, and dates as their seconds.
  case double
  case decimal
}

/// An expression that has been checked against a schema.
///
/// Literals have the form of what they are compared with, branches of a choice have one type, and
/// every comparison says how it compares.
package struct TypedExpression: Hashable, Sendable {
  package var type: ExpressionType
  package var node: TypedNode

  package init(_ type: ExpressionType, _ node: TypedNode) {
    self.type = type
    self.node = node
  }

  static func condition(_ node: TypedNode) -> TypedExpression {
    TypedExpression(.attribute(.bool), node)
  }

  /// The value of a literal; nil for anything else.
  package var literal: Value? {
    if case .literal(let value) = node { value } else { nil }
  }
}

/// The cases of ``QueryExpression``, with their operands checked.
package indirect enum TypedNode: Hashable, Sendable {
  case literal(Value)
  case path(ResolvedPath)
  case compare(ComparisonOperator, ComparisonDomain, TypedExpression, TypedExpression)
  case and([TypedExpression])
  case or([TypedExpression])
  case not(TypedExpression)
  case isIn(TypedExpression, ComparisonDomain, [Value])
  case isNil(TypedExpression)
  case coalesce(TypedExpression, TypedExpression)
  case conditional(TypedExpression, then: TypedExpression, else: TypedExpression)
  case arithmetic(ArithmeticOperator, ArithmeticDomain, TypedExpression, TypedExpression)
  case textTest(TextOperator, TypedExpression, TypedExpression, folded: Bool)
  case function(QueryFunction, TypedExpression)
  /// From the operand's type to the expression's.
  case cast(TypedExpression)
  case toMany(Quantifier, ResolvedPath, TypedExpression)
  case count(ResolvedPath, TypedExpression?)
}

/// A key of an order, checked.
package struct TypedSortKey: Hashable, Sendable {
  package var expression: TypedExpression
  package var domain: ComparisonDomain
  package var isDescending: Bool
}

/// A query whose every part has been checked.
package struct TypedQuery: Hashable, Sendable {
  package var entity: EntitySchema
  package var predicate: TypedExpression?
  package var sort: [TypedSortKey]
  /// Set for ``Selection/expressions(_:)``.
  package var selected: [TypedExpression]
}
