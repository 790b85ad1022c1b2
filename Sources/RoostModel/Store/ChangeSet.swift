/// Rows of one entity that a commit touched; no row stands in two of the sets.
public struct EntityChanges: Hashable, Sendable {
  /// The entity of the rows.
  public var entity: EntityID
  /// Rows that were made.
  public var inserted: RowSet
  /// Rows that have other values now.
  public var updated: RowSet
  /// Rows that are gone.
  public var deleted: RowSet

  /// Makes one from its parts.
  public init(
    entity: EntityID, inserted: RowSet = [], updated: RowSet = [], deleted: RowSet = []
  ) {
    self.entity = entity
    self.inserted = inserted
    self.updated = updated
    self.deleted = deleted
  }
}

/// Everything one commit changed, for caches, contexts and live queries.
public struct ChangeSet: Hashable, Sendable {
  /// The number of the commit; each is greater than the one before.
  public var commit: UInt64
  /// The schema itself changed; drop what was prepared for the old one.
  public var schemaChanged: Bool
  /// One element for each entity that was touched.
  public var entities: [EntityChanges]
  /// Who wrote, if the write said so.
  public var author: String?

  /// Makes one from its parts.
  public init(
    commit: UInt64, schemaChanged: Bool = false, entities: [EntityChanges] = [],
    author: String? = nil
  ) {
    self.commit = commit
    self.schemaChanged = schemaChanged
    self.entities = entities
    self.author = author
  }
}
