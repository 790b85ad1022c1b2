/// Rows of one entity that a commit touched.
public struct EntityChanges: Hashable, Sendable {
  public var entity: EntityID
  public var inserted: [Int64]
  public var updated: [Int64]
  public var deleted: [Int64]

  public init(
    entity: EntityID, inserted: [Int64] = [], updated: [Int64] = [], deleted: [Int64] = []
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
