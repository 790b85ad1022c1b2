/// What stands behind a property: an attribute or a relationship.
public protocol SchemaProperty: Hashable, Sendable {
  /// The property's name.
  var name: String { get }
  /// Its name in an older schema; the name itself if it was not renamed.
  var originalName: String { get }
}

extension Schema {
  /// How an attribute is stored.
  public struct Attribute: SchemaProperty {
    /// The property's name; empty until it stands in a schema.
    public internal(set) var name = ""
    /// What was asked for.
    public var options: [Option]
    /// Goes into the schema's fingerprint: says "changed" when only the meaning changed.
    public var hashModifier: String?
    /// Whether the property may be nil.
    public internal(set) var isOptional = false
    var formerName: String?

    /// Says how an attribute is stored.
    public init(_ options: Option..., originalName: String? = nil, hashModifier: String? = nil) {
      self.options = options
      self.hashModifier = hashModifier
      formerName = originalName
    }

    /// Its name in an older schema.
    public var originalName: String { formerName ?? name }
    /// Whether no two rows may have the same value.
    public var isUnique: Bool { options.contains(.unique) }

    /// One wish for an attribute.
    public struct Option: Hashable, Sendable, CustomDebugStringConvertible {
      let name: String

      /// No two rows have the same value; a conflict at save updates the row that is there.
      public static let unique = Option(name: "unique")
      /// The value may live outside the row; kept in the row here.
      public static let externalStorage = Option(name: "externalStorage")
      /// Applies to Apple's cloud only.
      public static let allowsCloudEncryption = Option(name: "allowsCloudEncryption")
      /// The value is kept in history when the row is deleted.
      public static let preserveValueOnDeletion = Option(name: "preserveValueOnDeletion")
      /// Tracked and observed, never stored; accepted, and stored like any other here.
      public static let ephemeral = Option(name: "ephemeral")
      /// Applies to Apple's search only.
      public static let spotlight = Option(name: "spotlight")
      /// Stored as one opaque value, which Codable values are anyway.
      public static let codable = Option(name: "codable")

      /// Its name.
      public var debugDescription: String { name }
    }
  }

  /// How a relationship behaves.
  public struct Relationship: SchemaProperty {
    /// What happens to the other side when the owner is deleted.
    public enum DeleteRule: String, Codable, Sendable {
      /// Leaves the other side as it is.
      case noAction
      /// Clears the other side's reference.
      case nullify
      /// Deletes the other side.
      case cascade
      /// Makes the save fail while there is another side.
      case deny
    }

    /// One wish for a relationship.
    public struct Option: Hashable, Sendable {
      let name: String
      /// No two rows lead to the same one.
      public static let unique = Option(name: "unique")
    }

    /// The property's name; empty until it stands in a schema.
    public internal(set) var name = ""
    /// The entity it leads to.
    public internal(set) var destination = ""
    /// The other side; nil for one-way.
    public internal(set) var inverseName: String?
    /// Whether it leads to at most one row.
    public internal(set) var isToOneRelationship = true
    /// What was asked for.
    public var options: [Option]
    /// What happens to the other side when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The fewest related rows a save accepts; 0 or nil for any number.
    public var minimumModelCount: Int?
    /// The most related rows a save accepts; 0 or nil for any number.
    public var maximumModelCount: Int?
    /// Goes into the schema's fingerprint.
    public var hashModifier: String?
    var formerName: String?
    /// Set once by the macro's arguments and only compared; key paths of models are immutable.
    nonisolated(unsafe) var inverseKeyPath: AnyKeyPath?

    /// Says how a relationship behaves.
    public init(
      _ options: Option..., deleteRule: DeleteRule = .nullify, minimumModelCount: Int? = 0,
      maximumModelCount: Int? = 0, originalName: String? = nil, inverse: AnyKeyPath? = nil,
      hashModifier: String? = nil
    ) {
      self.options = options
      self.deleteRule = deleteRule
      self.minimumModelCount = minimumModelCount
      self.maximumModelCount = maximumModelCount
      self.hashModifier = hashModifier
      formerName = originalName
      inverseKeyPath = inverse
    }

    /// Its name in an older schema.
    public var originalName: String { formerName ?? name }
  }

  /// Kinds of index over key paths of a model.
  public struct Index<T: PersistentModel> {
    /// One index.
    public enum Types<P: PersistentModel> {
      /// An ordinary index over properties.
      case binary([PartialKeyPath<P>])
      /// An index over ranges; kept as an ordinary one.
      case rtree([PartialKeyPath<P>])
    }
  }

  /// One persisted property, as its class declares it.
  public struct PropertyMetadata {
    /// The property's name.
    public let name: String
    /// Its key path.
    public let keypath: AnyKeyPath
    let property: PropertyDescription?
    let unique: [[AnyKeyPath]]
    let indexes: [[AnyKeyPath]]
  }
}
