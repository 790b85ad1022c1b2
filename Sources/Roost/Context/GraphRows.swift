import RoostModel

/// Lets the evaluator see a context's objects as they are now, changes included.
struct GraphRows: RowSource {
  let graph: ObjectGraph

  func value(of property: PropertyID, in row: ModelRecord) throws(StoreError) -> Value {
    if property == 0 { return .int(row.row) }
    guard let binding = graph.binding?.binding(of: row.description),
      let slot = binding.slots[property]
    else { return .null }
    guard row.description.properties[slot].isRelationship else { return row.value(slot) }
    return graph.toOne(row, slot).map { .reference(reference(of: $0)) } ?? .null
  }

  func reference(of row: ModelRecord) -> RowReference {
    RowReference(
      entity: graph.binding?.binding(of: row.description)?.entity ?? 0, row: row.row)
  }

  func row(_ reference: RowReference) throws(StoreError) -> ModelRecord? {
    guard let binding = graph.binding?.binding(of: reference.entity) else { return nil }
    if let known = graph.record(binding.description, reference.row) { return known }
    graph.load(binding.description, rows: [reference.row])
    return graph.record(binding.description, reference.row)
  }

  func related(_ property: PropertyID, of row: ModelRecord) throws(StoreError) -> [ModelRecord] {
    guard let binding = graph.binding?.binding(of: row.description),
      let slot = binding.slots[property]
    else { return [] }
    return graph.toMany(row, slot)
  }
}
