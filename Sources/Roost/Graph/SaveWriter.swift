import RoostModel

/// Turns pending records into write operations; used for one save.
final class SaveWriter {
  private let graph: ObjectGraph
  private let binding: SchemaBinding
  /// To-ones that point to rows inserted later in the same save.
  private var deferred: [(record: ModelRecord, slots: [Int])] = []
  /// Which operation makes a temporary row; the class plays no part in it.
  private var operationOfRow = RowTable<UInt32>()
  /// Records of one class come one after the other.
  private var lastEntity: EntityBinding?

  init(graph: ObjectGraph, binding: SchemaBinding) {
    self.graph = graph
    self.binding = binding
  }

  private func entity(of record: ModelRecord) throws(SwiftDataError) -> EntityBinding {
    if let lastEntity, lastEntity.description === record.description { return lastEntity }
    guard let entity = binding.binding(of: record.description) else {
      throw SwiftDataError.unknownSchema.because(
        "'\(record.description.name)' is not in this container's schema")
    }
    lastEntity = entity
    return entity
  }

  // MARK: Order

  /// Records with those they point to before them; where they point in circles, one comes first.
  func ordered(_ records: [ModelRecord]) -> [ModelRecord] {
    if !records.contains(where: { !$0.description.toOneSlots.isEmpty }) { return records }
    var result: [ModelRecord] = []
    result.reserveCapacity(records.count)
    var seen: Set<ObjectIdentifier> = []
    for record in records {
      var stack: [(record: ModelRecord, isExpanded: Bool)] = [(record, false)]
      while let (next, isExpanded) = stack.popLast() {
        if isExpanded {
          result.append(next)
          continue
        }
        if !seen.insert(ObjectIdentifier(next)).inserted { continue }
        stack.append((next, true))
        for slot in next.description.toOneSlots {
          if let target = insertedTarget(next, slot) { stack.append((target, false)) }
        }
      }
    }
    return result
  }

  private func insertedTarget(_ record: ModelRecord, _ slot: Int) -> ModelRecord? {
    guard case .reference(let reference) = record.value(slot), reference.row < 0,
      let model = record.description.properties[slot].destination,
      let target = graph.record(model, reference.row), target.state == .inserted
    else { return nil }
    return target
  }

  /// Deleted records whose unique values an insert or update takes over.
  func wantedUniqueValues(
    _ writers: [ModelRecord], against deletes: [ModelRecord]
  ) -> Set<ObjectKey> {
    guard !deletes.isEmpty else { return [] }
    let models = Set(deletes.map(\.description.index))
    var wanted: Set<UniqueKey> = []
    for record in writers where models.contains(record.description.index) {
      for constraint in record.description.uniqueKeyPaths where !constraint.isEmpty {
        if let key = UniqueKey(record, constraint, graph.resolve) { wanted.insert(key) }
      }
    }
    if wanted.isEmpty { return [] }
    let hits = deletes.filter { record in
      record.description.uniqueKeyPaths.contains { constraint in
        guard !constraint.isEmpty,
          let key = UniqueKey(record, constraint, graph.resolve, stored: true)
        else { return false }
        return wanted.contains(key)
      }
    }
    return Set(hits.map(\.key))
  }

  // MARK: Operations

  func insert(_ record: ModelRecord, in save: inout PendingSave) throws(SwiftDataError) {
    let entity = try entity(of: record)
    var assignments: [Assignment] = []
    assignments.reserveCapacity(entity.properties.count)
    var later: [Int] = []
    for column in record.description.columns {
      let value =
        column.isToOne
        ? try stored(record, record.description.properties[column.slot])
        : try present(record.value(column.slot), record, column)
      if case .result(let operation) = value, operation == .max {
        later.append(column.slot)
        continue
      }
      assignments.append(Assignment(entity.properties[column.slot], value))
    }
    if !later.isEmpty { deferred.append((record, later)) }
    operationOfRow.set(1, record.row, UInt32(save.operations.count))
    save.inserted.append((record, save.operations.count))
    save.operations.append(
      entity.schema.uniqueConstraints.isEmpty
        ? .insert(entity.entity, row: nil, assignments)
        : .upsert(entity.entity, row: nil, constraint: nil, assignments))
  }

  func finishDeferred(in save: inout PendingSave) throws(SwiftDataError) {
    for (record, slots) in deferred {
      let entity = try entity(of: record)
      var assignments: [Assignment] = []
      for slot in slots {
        let value = try stored(record, record.description.properties[slot])
        assignments.append(Assignment(entity.properties[slot], value))
      }
      save.operations.append(
        .update(entity.entity, target(record), assignments, ifRevision: nil))
    }
  }

  /// An update in two parts: what stands on stored rows, and what points to inserted ones.
  func update(
    _ record: ModelRecord, in save: inout PendingSave, pointingToInserted: Bool
  ) throws(SwiftDataError) {
    let entity = try entity(of: record)
    var assignments: [Assignment] = []
    for property in record.description.properties
    where !property.isToMany && record.dirty.contains(property.slot) {
      let pointsToInserted = insertedTarget(record, property.slot) != nil
      guard pointsToInserted == pointingToInserted else { continue }
      let value = try stored(record, property)
      assignments.append(Assignment(entity.properties[property.slot], value))
    }
    if assignments.isEmpty { return }
    save.operations.append(
      .update(entity.entity, .row(record.row), assignments, ifRevision: nil))
  }

  func delete(_ record: ModelRecord, in save: inout PendingSave) throws(SwiftDataError) {
    if record.isCascaded { return }
    save.operations.append(
      .delete(try entity(of: record).entity, .row(record.row), ifRevision: nil))
  }

  /// Pairs of relationships that no to-one column holds, written from one side.
  func links(of record: ModelRecord, in save: inout PendingSave) throws(SwiftDataError) {
    guard record.state != .deleted, record.state != .gone, record.state != .loose else { return }
    for (index, slot) in record.description.toManySlots.enumerated() {
      guard index < record.toMany.count, record.toMany[index].hasChanges,
        writesLinks(record.description, slot),
        let model = record.description.properties[slot].destination
      else { continue }
      let entity = try entity(of: record)
      let state = record.toMany[index]
      for (rows, isLink) in [(state.removed, false), (state.added, true)] {
        for row in rows {
          guard let other = graph.record(model, row), other.state != .deleted,
            other.state != .gone, let otherEntity = binding.binding(of: model)
          else { continue }
          let owner = target(record)
          let value = reference(otherEntity.entity, other.row)
          let property = entity.properties[slot]
          save.operations.append(
            isLink
              ? .link(entity.entity, owner, property, value)
              : .unlink(entity.entity, owner, property, value))
        }
      }
    }
  }

  private func writesLinks(_ model: ModelDescription, _ slot: Int) -> Bool {
    guard let inverse = model.inverse(of: slot),
      let other = model.properties[slot].destination
    else { return true }
    guard other.properties[inverse].isToMany else { return false }
    return (model.name, slot) <= (other.name, inverse)
  }

  // MARK: Values

  private func target(_ record: ModelRecord) -> RowTarget {
    let row = graph.resolve(record.row)
    if row < 0, let operation = operationOfRow.find(1, row) { return .result(operation: operation) }
    return .row(row)
  }

  private func reference(_ entity: EntityID, _ row: Int64) -> Value {
    let row = graph.resolve(row)
    if row > 0 { return .reference(RowReference(entity: entity, row: row)) }
    return .result(operation: operationOfRow.find(1, row) ?? .max)
  }

  /// A column's value for the store; `.result(.max)` for a row whose insert is still to come.
  private func stored(
    _ record: ModelRecord, _ property: PropertyDescription
  ) throws(SwiftDataError) -> Value {
    var value = record.value(property.slot)
    if case .reference(let found) = value, let model = property.destination {
      let other = graph.record(model, found.row)
      if other?.state == .deleted || other?.state == .gone || (found.row < 0 && other == nil) {
        value = .null
      } else if let entity = binding.binding(of: model) {
        return reference(entity.entity, found.row)
      }
    }
    return try present(value, record, record.description.columns[property.columnIndex])
  }

  /// A value, unless it is the nil of a property that is none.
  private func present(
    _ value: Value, _ record: ModelRecord, _ column: ModelColumn
  ) throws(SwiftDataError) -> Value {
    if case .null = value, !column.isOptional {
      let name = record.description.properties[column.slot].name
      throw SwiftDataError.modelValidationFailure.because(
        "\(record.description.name).\(name) must not be nil")
    }
    return value
  }
}
