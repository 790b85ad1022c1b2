import RoostClient
import RoostModel

/// The keys of rows that other rows point to, so that people see `KJFK` and not `#17`.
struct ReferenceNames {
  private var keys: [RowReference: Value] = [:]
  private let schema: StoreSchema

  /// Looks up all references in the rows: one call for each to-one of the entity.
  init(
    _ rows: [[Value]], _ entity: EntitySchema, _ schema: StoreSchema, _ client: RoostClient
  ) async throws {
    self.schema = schema
    var wanted: [EntityID: Set<Int64>] = [:]
    for case .reference(let reference) in rows.joined() {
      wanted[reference.entity, default: []].insert(reference.row)
    }
    for (id, rows) in wanted {
      guard let destination = schema.entity(id),
        let name = destination.uniqueConstraints.first(where: { $0.count == 1 })?.first,
        let key = destination.property(named: name)
      else { continue }
      let ids = rows.sorted()
      let batch = try await client.get(id, ids: ids, columns: [key.id])
      for (row, values) in zip(ids, try batch.valueRows(dropping: 0)) {
        if let value = values.last, !value.isNull {
          keys[RowReference(entity: id, row: row)] = value
        }
      }
    }
  }

  func resolved(_ row: [Value]) -> [Value] {
    row.map { value in
      guard case .reference(let reference) = value else { return value }
      return keys[reference] ?? value
    }
  }

  /// The type that the property's values have once references are resolved.
  func type(of property: PropertySchema) -> AttributeType? {
    property.attributeType ?? OutputPlan.keyProperty(of: property, schema)?.attributeType
  }
}
