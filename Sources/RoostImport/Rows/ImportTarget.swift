package import RoostModel

/// Why files cannot be imported as they were asked to be: the call is wrong, not a row.
package struct BindingFault: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}

/// What rows are written into: an entity, and how its rows are identified.
package struct ImportTarget: Hashable, Sendable {
  package var schema: StoreSchema
  package var entity: EntitySchema
  /// Names of the unique constraint that identifies rows.
  package var key: [String]
  package var conflict: ImportConflict

  package init(
    schema: StoreSchema, entity: String, key: [String] = [],
    conflict: ImportConflict = .update
  ) throws(BindingFault) {
    guard let found = schema.entity(named: entity) else {
      let names = schema.entities.map(\.name)
      throw BindingFault(
        "there is no entity \"\(entity)\"\(NearestName.hint(entity, among: names))")
    }
    self.schema = schema
    self.entity = found
    self.key = key
    self.conflict = conflict
    try checkKey()
  }

  private func checkKey() throws(BindingFault) {
    for name in key where entity.property(named: name)?.isColumn != true {
      throw BindingFault(
        "the key names \"\(name)\", which is no attribute of \(entity.name)"
          + NearestName.hint(name, among: columnNames))
    }
    guard key.isEmpty || constraintNames != nil else {
      let known = entity.uniqueConstraints.map { $0.joined(separator: ",") }
      throw BindingFault(
        "\(entity.name) has no unique constraint on \(key.joined(separator: ",")); "
          + (known.isEmpty ? "it has none at all" : "it has: \(known.joined(separator: "; "))"))
    }
  }

  /// The constraint with the key's properties, in the constraint's order.
  private var constraintNames: [String]? {
    entity.uniqueConstraints.first { Set($0) == Set(key) }
  }

  package var constraint: [PropertyID]? {
    guard !key.isEmpty, let names = constraintNames else { return nil }
    return names.compactMap { entity.property(named: $0)?.id }
  }

  package var columnNames: [String] { entity.properties.filter(\.isColumn).map(\.name) }

  /// Whether nil in the property rejects the row.
  package func isRequired(_ property: PropertySchema) -> Bool {
    !property.isOptional || key.contains(property.name)
  }

  /// A to-one by the single-attribute key of its destination.
  func keyRule(
    _ property: PropertySchema, slot: Int, createsMissing: Bool
  ) throws(BindingFault) -> KeyRule {
    guard let destination = schema.destination(of: property) else {
      throw BindingFault("\(entity.name).\(property.name) leads to an unknown entity")
    }
    guard let constraint = destination.uniqueConstraints.first(where: { $0.count == 1 }),
      let part = constraint.first.flatMap({ destination.property(named: $0) }),
      let type = part.attributeType
    else {
      throw BindingFault(
        "\(entity.name).\(property.name) needs a key of \(destination.name), which has no unique "
          + "attribute; use a plan")
    }
    return KeyRule(
      entity: destination.id, constraint: [part.id],
      parts: [FieldRule(slots: [slot], type: type)], createsMissing: createsMissing)
  }

  /// The column for a property whose value stands in a field of its own name.
  package func column(
    _ property: PropertySchema, slot: Int, createsMissing: Bool = false
  ) throws(BindingFault) -> BoundColumn {
    let rule: BoundColumn.Rule
    if let type = property.attributeType {
      rule = .field(FieldRule(slots: [slot], type: type))
    } else if property.isColumn {
      rule = .key(try keyRule(property, slot: slot, createsMissing: createsMissing))
    } else {
      throw BindingFault(
        "\(entity.name).\(property.name) is a to-many; import its other side instead")
    }
    return BoundColumn(
      property: property.id, name: property.name, isRequired: isRequired(property), rule: rule)
  }
}
