import RoostModel

/// Collects a class's properties; generated code calls it, one statement a property.
///
/// Which `add` fits decides what a property is: an attribute with a column type of its own, a
/// raw-value enum, another Codable value, or one of the four relationships.
public struct SchemaBuilder<Model: PersistentModel> {
  /// What has been collected.
  public private(set) var metadata: [Schema.PropertyMetadata] = []

  /// Nothing collected yet.
  public init() {}

  /// Adds an attribute with a column type of its own.
  public mutating func add<V: StorableValue>(
    _ name: String, _ keyPath: KeyPath<Model, V>, value: V?,
    attribute: Schema.Attribute? = nil, isConstant: Bool = false
  ) {
    append(
      name, keyPath, V.attributeType, isOptional: V.self is any OptionalValue.Type,
      value: value?.storedValue, attribute, isConstant)
  }

  /// Adds an enum that is stored as its raw value.
  @_disfavoredOverload
  public mutating func add<V: RawRepresentable & Codable>(
    _ name: String, _ keyPath: KeyPath<Model, V>, value: V?,
    attribute: Schema.Attribute? = nil, isConstant: Bool = false
  ) where V.RawValue: StorableValue {
    let isFit = value != nil || StandIn.enumeration(V.self) != nil
    append(
      name, keyPath, V.RawValue.attributeType, isOptional: false,
      value: value?.rawValue.storedValue, attribute, isConstant,
      problem: isFit ? nil : PropertyDescription.unfit)
  }

  /// Adds an optional enum that is stored as its raw value.
  @_disfavoredOverload
  public mutating func add<V: RawRepresentable & Codable>(
    _ name: String, _ keyPath: KeyPath<Model, V?>, value: V?,
    attribute: Schema.Attribute? = nil, isConstant: Bool = false
  ) where V.RawValue: StorableValue {
    append(
      name, keyPath, V.RawValue.attributeType, isOptional: true,
      value: value?.rawValue.storedValue, attribute, isConstant)
  }

  /// Adds any other Codable value, stored as JSON text.
  @_disfavoredOverload
  public mutating func add<V: Codable>(
    _ name: String, _ keyPath: KeyPath<Model, V>, value: V?,
    attribute: Schema.Attribute? = nil, isConstant: Bool = false
  ) {
    append(
      name, keyPath, .json, isOptional: V.self is any OptionalValue.Type,
      value: value.map { JSONValue.stored($0) }, attribute, isConstant,
      problem: problem(V.self, default: value))
  }

  private func problem<V: Codable>(_ type: V.Type, default value: V?) -> String? {
    if V.self is AnyClass {
      return "'\(V.self)' is a class and no model: a stored value must be a value type"
    }
    // A default that refuses to be encoded cannot stand in.
    if let value, JSONValue.value(V.self, from: JSONValue.stored(value)) != nil { return nil }
    return StandIn.value(V.self) == nil ? PropertyDescription.unfit : nil
  }

  /// Says why a type cannot be stored.
  @available(
    *, unavailable,
    message: "A stored property must be Codable or lead to @Model classes; else mark it @Transient"
  )
  @_disfavoredOverload
  public mutating func add<V>(
    _ name: String, _ keyPath: KeyPath<Model, V>, value: V?,
    attribute: Schema.Attribute? = nil, relationship: Schema.Relationship? = nil,
    isConstant: Bool = false
  ) {}

  /// Adds a to-one relationship that is always there.
  public mutating func add<V: PersistentModel>(
    _ name: String, _ keyPath: KeyPath<Model, V>, value: V?,
    attribute: Schema.Attribute? = nil, relationship: Schema.Relationship? = nil
  ) {
    append(name, keyPath, .toOne(V.self), isOptional: false, attribute, relationship)
  }

  /// Adds a to-one relationship that may be nil.
  public mutating func add<V: PersistentModel>(
    _ name: String, _ keyPath: KeyPath<Model, V?>, value: V?,
    attribute: Schema.Attribute? = nil, relationship: Schema.Relationship? = nil
  ) {
    append(name, keyPath, .toOne(V.self), isOptional: true, attribute, relationship)
  }

  /// Adds a to-many relationship.
  public mutating func add<V: PersistentModel>(
    _ name: String, _ keyPath: KeyPath<Model, [V]>, value: [V]?,
    attribute: Schema.Attribute? = nil, relationship: Schema.Relationship? = nil
  ) {
    append(name, keyPath, .toMany(V.self), isOptional: false, attribute, relationship)
  }

  /// Adds a to-many relationship whose property is optional; it reads as an empty array.
  public mutating func add<V: PersistentModel>(
    _ name: String, _ keyPath: KeyPath<Model, [V]?>, value: [V]?,
    attribute: Schema.Attribute? = nil, relationship: Schema.Relationship? = nil
  ) {
    append(name, keyPath, .toMany(V.self), isOptional: true, attribute, relationship)
  }

  /// Adds unique constraints.
  public mutating func unique(_ constraints: [PartialKeyPath<Model>]...) {
    append(unique: constraints, indexes: [])
  }

  /// Adds indexes.
  public mutating func index(_ indices: [PartialKeyPath<Model>]...) {
    append(unique: [], indexes: indices)
  }

  /// Adds indexes with their kinds.
  public mutating func index(_ indices: Schema.Index<Model>.Types<Model>...) {
    append(
      unique: [],
      indexes: indices.map { index in
        switch index {
        case .binary(let keyPaths), .rtree(let keyPaths): keyPaths
        }
      })
  }

  private mutating func append(unique: [[AnyKeyPath]], indexes: [[AnyKeyPath]]) {
    metadata.append(
      Schema.PropertyMetadata(
        name: "", keypath: \Model.self, property: nil, unique: unique, indexes: indexes))
  }

  private mutating func append<V>(
    _ name: String, _ keyPath: KeyPath<Model, V>, _ type: AttributeType, isOptional: Bool,
    value: Value?, _ attribute: Schema.Attribute?, _ isConstant: Bool, problem: String? = nil
  ) {
    var attribute = attribute ?? Schema.Attribute()
    attribute.name = name
    attribute.isOptional = isOptional
    append(
      PropertyDescription(
        name, keyPath, kind: .attribute(type), isOptional: isOptional, isConstant: isConstant,
        defaultValue: value, attribute: attribute, problem: problem))
  }

  private mutating func append<V>(
    _ name: String, _ keyPath: KeyPath<Model, V>, _ kind: PropertyDescription.Kind,
    isOptional: Bool, _ attribute: Schema.Attribute?, _ relationship: Schema.Relationship?
  ) {
    var relationship = relationship ?? Schema.Relationship()
    relationship.name = name
    if case .toMany = kind { relationship.isToOneRelationship = false }
    append(
      PropertyDescription(
        name, keyPath, kind: kind, isOptional: isOptional, isConstant: false,
        relationship: relationship,
        problem: attribute == nil ? nil : "@Attribute does not apply to a relationship"))
  }

  private mutating func append(_ property: PropertyDescription) {
    metadata.append(
      Schema.PropertyMetadata(
        name: property.name, keypath: property.keyPath, property: property,
        unique: property.attribute?.isUnique == true ? [[property.keyPath]] : [], indexes: []))
  }
}
