import RoostModel

extension ObjectGraph {
  /// The graph in which two records can be linked; nil when they belong to different contexts.
  ///
  /// A loose one joins the other's graph, so linking to an inserted instance inserts.
  static func common(_ first: ModelRecord, _ second: ModelRecord) -> ObjectGraph? {
    switch (first.graph, second.graph) {
    case (nil, nil):
      let island = ObjectGraph(island: true)
      island.adopt(first, state: .loose)
      island.adopt(second, state: .loose)
      return island
    case (let graph?, nil):
      graph.take(second)
      return graph
    case (nil, let graph?):
      graph.take(first)
      return graph
    case (let one?, let other?):
      if one === other { return one }
      if !one.isIsland, !other.isIsland { return nil }
      let (target, island) = one.isIsland && !other.isIsland ? (other, one) : (one, other)
      target.absorb(island)
      return target
    }
  }

  /// Takes one loose record in: inserts it, or lets it live on this island.
  private func take(_ record: ModelRecord) {
    guard !isIsland else {
      adopt(record, state: .loose)
      return
    }
    insertLoose(record, shell: record.looseShell)
  }

  /// Takes all records of an island in.
  private func absorb(_ island: ObjectGraph) {
    let records = island.entries.values.sorted { $0.row > $1.row }
    for record in records {
      if isIsland {
        adopt(record, state: .loose)
      } else {
        insertLoose(record, shell: record.looseShell)
      }
      if !record.toMany.isEmpty { markTouched(record) }
    }
    island.removeAll()
    island.forward = isIsland ? self : nil
  }

  func insertLoose(_ record: ModelRecord, shell: (any PersistentModel)?) {
    adopt(record, state: .inserted, shell: shell)
    record.sequence = nextSequence()
    inserted[record.key] = record
    insertions.append(record)
    if record.description.hasConstants { shell?._$storeConstants() }
    if !record.toMany.isEmpty { markTouched(record) }
    onChange?()
  }

  /// Registers an instance for the next save, with all it is linked with.
  package func insert(_ model: any PersistentModel) {
    let record = model._$record
    if record.state == .gone { record.startAnew() }
    guard let graph = record.graph, graph !== self else {
      insertKnown(model, record)
      return
    }
    if graph.isIsland {
      record.looseShell = record.looseShell ?? model
      absorb(graph)
      hold(model, for: record)
    }
  }

  private func insertKnown(_ model: any PersistentModel, _ record: ModelRecord) {
    switch record.state {
    case .loose:
      insertLoose(record, shell: model)
      bringBackTaken(by: record)
    case .inserted: if record.shell == nil { learn(model, for: record) }
    case .deleted: undelete(record)
    case .clean, .changed, .gone: break
    }
  }
}

extension ModelRecord {
  /// Makes a deleted record insertable again, as a new row with the same values.
  func startAnew() {
    for property in description.properties where !property.isToMany {
      put(property.slot, value(property.slot))
    }
    row = TemporaryRows.next()
    isTemporaryKnown = false
    base = nil
    dirty = SlotSet()
    toMany = []
    link = nil
    state = .loose
  }
}
