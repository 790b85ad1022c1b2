/// What happens to the other side when the owner of a relationship is deleted.
public enum RelationshipDeleteRule: UInt8, Hashable, Sendable, CaseIterable {
  case nullify = 0
  case cascade = 1
  case deny = 2
  case noAction = 3
}

/// A relationship from one entity to another.
public struct RelationshipSchema: Hashable, Sendable {
  /// The entity's name, since identifiers are given only when the schema is registered.
  public var destination: String
  /// Whether it leads to any number of rows.
  public var isToMany: Bool
  /// The property of the destination that is the other side; nil for one-way.
  public var inverse: String?
  /// What a delete of the owner does to the rows it leads to.
  public var deleteRule: RelationshipDeleteRule

  /// Makes one from its parts.
  public init(
    destination: String, isToMany: Bool, inverse: String? = nil,
    deleteRule: RelationshipDeleteRule = .nullify
  ) {
    self.destination = destination
    self.isToMany = isToMany
    self.inverse = inverse
    self.deleteRule = deleteRule
  }
}

/// One stored property of an entity.
public struct PropertySchema: Hashable, Sendable {
  /// An attribute with its type, or a relationship.
  public enum Kind: Hashable, Sendable {
    case attribute(AttributeType)
    case relationship(RelationshipSchema)
  }

  /// 0 until a store has registered the property.
  public var id: PropertyID
  /// What it is called in the model and in queries.
  public var name: String
  /// An attribute with its type, or a relationship.
  public var kind: Kind
  /// Whether nil is allowed.
  public var isOptional: Bool
  /// What rows hold that were written before the property existed.
  public var defaultValue: Value?
  /// The name in an older schema, for a rename without loss.
  public var originalName: String?

  /// Makes one from its parts.
  public init(
    id: PropertyID = 0, name: String, kind: Kind, isOptional: Bool, defaultValue: Value? = nil,
    originalName: String? = nil
  ) {
    self.id = id
    self.name = name
    self.kind = kind
    self.isOptional = isOptional
    self.defaultValue = defaultValue
    self.originalName = originalName
  }

  /// The type of an attribute; nil for a relationship.
  public var attributeType: AttributeType? {
    if case .attribute(let type) = kind { type } else { nil }
  }

  /// What a relationship is; nil for an attribute.
  public var relationship: RelationshipSchema? {
    if case .relationship(let relationship) = kind { relationship } else { nil }
  }

  /// Whether the row itself holds a value for it: attributes and to-one relationships.
  public var isColumn: Bool { relationship?.isToMany != true }
}

/// An entity: a table of rows with the same properties.
public struct EntitySchema: Hashable, Sendable {
  /// 0 until a store has registered the entity.
  public var id: EntityID
  /// What it is called in the model and in queries.
  public var name: String
  /// In declaration order, which is the order of columns in results.
  public var properties: [PropertySchema]
  /// Unique constraints by property names; the first is the key of `roost get`.
  public var uniqueConstraints: [[String]]
  /// Indexes by property names.
  public var indexes: [[String]]

  /// Makes one from its parts.
  public init(
    id: EntityID = 0, name: String, properties: [PropertySchema],
    uniqueConstraints: [[String]] = [], indexes: [[String]] = []
  ) {
    self.id = id
    self.name = name
    self.properties = properties
    self.uniqueConstraints = uniqueConstraints
    self.indexes = indexes
  }

  /// Finds a property; nil if the entity has none such.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public func property(named name: String) -> PropertySchema? {
    properties.first { $0.name == name }
  }

  /// Finds a property; nil if the entity has none such.
  ///
  /// - Complexity: O(*n*) in the number of properties.
  public func property(_ id: PropertyID) -> PropertySchema? {
    properties.first { $0.id == id }
  }
}

/// All entities of a store.
public struct StoreSchema: Hashable, Sendable {
  /// Grows by one with every applied change; 0 for a schema no store has registered.
  public var version: UInt32
  /// In the order they were declared.
  public var entities: [EntitySchema]

  /// Makes one from its parts.
  public init(version: UInt32 = 0, entities: [EntitySchema] = []) {
    self.version = version
    self.entities = entities
  }

  /// Finds an entity; nil if the store has none such.
  ///
  /// - Complexity: O(*n*) in the number of entities.
  public func entity(named name: String) -> EntitySchema? {
    entities.first { $0.name == name }
  }

  /// Finds an entity; nil if the store has none such.
  ///
  /// - Complexity: O(*n*) in the number of entities.
  public func entity(_ id: EntityID) -> EntitySchema? {
    entities.first { $0.id == id }
  }

  /// The entity a relationship leads to.
  public func destination(of property: PropertySchema) -> EntitySchema? {
    property.relationship.flatMap { entity(named: $0.destination) }
  }
}
