package import RoostModel

/// Schemas as JSON files that people write, and that `roost schema --json` prints.
///
/// ```json
/// {"entities": {
///   "Flight": {
///     "attributes": {"ident": "String", "actualOff": "Date?",
///                    "progressPercent": {"type": "Int", "default": 0}},
///     "relationships": {"origin": {"toOne": "Airport?", "inverse": "flightsFrom"}},
///     "unique": ["ident"],
///     "indexes": ["origin,scheduledOff"]},
///   "Airport": {
///     "attributes": {"icao": "String"},
///     "relationships": {"flightsFrom": {"toMany": "Flight", "inverse": "origin",
///                                       "onDelete": "cascade"}},
///     "unique": ["icao"]}}}
/// ```
///
/// A `?` makes a property optional. Members of a constraint are joined by commas.
package enum SchemaFile {
  /// - Throws: ``BindingFault`` that names the place of the mistake.
  package static func read(_ document: JSONValue) throws(BindingFault) -> StoreSchema {
    let root = PlanNode(document, at: "the schema")
    try root.checkKeys(["entities", "version"])
    var schema = StoreSchema()
    for member in try root.required("entities").members() {
      schema.entities.append(try entity(member.key, member.node))
    }
    for entity in schema.entities { try checkRelationships(entity, in: schema) }
    return schema
  }

  private static func entity(
    _ name: String, _ node: PlanNode
  ) throws(BindingFault) -> EntitySchema {
    try node.checkKeys(["attributes", "relationships", "unique", "indexes"])
    var entity = EntitySchema(name: name, properties: [])
    for member in try node["attributes"]?.members() ?? [] {
      entity.properties.append(try attribute(member.key, member.node))
    }
    for member in try node["relationships"]?.members() ?? [] {
      entity.properties.append(try relationship(member.key, member.node))
    }
    entity.uniqueConstraints = try constraints(node["unique"], of: entity)
    entity.indexes = try constraints(node["indexes"], of: entity)
    guard !entity.properties.isEmpty else { throw node.fault("needs at least one attribute") }
    return entity
  }

  private static func attribute(
    _ name: String, _ node: PlanNode
  ) throws(BindingFault) -> PropertySchema {
    if case .string = node.value {
      let (type, isOptional) = try typeName(node)
      return PropertySchema(name: name, kind: .attribute(type), isOptional: isOptional)
    }
    try node.checkKeys(["type", "default", "originalName"])
    let (type, isOptional) = try typeName(try node.required("type"))
    var property = PropertySchema(name: name, kind: .attribute(type), isOptional: isOptional)
    property.originalName = try node["originalName"]?.string()
    if let literal = node["default"] {
      do throws(CellFault) {
        property.defaultValue = try literal.value.value(as: type)
      } catch {
        throw literal.fault(error.reason)
      }
    }
    return property
  }

  private static func typeName(
    _ node: PlanNode
  ) throws(BindingFault) -> (type: AttributeType, isOptional: Bool) {
    let (name, isOptional) = optional(try node.string())
    do throws(BindingFault) {
      return (try TypeName.type(name), isOptional)
    } catch {
      throw node.fault(error.description)
    }
  }

  private static func optional(_ name: String) -> (name: String, isOptional: Bool) {
    name.hasSuffix("?") ? (String(name.dropLast()), true) : (name, false)
  }

  private static func relationship(
    _ name: String, _ node: PlanNode
  ) throws(BindingFault) -> PropertySchema {
    try node.checkKeys(["toOne", "toMany", "inverse", "onDelete", "originalName"])
    guard (node["toOne"] == nil) != (node["toMany"] == nil) else {
      throw node.fault("needs \"toOne\" or \"toMany\" with an entity's name")
    }
    let isToMany = node["toMany"] != nil
    let (destination, isOptional) = optional(
      try node.required(isToMany ? "toMany" : "toOne").string())
    let rule = try node["onDelete"]?.choice(RelationshipDeleteRule.allCases, \.word) ?? .nullify
    return PropertySchema(
      name: name,
      kind: .relationship(
        RelationshipSchema(
          destination: destination, isToMany: isToMany, inverse: try node["inverse"]?.string(),
          deleteRule: rule)), isOptional: isOptional || isToMany,
      originalName: try node["originalName"]?.string())
  }

  private static func constraints(
    _ node: PlanNode?, of entity: EntitySchema
  ) throws(BindingFault) -> [[String]] {
    var constraints: [[String]] = []
    let names = entity.properties.map(\.name)
    for text in try node?.strings() ?? [] {
      let parts = text.split(separator: ",").map { String($0) }
      for part in parts where !names.contains(part) {
        throw BindingFault(
          "\(entity.name): \"\(part)\" is no property of it\(NearestName.hint(part, among: names))")
      }
      constraints.append(parts)
    }
    return constraints
  }

  private static func checkRelationships(
    _ entity: EntitySchema, in schema: StoreSchema
  ) throws(BindingFault) {
    for property in entity.properties {
      guard let relationship = property.relationship else { continue }
      let place = "\(entity.name).\(property.name)"
      guard let destination = schema.entity(named: relationship.destination) else {
        let hint = NearestName.hint(relationship.destination, among: schema.entities.map(\.name))
        throw BindingFault("\(place): there is no entity \"\(relationship.destination)\"\(hint)")
      }
      guard let inverse = relationship.inverse else { continue }
      guard let other = destination.property(named: inverse)?.relationship,
        other.destination == entity.name
      else {
        throw BindingFault(
          "\(place): \(destination.name) has no relationship \"\(inverse)\" to \(entity.name)")
      }
    }
  }
}

extension RelationshipDeleteRule {
  /// The word for it in schema files.
  package var word: String {
    switch self {
    case .nullify: "nullify"
    case .cascade: "cascade"
    case .deny: "deny"
    case .noAction: "noAction"
    }
  }
}
