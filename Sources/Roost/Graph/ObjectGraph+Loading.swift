package import RoostModel

extension ObjectGraph {
  /// Registers the rows of a batch and gives their records in order; missing rows are left out.
  ///
  /// A clean instance takes the new values, a changed one keeps what was set. Observers hear of
  /// values that differ.
  package func register(_ batch: RowBatch) -> [ModelRecord] {
    guard let binding = binding?.binding(of: batch.entity), batch.columns.first == 0 else {
      return []
    }
    let store = RowStore(batch, binding: binding)
    var records: [ModelRecord] = []
    records.reserveCapacity(batch.rowCount)
    reserve(batch.rowCount)
    store.forEachRow(batch.rowCount) { row, slice in
      records.append(register(binding.description, row: row, slice: slice))
    }
    return records
  }

  private func register(
    _ model: ModelDescription, row: Int64, slice: RowSlice
  ) -> ModelRecord {
    if let known = entries.find(model.index, row) {
      refresh(known, with: slice)
      return known
    }
    let record = ModelRecord(model, row: row, base: slice)
    adopt(record, state: .clean)
    return record
  }

  /// Puts a newer stored row under a record; what was set and not saved stays.
  func refresh(_ record: ModelRecord, with slice: RowSlice) {
    if let old = record.base {
      if !slice.isWhole, old.isWhole { return }
      if old.hasSameBytes(as: slice), record.values.isEmpty { return }
    } else if !slice.isWhole, !record.values.isEmpty {
      // What was saved here is more than the slice has.
      record.base = slice
      return
    }
    if record.registrar == nil || (record.base == nil && record.values.isEmpty) {
      install(slice, in: record)
      return
    }
    let different = record.description.properties.filter { property in
      !property.isToMany && !record.dirty.contains(property.slot)
        && record.value(property.slot) != (slice.value(property.slot) ?? .null)
    }
    notify(record, different.map(\.slot)) { install(slice, in: record) }
  }

  private func install(_ slice: RowSlice, in record: ModelRecord) {
    record.base = slice
    if record.description.hasConstants, record.isShellUnused { record.shell = nil }
    record.decoded = [:]
    // A rollback now goes back to the newer row.
    record.stash = [:]
    if record.values.isEmpty || record.state == .inserted { return }
    if record.dirty.isEmpty {
      record.values = []
    } else {
      for slot in record.values.indices where !record.dirty.contains(slot) {
        record.values[slot] = nil
      }
    }
  }

  /// Tells the observers of a record around a change of these slots.
  func notify(_ record: ModelRecord, _ slots: [Int], around change: () -> Void) {
    guard let registrar = record.registrar, !slots.isEmpty,
      let shell = record.shell as? any PersistentModel ?? record.looseShell
    else {
      change()
      return
    }
    let properties = slots.map { record.description.properties[$0] }
    for property in properties { property.willChange(registrar, shell) }
    change()
    for property in properties { property.didChange(registrar, shell) }
  }

  /// Loads the whole row of a record that lacks a column.
  func loadMissing(_ record: ModelRecord) -> Bool {
    guard let binding = binding?.binding(of: record.description), let source,
      let batch = source.rows(binding, ids: [record.row])
    else { return false }
    let before = record.base?.store
    let store = RowStore(batch, binding: binding)
    store.forEachRow(batch.rowCount) { row, slice in
      if row == record.row { install(slice, in: record) }
    }
    return record.base != nil && record.base?.store !== before
  }

  /// Loads rows that are not registered, several at a time.
  func load(_ model: ModelDescription, rows: [Int64]) {
    guard let source, let binding = binding?.binding(of: model) else { return }
    var missing: [Int64] = []
    var seen: Set<Int64> = []
    for row in rows where row > 0 {
      let entry = entries[ObjectKey(model: model.index, row: row)]
      if entry?.base == nil, seen.insert(row).inserted { missing.append(row) }
    }
    var start = 0
    while start < missing.count {
      let end = min(missing.count, start + GraphLimits.loadRowsMax)
      if let batch = source.rows(binding, ids: Array(missing[start..<end])) { _ = register(batch) }
      start = end
    }
  }
}
