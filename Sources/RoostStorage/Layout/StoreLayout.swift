import RoostModel

/// The names that were chosen when entities and properties were registered; they never change
/// except by a rename.
struct PhysicalNames: Sendable {
  var tables: [EntityID: String] = [:]
  /// Columns, and for to-manys that need one the table of pairs.
  var properties: [EntityID: [PropertyID: String]] = [:]
}

/// How the whole schema stands in the file. A value made anew at each change of the schema.
final class StoreLayout: Sendable {
  let schema: StoreSchema
  let names: PhysicalNames
  private let entities: [EntityID: EntityLayout]
  /// Every entity in the order of the names' bytes, as maps by name have them.
  let byName: [(name: String, id: EntityID)]

  init(schema: StoreSchema, names: PhysicalNames) {
    self.schema = schema
    self.names = names
    let builder = LayoutBuilder(schema: schema, names: names)
    var entities: [EntityID: EntityLayout] = [:]
    for entity in schema.entities { entities[entity.id] = builder.layout(of: entity) }
    self.entities = entities
    byName = schema.entities.map { ($0.name, $0.id) }
      .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
  }

  var all: [EntityLayout] { schema.entities.compactMap { entities[$0.id] } }

  func entity(_ id: EntityID) throws(StoreError) -> EntityLayout {
    guard let entity = entities[id] else {
      throw StoreError(.notFound, .unknownEntity, "there is no entity with the id \(id)")
    }
    return entity
  }

  func find(_ id: EntityID) -> EntityLayout? { entities[id] }

  /// The name of a row in messages.
  func describe(_ entity: EntityID, _ row: Int64) -> String {
    "\(entities[entity]?.name ?? "entity \(entity)") #\(row)"
  }
}

/// Derives tables, columns and the work of deletes from a schema that is known to be sound.
struct LayoutBuilder {
  let schema: StoreSchema
  let names: PhysicalNames

  func layout(of entity: EntitySchema) -> EntityLayout {
    var columns: [ColumnLayout] = []
    var toMany: [PropertyID: ToManyLayout] = [:]
    for property in entity.properties {
      if property.isColumn {
        columns.append(column(property, of: entity))
      } else if let layout = toManyLayout(property, of: entity) {
        toMany[property.id] = layout
      }
    }
    return EntityLayout(
      schema: entity, table: Names.quoted(names.tables[entity.id] ?? entity.name),
      columns: columns, toMany: toMany,
      deleteSteps: deleteSteps(of: entity, columns: columns, toMany: toMany))
  }

  private func column(_ property: PropertySchema, of entity: EntitySchema) -> ColumnLayout {
    let name = names.properties[entity.id]?[property.id] ?? property.name
    if let type = property.attributeType {
      return ColumnLayout(
        property: property, kind: ColumnKind(type), destination: 0, toOneInverse: nil,
        sql: Names.quoted(name))
    }
    let inverse = inverse(of: property)
    return ColumnLayout(
      property: property, kind: .reference,
      destination: schema.destination(of: property)?.id ?? 0,
      toOneInverse: inverse?.isColumn == true ? inverse?.id : nil, sql: Names.quoted(name))
  }

  func inverse(of property: PropertySchema) -> PropertySchema? {
    guard let name = property.relationship?.inverse else { return nil }
    return schema.destination(of: property)?.property(named: name)
  }

  private func toManyLayout(
    _ property: PropertySchema, of entity: EntitySchema
  ) -> ToManyLayout? {
    guard let destination = schema.destination(of: property) else { return nil }
    guard let inverse = inverse(of: property) else {
      return .join(ownJoin(property, of: entity, to: destination, isSymmetric: false))
    }
    if inverse.isColumn { return .inverse(destination.id, inverse.id) }
    if destination.id == entity.id, inverse.id == property.id {
      return .join(ownJoin(property, of: entity, to: destination, isSymmetric: true))
    }
    if owns(entity.id, property.id, beside: destination.id, inverse.id) {
      return .join(ownJoin(property, of: entity, to: destination, isSymmetric: false))
    }
    return .join(
      ownJoin(inverse, of: destination, to: entity, isSymmetric: false)
        .reversed(other: destination.id))
  }

  /// The older side of a many-to-many keeps the table of pairs.
  func owns(
    _ entity: EntityID, _ property: PropertyID, beside other: EntityID, _ inverse: PropertyID
  ) -> Bool {
    (entity, property) < (other, inverse)
  }

  private func ownJoin(
    _ property: PropertySchema, of entity: EntitySchema, to destination: EntitySchema,
    isSymmetric: Bool
  ) -> JoinLayout {
    let table = names.properties[entity.id]?[property.id] ?? "\(entity.name)_\(property.name)"
    let columns = Self.joinColumns(entity.name, destination.name)
    return JoinLayout(
      table: Names.quoted(table), ownColumn: Names.quoted(columns.own),
      otherColumn: Names.quoted(columns.other), other: destination.id, isSymmetric: isSymmetric)
  }

  /// `Flight_pk` and `Tag_pk`; an entity related to itself gets a 2 on the other side.
  static func joinColumns(_ own: String, _ other: String) -> (own: String, other: String) {
    let same = Names.key(own) == Names.key(other)
    return ("\(own)_pk", same ? "\(other)_2_pk" : "\(other)_pk")
  }

  // MARK: Deletes

  private func deleteSteps(
    of entity: EntitySchema, columns: [ColumnLayout], toMany: [PropertyID: ToManyLayout]
  ) -> [DeleteStep] {
    var steps: [DeleteStep] = []
    for (index, column) in columns.enumerated() where column.kind == .reference {
      let rule = column.property.relationship?.deleteRule ?? .nullify
      if rule == .cascade || rule == .deny || column.toOneInverse != nil {
        steps.append(.target(column: index, rule: rule))
      }
    }
    for property in entity.properties {
      guard let layout = toMany[property.id], let rule = property.relationship?.deleteRule else {
        continue
      }
      switch layout {
      case .inverse(let other, let column):
        steps.append(.referrers(other, column, rule: rule, property: property.name))
      case .join(let join):
        steps.append(.pairs(join, rule: rule, property: property.name))
      }
    }
    return steps + oneWaySteps(to: entity)
  }

  /// Relationships of others that lead here and of which this entity knows nothing.
  private func oneWaySteps(to entity: EntitySchema) -> [DeleteStep] {
    var steps: [DeleteStep] = []
    for other in schema.entities {
      for property in other.properties {
        guard let relationship = property.relationship, relationship.inverse == nil,
          relationship.destination == entity.name
        else { continue }
        if property.isColumn {
          // Clearing a required to-one would leave a row that breaks its schema.
          steps.append(
            .referrers(
              other.id, property.id, rule: property.isOptional ? .nullify : .deny,
              property: "\(other.name).\(property.name)"))
        } else {
          let join = ownJoin(property, of: other, to: entity, isSymmetric: false)
          steps.append(
            .pairs(join.reversed(other: other.id), rule: .nullify, property: property.name))
        }
      }
    }
    return steps
  }
}
