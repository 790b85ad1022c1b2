import RoostModel

extension ObjectGraph {
  // MARK: Reading

  /// The row a to-one leads to; nil for none.
  func toOneRow(_ record: ModelRecord, _ slot: Int) -> Int64? {
    guard case .reference(let reference) = record.value(slot) else { return nil }
    return resolve(reference.row)
  }

  /// The target of a to-one; nil when there is none or it is being deleted.
  package func toOne(_ record: ModelRecord, _ slot: Int) -> ModelRecord? {
    guard let row = toOneRow(record, slot),
      let model = record.description.properties[slot].destination
    else { return nil }
    let key = ObjectKey(model: model.index, row: row)
    if entries[key]?.base == nil, row > 0, source != nil {
      load(model, rows: [row] + siblingTargets(of: record, slot))
      guard let loaded = entries[key], loaded.base != nil else { return nil }
    }
    let target = source == nil ? ensureRecord(model, row) : entries[key]
    guard let target, target.state != .deleted, target.state != .gone else { return nil }
    return target
  }

  /// The same to-one of the rows that came after this one in its result: they are likely next.
  private func siblingTargets(of record: ModelRecord, _ slot: Int) -> [Int64] {
    guard let base = record.base, !record.dirty.contains(slot) else { return [] }
    return base.followers(max: GraphLimits.prefetchRowsMax).compactMap { slice in
      guard case .reference(let reference)? = slice.value(slot) else { return nil }
      return reference.row
    }
  }

  /// The rows of a to-many, loaded if there is a source.
  func toManyRows(_ record: ModelRecord, _ slot: Int) -> [Int64] {
    let index = record.description.properties[slot].toManyIndex
    if record.row > 0, record.toMany.isEmpty || record.toMany[index].loaded == nil,
      let source, let binding = binding?.binding(of: record.description),
      let rows = source.related(binding, row: record.row, property: binding.properties[slot])
    {
      record.withToMany(slot) { $0.loaded = rows }
    }
    guard !record.toMany.isEmpty else { return [] }
    let known = record.toMany[index].known
    return known.contains { $0 < 0 } ? known.map(resolve) : known
  }

  /// The objects of a to-many, without those being deleted.
  package func toMany(_ record: ModelRecord, _ slot: Int) -> [ModelRecord] {
    guard let model = record.description.properties[slot].destination else { return [] }
    let rows = toManyRows(record, slot)
    load(model, rows: rows)
    return rows.compactMap { row in
      guard let found = self.record(model, row), found.state != .deleted, found.state != .gone
      else { return nil }
      return found
    }
  }

  // MARK: Writing

  /// Leads a to-one elsewhere and keeps the other sides in step.
  package func setToOne(_ record: ModelRecord, _ slot: Int, _ target: ModelRecord?) {
    let old = toOneRow(record, slot)
    if old == target?.row { return }
    let property = record.description.properties[slot]
    assign(record, slot, target)
    guard let model = property.destination,
      let inverse = record.description.inverse(of: slot)
    else { return }
    if let old { detach(record, slot, from: ensureRecord(model, old), inverse) }
    if let target { attach(record, slot, to: target, inverse) }
  }

  private func assign(_ record: ModelRecord, _ slot: Int, _ target: ModelRecord?) {
    notify(record, [slot]) {
      let reference = target.map { Value.reference(RowReference(entity: 0, row: $0.row)) }
      record.put(slot, reference ?? .null)
      markChanged(record, slot)
    }
  }

  /// The other side of a to-one that no longer leads there.
  private func detach(
    _ record: ModelRecord, _ slot: Int, from old: ModelRecord, _ inverse: Int
  ) {
    if old.description.properties[inverse].isToMany {
      changeToMany(old, inverse) { $0.remove(record.row) }
    } else if toOneRow(old, inverse) == record.row {
      assign(old, inverse, nil)
    }
  }

  /// The other side of a to-one that leads there now.
  private func attach(
    _ record: ModelRecord, _ slot: Int, to target: ModelRecord, _ inverse: Int
  ) {
    if target.description.properties[inverse].isToMany {
      changeToMany(target, inverse) { $0.add(record.row) }
      return
    }
    let previous = toOneRow(target, inverse)
    if previous == record.row { return }
    if let previous {
      let owner = ensureRecord(record.description, previous)
      if toOneRow(owner, slot) == target.row { assign(owner, slot, nil) }
    }
    assign(target, inverse, record)
  }

  private func changeToMany(
    _ record: ModelRecord, _ slot: Int, _ change: (inout ToManyState) -> Void
  ) {
    notify(record, [slot]) {
      record.withToMany(slot, change)
      markTouched(record)
    }
  }

  /// Replaces the objects of a to-many and keeps the other sides in step.
  package func setToMany(_ record: ModelRecord, _ slot: Int, _ targets: [ModelRecord]) {
    let current = toManyRows(record, slot)
    let wanted = targets.map(\.row)
    if current == wanted { return }
    let currentSet = Set(current)
    let wantedSet = Set(wanted)
    guard let model = record.description.properties[slot].destination else { return }
    let inverse = record.description.inverse(of: slot)
    for row in current where !wantedSet.contains(row) {
      unlink(record, slot, ensureRecord(model, row), inverse)
    }
    var seen: Set<Int64> = []
    for target in targets where !currentSet.contains(target.row) {
      if seen.insert(target.row).inserted { join(record, slot, target, inverse) }
    }
  }

  private func unlink(_ record: ModelRecord, _ slot: Int, _ target: ModelRecord, _ inverse: Int?) {
    if let inverse, !target.description.properties[inverse].isToMany {
      if toOneRow(target, inverse) == record.row { assign(target, inverse, nil) }
      changeToMany(record, slot) { $0.remove(target.row) }
      return
    }
    changeToMany(record, slot) { $0.remove(target.row) }
    markChanged(record, slot)
    if let inverse { changeToMany(target, inverse) { $0.remove(record.row) } }
  }

  private func join(_ record: ModelRecord, _ slot: Int, _ target: ModelRecord, _ inverse: Int?) {
    if let inverse, !target.description.properties[inverse].isToMany {
      setToOne(target, inverse, record)
      return
    }
    changeToMany(record, slot) { $0.add(target.row) }
    markChanged(record, slot)
    if let inverse { changeToMany(target, inverse) { $0.add(record.row) } }
  }
}

extension ModelRecord {
  func withToMany(_ slot: Int, _ change: (inout ToManyState) -> Void) {
    if toMany.isEmpty {
      toMany = [ToManyState](repeating: ToManyState(), count: description.toManySlots.count)
    }
    change(&toMany[description.properties[slot].toManyIndex])
  }
}
