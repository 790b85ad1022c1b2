/// One key of an order; nil sorts first ascending and last descending.
public struct SortKey: Hashable, Sendable {
  public var expression: QueryExpression
  public var isDescending: Bool

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
  public var entity: EntityID
  public var predicate: QueryExpression?
  public var sort: [SortKey]
  public var limit: Int?
  public var offset: Int
  public var selection: Selection
  /// Ways over to-one or to-many relationships whose rows are brought along.
  public var prefetch: [[PropertyID]]

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
