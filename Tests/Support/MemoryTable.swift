package import RoostModel

/// Rows in dictionaries: the plainest source an evaluator can have.
package struct MemoryTable: RowSource {
  package let schema: StoreSchema
  package private(set) var rows: [RowReference: [PropertyID: Value]] = [:]
  /// In the order of their identifiers.
  private var rowsByEntity: [EntityID: [RowReference]] = [:]
  /// To-many relationships without a to-one on the other side.
  package var links: [RowReference: [PropertyID: [Int64]]] = [:]

  package init(schema: StoreSchema) { self.schema = schema }

  package func value(
    of property: PropertyID, in row: RowReference
  ) throws(StoreError) -> Value {
    property == 0 ? .int(row.row) : rows[row]?[property] ?? .null
  }

  package func reference(of row: RowReference) -> RowReference { row }

  package func row(_ reference: RowReference) throws(StoreError) -> RowReference? {
    rows[reference] == nil ? nil : reference
  }

  package func related(
    _ property: PropertyID, of row: RowReference
  ) throws(StoreError) -> [RowReference] {
    guard let schema = schema.entity(row.entity)?.property(property),
      let destination = self.schema.destination(of: schema)
    else { return [] }
    if let inverse = inverse(of: schema), inverse.isColumn {
      return all(destination.id).filter { rows[$0]?[inverse.id] == .reference(row) }
    }
    let linked = links[row]?[property] ?? []
    return linked.map { RowReference(entity: destination.id, row: $0) }
  }

  private func inverse(of property: PropertySchema) -> PropertySchema? {
    guard let name = property.relationship?.inverse else { return nil }
    return schema.destination(of: property)?.property(named: name)
  }

  /// The rows of an entity, in the order of their identifiers.
  package func all(_ entity: EntityID) -> [RowReference] { rowsByEntity[entity] ?? [] }

  /// Puts a row in, or gives it other values.
  package mutating func set(_ row: RowReference, _ cells: [PropertyID: Value]) {
    let isNew = rows.updateValue(cells, forKey: row) == nil
    guard isNew else { return }
    rowsByEntity[row.entity, default: []].append(row)
    rowsByEntity[row.entity]?.sort { $0.row < $1.row }
  }
}

extension MemoryTable {
  /// A table of `count` random rows of every entity, related at random.
  package init(randomly count: Int, schema: StoreSchema, values: inout RandomValues) {
    self.init(schema: schema)
    for entity in schema.entities {
      for row in 1...count {
        let reference = RowReference(entity: entity.id, row: Int64(row))
        fill(reference, of: entity, count, &values)
      }
    }
  }

  private mutating func fill(
    _ row: RowReference, of entity: EntitySchema, _ count: Int, _ values: inout RandomValues
  ) {
    var cells: [PropertyID: Value] = [:]
    for property in entity.properties {
      let nullPercent = property.isOptional ? 25 : 0
      if entity.uniqueConstraints.joined().contains(property.name) {
        cells[property.id] = .text("\(values.random.pick(RandomValues.texts))\(row.row)")
      } else if let type = property.attributeType {
        let value = values.value(type, nullPercent: nullPercent)
        // A date has no -0: the store's column keeps 0 for it.
        cells[property.id] = value == .date(-0.0) ? .date(0) : value
      } else if let destination = schema.destination(of: property) {
        let target = Int64(values.random.below(count) + 1)
        if property.isColumn {
          let reference = RowReference(entity: destination.id, row: target)
          cells[property.id] = values.random.chance(25) ? .null : .reference(reference)
        } else if inverse(of: property)?.isColumn != true {
          for step in 0..<values.random.below(3) {
            link(
              row, property,
              RowReference(entity: destination.id, row: (target + Int64(step)) % Int64(count) + 1))
          }
        }
      }
    }
    set(row, cells)
  }

  /// Adds a pair, on the other side, too, if it has one.
  private mutating func link(
    _ row: RowReference, _ property: PropertySchema, _ target: RowReference
  ) {
    append(target.row, to: row, property.id)
    if let inverse = inverse(of: property) { append(row.row, to: target, inverse.id) }
  }

  private mutating func append(_ target: Int64, to row: RowReference, _ property: PropertyID) {
    let present = links[row]?[property] ?? []
    if !present.contains(target) { links[row, default: [:]][property] = present + [target] }
  }
}
