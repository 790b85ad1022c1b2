import RoostModel

extension ModelContext {
  /// Takes in what other contexts committed; free when there is nothing.
  func refresh() {
    turn.open()
    guard store.hasNews else { return }
    follow(store.news(), own: nil)
  }

  /// Takes change sets in; `own` is the context's own commit with the rows whose values are
  /// known.
  func follow(_ changes: [ChangeSet]?, own: (commit: UInt64, known: Set<ObjectKey>)?) {
    guard let changes else {
      reloadAll()
      return
    }
    var stale: [ObjectKey: Bool] = [:]
    var touchedModels: Set<UInt32> = []
    for change in changes {
      if change.schemaChanged { rebind() }
      let isOwn = change.commit == own?.commit
      for entity in change.entities {
        guard let binding = graph.binding?.binding(of: entity.entity) else { continue }
        let model = binding.description.index
        touchedModels.insert(model)
        collect(entity, model, skipping: isOwn ? own?.known ?? [] : [], into: &stale)
      }
    }
    apply(stale)
    graph.invalidateToMany(leadingTo: touchedModels)
  }

  /// Registered rows a commit touched; true where the row was deleted.
  private func collect(
    _ changes: EntityChanges, _ model: UInt32, skipping known: Set<ObjectKey>,
    into stale: inout [ObjectKey: Bool]
  ) {
    for rows in [changes.inserted, changes.updated] {
      for row in graph.registered(model, rows) {
        let key = ObjectKey(model: model, row: row)
        if !known.contains(key) { stale[key] = false }
      }
    }
    for row in graph.registered(model, changes.deleted) {
      stale[ObjectKey(model: model, row: row)] = true
    }
  }

  private func apply(_ stale: [ObjectKey: Bool]) {
    var byModel: [UInt32: [Int64]] = [:]
    for (key, isDeleted) in stale {
      if isDeleted { graph.vanish(key) } else { byModel[key.model, default: []].append(key.row) }
    }
    for (model, rows) in byModel { graph.reload(model, rows.sorted()) }
  }

  private func rebind() {
    core.rebind()
    graph.binding = core.binding
  }

  private func reloadAll() {
    rebind()
    var byModel: [UInt32: [Int64]] = [:]
    for key in graph.entries.keys where key.row > 0 {
      byModel[key.model, default: []].append(key.row)
    }
    for (model, rows) in byModel {
      for row in graph.reload(model, rows.sorted()) {
        graph.vanish(ObjectKey(model: model, row: row))
      }
    }
    graph.invalidateToMany(leadingTo: nil)
  }
}

extension ObjectGraph {
  /// Which of the rows are registered; walks whichever are fewer.
  func registered(_ model: UInt32, _ rows: RowSet) -> [Int64] {
    if rows.count <= entries.count {
      return rows.filter { entries[ObjectKey(model: model, row: $0)] != nil }
    }
    return entries.keys.filter { $0.model == model && rows.contains($0.row) }.map(\.row)
  }

  /// Reads registered rows again and gives those that are gone.
  @discardableResult
  func reload(_ model: UInt32, _ rows: [Int64]) -> [Int64] {
    guard let first = rows.first,
      let description = entries[ObjectKey(model: model, row: first)]?.description,
      let binding = binding?.binding(of: description), let source
    else { return [] }
    var gone = Set(rows)
    var start = 0
    while start < rows.count {
      let end = min(rows.count, start + GraphLimits.loadRowsMax)
      guard let batch = source.rows(binding, ids: Array(rows[start..<end])) else { return [] }
      for record in register(batch) { gone.remove(record.row) }
      start = end
    }
    return Array(gone)
  }

  /// A row that others deleted: its instance stays readable and leaves the context.
  func vanish(_ key: ObjectKey) {
    guard let record = entries[key] else { return }
    changed[key] = nil
    deleted[key] = nil
    cascades[key] = nil
    touched[key] = nil
    forget(record)
  }

  /// Forgets loaded lists of related rows; what was added and removed here stays.
  func invalidateToMany(leadingTo models: Set<UInt32>?) {
    guard models?.isEmpty != true else { return }
    for record in entries.values where !record.toMany.isEmpty {
      for (index, slot) in record.description.toManySlots.enumerated() {
        guard record.toMany[index].loaded != nil,
          let destination = record.description.properties[slot].destination,
          models?.contains(destination.index) ?? true
            || models?.contains(record.description.index) ?? true
        else { continue }
        notify(record, [slot]) { record.toMany[index].loaded = nil }
      }
    }
  }
}
