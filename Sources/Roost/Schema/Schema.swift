import Foundation
import RoostModel

/// The entities of a container, worked out from its model classes.
public final class Schema: Sendable {
  /// The version of this schema, as its author counts.
  public let version: Version
  /// One for each model class, those reached over relationships included.
  public let entities: [Entity]
  package let models: [ModelDescription]
  /// What is wrong with the classes; thrown when a container is made.
  let problem: SwiftDataError?

  /// A schema without entities.
  public convenience init() { self.init([], version: Version(1, 0, 0)) }

  /// The schema of these classes and of all they lead to.
  public init(
    _ types: [any PersistentModel.Type], version: Version = Version(1, 0, 0)
  ) {
    self.version = version
    models = ModelDescription.closure(of: types.map { $0._$description })
    entities = models.map(Entity.init)
    problem = SchemaProblems.first(in: models)
  }

  /// The schema of these classes and of all they lead to.
  public convenience init(
    _ types: any PersistentModel.Type..., version: Version = Version(1, 0, 0)
  ) {
    self.init(types, version: version)
  }

  /// The schema of a version of the models.
  public convenience init(versionedSchema: any VersionedSchema.Type) {
    self.init(versionedSchema.models, version: versionedSchema.versionIdentifier)
  }

  /// Entities by name.
  public var entitiesByName: [String: Entity] {
    Dictionary(entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// The entity of a class; nil if the schema does not have it.
  public func entity<T: PersistentModel>(for type: T.Type) -> Entity? {
    entities.first { $0.name == Schema.entityName(for: type) }
  }

  /// The name a class has in stores: its own, without the types it is nested in.
  public static func entityName<T: PersistentModel>(for type: T.Type) -> String {
    type._$description.name
  }

  /// Counts versions of a schema.
  public struct Version: Codable, Comparable, CustomStringConvertible, Hashable, Sendable {
    /// Changes that need a custom migration.
    public let major: Int
    /// Changes that add.
    public let minor: Int
    /// Changes that readers do not notice.
    public let patch: Int

    /// A version with all three numbers.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      self.major = major
      self.minor = minor
      self.patch = patch
    }

    /// By major, then minor, then patch.
    public static func < (lhs: Version, rhs: Version) -> Bool {
      (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
    }

    /// `1.2.3`.
    public var description: String { "\(major).\(minor).\(patch)" }
  }

  /// One class as it is stored.
  public struct Entity: Hashable, Sendable, CustomDebugStringConvertible {
    /// The class's name.
    public let name: String
    /// Attributes in source order.
    public let attributes: [Attribute]
    /// Relationships in source order.
    public let relationships: [Relationship]
    /// Unique constraints by property names.
    public let uniquenessConstraints: [[String]]
    /// Indexes by property names.
    public let indices: [[String]]

    init(_ model: ModelDescription) {
      name = model.name
      let entity = model.entitySchema
      attributes = model.properties.compactMap(\.attribute)
      relationships = model.properties.compactMap { property in
        guard var relationship = property.relationship else { return nil }
        let stored = entity.properties[property.slot].relationship
        relationship.inverseName = stored?.inverse
        relationship.destination = stored?.destination ?? ""
        return relationship
      }
      uniquenessConstraints = entity.uniqueConstraints
      indices = entity.indexes
    }

    /// Attributes by name.
    public var attributesByName: [String: Attribute] {
      Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Relationships by name.
    public var relationshipsByName: [String: Relationship] {
      Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Name and property names.
    public var debugDescription: String {
      "\(name)(\((attributes.map(\.name) + relationships.map(\.name)).joined(separator: ", ")))"
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Schema: Hashable, CustomDebugStringConvertible {
  public static func == (lhs: Schema, rhs: Schema) -> Bool {
    lhs.version == rhs.version && lhs.entities == rhs.entities
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(version)
    hasher.combine(entities)
  }

  public var debugDescription: String { "Schema \(version): \(entities)" }
}
