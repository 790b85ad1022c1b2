/// Rows of one entity that a commit touched; no row stands in two of the sets.
public struct EntityChanges: Hashable, Sendable {
  public var entity: EntityID
  public var inserted: RowSet
  public var updated: RowSet
  public var deleted: RowSet

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
  public var commit: UInt64
  /// The schema itself changed; drop what was prepared for the old one.
  public var schemaChanged: Bool
  public var entities: [EntityChanges]
  public var author: String?

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
