import RoostModel

/// Compares a schema with the store's and, where it only adds, makes the schema afterwards.
///
/// What the given schema does not mention stays: old and new clients live together.
struct SchemaMerge {
  private(set) var schema: StoreSchema
  /// What applying changes; one readable line each.
  private(set) var differences: [String] = []
  /// What can never be applied; one readable line each.
  private(set) var refusals: [String] = []
  /// Columns that get another name: entity, property.
  private(set) var renamed: [(EntityID, PropertyID)] = []
  private var nextEntity: EntityID

  init(store: StoreSchema, nextEntity: EntityID, given: StoreSchema) {
    schema = store
    self.nextEntity = nextEntity
    for entity in given.entities { merge(entity) }
    if schema.entities.count > Limits.entitiesMax {
      refusals.append("the schema has more than \(Limits.entitiesMax) entities")
    }
    completeInverses()
    checkRelationships()
    if !differences.isEmpty { schema.version += 1 }
  }

  var entityAfter: EntityID { nextEntity }

  private mutating func merge(_ given: EntitySchema) {
    checkName(given.name, "an entity")
    guard let index = schema.entities.firstIndex(where: { $0.name == given.name }) else {
      add(given)
      return
    }
    var entity = schema.entities[index]
    for property in given.properties { merge(property, into: &entity) }
    mergeKeys(given, into: &entity)
    checkSize(entity)
    schema.entities[index] = entity
  }

  private mutating func add(_ given: EntitySchema) {
    var entity = EntitySchema(id: nextEntity, name: given.name, properties: [])
    nextEntity += 1
    for property in given.properties {
      checkName(property.name, "a property of \(given.name)")
      if entity.property(named: property.name) != nil {
        refusals.append("\(given.name).\(property.name) stands twice")
      }
      checkDefault(property, of: given.name)
      var property = property
      property.id = PropertyID(entity.properties.count + 1)
      entity.properties.append(property)
    }
    differences.append(
      "new entity \(given.name) with \(entity.properties.count) properties")
    mergeKeys(given, into: &entity)
    checkSize(entity)
    schema.entities.append(entity)
  }

  private mutating func merge(_ given: PropertySchema, into entity: inout EntitySchema) {
    let place = "\(entity.name).\(given.name)"
    var index = entity.properties.firstIndex { $0.name == given.name }
    if index == nil, let original = given.originalName {
      index = entity.properties.firstIndex { $0.name == original }
      if let index { rename(&entity, at: index, to: given) }
    }
    guard let index else {
      checkName(given.name, "a property of \(entity.name)")
      checkDefault(given, of: entity.name)
      var property = given
      property.id = (entity.properties.map(\.id).max() ?? 0) + 1
      entity.properties.append(property)
      differences.append("new property \(place): \(describe(given))")
      return
    }
    entity.properties[index] = compare(given, with: entity.properties[index], place: place)
  }

  private mutating func rename(
    _ entity: inout EntitySchema, at index: Int, to given: PropertySchema
  ) {
    let old = entity.properties[index].name
    checkName(given.name, "a property of \(entity.name)")
    differences.append("\(entity.name).\(old) is renamed \(given.name)")
    renamed.append((entity.id, entity.properties[index].id))
    entity.properties[index].name = given.name
    entity.properties[index].originalName = old
    let swap = { (names: [String]) in names.map { $0 == old ? given.name : $0 } }
    entity.uniqueConstraints = entity.uniqueConstraints.map(swap)
    entity.indexes = entity.indexes.map(swap)
    renameInverses(of: entity.name, from: old, to: given.name)
  }

  private mutating func renameInverses(of entity: String, from old: String, to new: String) {
    for other in schema.entities.indices {
      for index in schema.entities[other].properties.indices {
        guard
          case .relationship(var relationship) = schema.entities[other].properties[index].kind,
          relationship.destination == entity, relationship.inverse == old
        else { continue }
        relationship.inverse = new
        schema.entities[other].properties[index].kind = .relationship(relationship)
      }
    }
  }

  private mutating func compare(
    _ given: PropertySchema, with stored: PropertySchema, place: String
  ) -> PropertySchema {
    var result = stored
    switch (stored.kind, given.kind) {
    case (.attribute(let old), .attribute(let new)):
      if old != new { refusals.append("\(place) is \(old.name) in the store, not \(new.name)") }
    case (.relationship(let old), .relationship(let new)):
      result.kind = .relationship(compare(new, with: old, place: place))
    default:
      refusals.append("\(place) is \(describe(stored)) in the store, not \(describe(given))")
    }
    // A to-many is optional by nature, whatever was said of it.
    if given.isOptional, !stored.isOptional, stored.isColumn {
      differences.append("\(place) becomes optional")
      result.isOptional = true
    } else if !given.isOptional, stored.isOptional, stored.isColumn {
      refusals.append("\(place) is optional in the store, not required")
    }
    if let value = given.defaultValue, value != stored.defaultValue {
      checkDefault(given, of: place)
      differences.append("\(place) gets another default value")
      result.defaultValue = value
    }
    return result
  }

  private mutating func compare(
    _ given: RelationshipSchema, with stored: RelationshipSchema, place: String
  ) -> RelationshipSchema {
    var result = stored
    if given.destination != stored.destination {
      refusals.append("\(place) leads to \(stored.destination), not \(given.destination)")
    }
    if given.isToMany != stored.isToMany {
      refusals.append("\(place) is to-\(stored.isToMany ? "many" : "one") in the store")
    }
    if let inverse = given.inverse, inverse != stored.inverse {
      if stored.inverse != nil || stored.isToMany {
        refusals.append(
          "\(place) has \(stored.inverse ?? "nothing") on the other side, not \(inverse)")
      } else {
        differences.append("\(place) gets the other side \(given.destination).\(inverse)")
        result.inverse = inverse
      }
    }
    if given.deleteRule != stored.deleteRule {
      differences.append("\(place) gets the delete rule \(given.deleteRule)")
      result.deleteRule = given.deleteRule
    }
    return result
  }

  private mutating func mergeKeys(_ given: EntitySchema, into entity: inout EntitySchema) {
    for names in given.uniqueConstraints where !entity.uniqueConstraints.contains(names) {
      if checkKey(names, of: entity) {
        entity.uniqueConstraints.append(names)
        differences.append("\(entity.name): unique (\(names.joined(separator: ", ")))")
      }
    }
    for names in given.indexes where !entity.indexes.contains(names) {
      if checkKey(names, of: entity) {
        entity.indexes.append(names)
        differences.append("\(entity.name): index on (\(names.joined(separator: ", ")))")
      }
    }
  }

  private mutating func checkKey(_ names: [String], of entity: EntitySchema) -> Bool {
    let list = names.joined(separator: ", ")
    guard !names.isEmpty, names.count <= Limits.keyPartsMax, Set(names).count == names.count else {
      refusals.append("\(entity.name): a key has 1 to \(Limits.keyPartsMax) parts: (\(list))")
      return false
    }
    for name in names where entity.property(named: name)?.isColumn != true {
      refusals.append("\(entity.name): (\(list)) names \(name), which is not a column")
      return false
    }
    return true
  }

  // MARK: Relationships

  /// An inverse that only one side names is known to both.
  private mutating func completeInverses() {
    for entity in schema.entities {
      for property in entity.properties {
        guard let inverse = property.relationship?.inverse,
          let other = schema.entities.firstIndex(where: {
            $0.name == property.relationship?.destination
          }),
          let index = schema.entities[other].properties.firstIndex(where: { $0.name == inverse }),
          case .relationship(var back) = schema.entities[other].properties[index].kind,
          back.inverse == nil, back.destination == entity.name
        else { continue }
        back.inverse = property.name
        schema.entities[other].properties[index].kind = .relationship(back)
      }
    }
  }

  private mutating func checkRelationships() {
    for entity in schema.entities {
      for property in entity.properties {
        guard let relationship = property.relationship else { continue }
        let place = "\(entity.name).\(property.name)"
        guard let destination = schema.entity(named: relationship.destination) else {
          refusals.append("\(place) leads to \(relationship.destination), which does not exist")
          continue
        }
        guard let inverse = relationship.inverse else { continue }
        let back = destination.property(named: inverse)?.relationship
        if back?.destination != entity.name || back?.inverse != property.name {
          refusals.append("\(place) and \(destination.name).\(inverse) are not two sides of one")
        }
      }
    }
  }

  // MARK: Checks

  private mutating func checkName(_ name: String, _ what: String) {
    let isPrintable = name.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    if name.isEmpty || name.utf8.count > Limits.nameBytesMax || !isPrintable {
      refusals.append(
        "\(what) has a name that is empty, longer than \(Limits.nameBytesMax) bytes or unprintable")
    }
  }

  private mutating func checkSize(_ entity: EntitySchema) {
    if entity.properties.count > Limits.columnsMax {
      refusals.append("\(entity.name) has more than \(Limits.columnsMax) properties")
    }
  }

  private mutating func checkDefault(_ property: PropertySchema, of place: String) {
    guard let value = property.defaultValue, !value.isNull else { return }
    let fits = property.attributeType.map { ValueCheck.fits(value, ColumnKind($0)) } ?? false
    if !fits { refusals.append("\(place).\(property.name): the default is of another type") }
  }

  private func describe(_ property: PropertySchema) -> String {
    let mark = property.isOptional ? "?" : ""
    switch property.kind {
    case .attribute(let type): return type.name + mark
    case .relationship(let relationship):
      return relationship.isToMany
        ? "[\(relationship.destination)]" : relationship.destination + mark
    }
  }
}
