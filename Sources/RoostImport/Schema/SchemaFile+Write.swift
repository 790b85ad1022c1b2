package import RoostModel

extension SchemaFile {
  /// The document that ``read(_:)`` gives the same schema for.
  package static func document(_ schema: StoreSchema) -> JSONValue {
    .object([
      JSONMember("version", .number(String(schema.version))),
      JSONMember(
        "entities", .object(schema.entities.map { JSONMember($0.name, document($0)) })),
    ])
  }

  // Plain loops: the optimizer of Swift 6.3.1 stops at the same with closures inside closures.
  private static func document(_ entity: EntitySchema) -> JSONValue {
    var attributes: [JSONMember] = []
    var relationships: [JSONMember] = []
    for property in entity.properties {
      switch property.kind {
      case .attribute(let type):
        attributes.append(JSONMember(property.name, attribute(property, type)))
      case .relationship(let other):
        relationships.append(JSONMember(property.name, relationship(property, other)))
      }
    }
    var members = [JSONMember("attributes", .object(attributes))]
    if !relationships.isEmpty {
      members.append(JSONMember("relationships", .object(relationships)))
    }
    if !entity.uniqueConstraints.isEmpty {
      members.append(JSONMember("unique", constraints(entity.uniqueConstraints)))
    }
    if !entity.indexes.isEmpty {
      members.append(JSONMember("indexes", constraints(entity.indexes)))
    }
    return .object(members)
  }

  private static func attribute(_ property: PropertySchema, _ type: AttributeType) -> JSONValue {
    let name = JSONValue.string(type.name + (property.isOptional ? "?" : ""))
    guard property.defaultValue != nil || property.originalName != nil else { return name }
    var members = [JSONMember("type", name)]
    if let value = property.defaultValue {
      members.append(JSONMember("default", ValueText.json(value)))
    }
    if let original = property.originalName {
      members.append(JSONMember("originalName", .string(original)))
    }
    return .object(members)
  }

  private static func relationship(
    _ property: PropertySchema, _ relationship: RelationshipSchema
  ) -> JSONValue {
    let name = relationship.destination
    var members = [
      relationship.isToMany
        ? JSONMember("toMany", .string(name))
        : JSONMember("toOne", .string(name + (property.isOptional ? "?" : "")))
    ]
    if let inverse = relationship.inverse {
      members.append(JSONMember("inverse", .string(inverse)))
    }
    if relationship.deleteRule != .nullify {
      members.append(JSONMember("onDelete", .string(relationship.deleteRule.word)))
    }
    if let original = property.originalName {
      members.append(JSONMember("originalName", .string(original)))
    }
    return .object(members)
  }

  private static func constraints(_ lists: [[String]]) -> JSONValue {
    .array(lists.map { .string($0.joined(separator: ",")) })
  }
}
