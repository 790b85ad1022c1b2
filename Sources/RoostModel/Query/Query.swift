/// One key of an order; nil sorts first ascending and last descending.
public struct SortKey: Hashable, Sendable {
  /// What is compared.
  public var expression: QueryExpression
  /// Whether the greatest comes first and nil last.
  public var isDescending: Bool

  /// Makes one from its parts.
  public init(_ expression: QueryExpression, isDescending: Bool = false) {
    self.expression = expression
    self.isDescending = isDescending
  }
}

/// What a query gives of each row.
public enum Selection: Hashable, Sendable {
  /// Identifier and every column property, in the schema's order.
  case all
  /// Identifier and these column properties.
  case properties([PropertyID])
  /// Computed values; the batch has entity 0.
  case expressions([QueryExpression])
}

/// Which rows of one entity, in which order, and what of them.
///
/// The row's identifier is always the last sort key, so that pages are stable.
public struct Query: Hashable, Sendable {
  /// Whose rows are asked for.
  public var entity: EntityID
  /// What must hold of a row; nil for every row.
  public var predicate: QueryExpression?
  /// The order, the most important key first.
  public var sort: [SortKey]
  /// How many rows at most; nil for all.
  public var limit: Int?
  /// How many rows of the order are left out first.
  public var offset: Int
  /// What comes of each row.
  public var selection: Selection
  /// Ways over to-one or to-many relationships whose rows are brought along.
  public var prefetch: [[PropertyID]]

  /// Makes one from its parts.
  public init(
    entity: EntityID, predicate: QueryExpression? = nil, sort: [SortKey] = [], limit: Int? = nil,
    offset: Int = 0, selection: Selection = .all, prefetch: [[PropertyID]] = []
  ) {
    self.entity = entity
    self.predicate = predicate
    self.sort = sort
    self.limit = limit
    self.offset = offset
    self.selection = selection
    self.prefetch = prefetch
  }
}
