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

  private func insertLoose(_ record: ModelRecord, shell: (any PersistentModel)?) {
    adopt(record, state: .inserted, shell: shell)
    record.sequence = nextSequence()
    inserted[record.key] = record
    insertions.append(record)
    if record.description.hasConstants { shell?._$storeConstants() }
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
    case .loose: insertLoose(record, shell: model)
    case .inserted: if record.shell == nil { learn(model, for: record) }
    case .deleted: undelete(record)
    case .clean, .changed, .gone: break
    }
  }

  private func undelete(_ record: ModelRecord) {
    deleted[record.key] = nil
    record.state = record.dirty.isEmpty ? .clean : .changed
    if record.state == .changed { changed[record.key] = record }
  }

  // MARK: Deleting

  /// Marks a record for deletion; cascades at once, and the others no longer see it.
  package func delete(_ record: ModelRecord) {
    delete(record, cascadedBy: nil, over: nil)
  }

  private func delete(_ record: ModelRecord, cascadedBy owner: ModelRecord?, over inverse: Int?) {
    guard record.graph === self else { return }
    switch record.state {
    case .inserted:
      inserted[record.key] = nil
      end(record, state: .loose)
    case .clean, .changed:
      changed[record.key] = nil
      record.sequence = nextSequence()
      record.isCascaded = owner.map { storeFinds(record, owner: $0, inverse) } ?? false
      deleted[record.key] = record
      end(record, state: .deleted)
      onChange?()
    case .loose, .deleted, .gone: return
    }
  }

  /// Whether the store's own cascade from the owner reaches the record.
  private func storeFinds(_ record: ModelRecord, owner: ModelRecord, _ inverse: Int?) -> Bool {
    guard owner.row > 0, let inverse, !record.description.properties[inverse].isToMany,
      case .reference(let stored)? = record.base?.value(inverse)
    else { return false }
    return stored.row == owner.row
  }

  private func end(_ record: ModelRecord, state: ModelRecord.State) {
    // Marked first, so that a cycle of cascades ends.
    record.state = .deleted
    for property in record.description.properties {
      guard property.isRelationship else { continue }
      let targets =
        property.isToMany
        ? toMany(record, property.slot) : toOne(record, property.slot).map { [$0] } ?? []
      let inverse = record.description.inverse(of: property.slot)
      for target in targets {
        if property.relationship?.deleteRule == .cascade {
          delete(target, cascadedBy: record, over: inverse)
        } else if let inverse {
          loosen(target, inverse, from: record)
        }
      }
    }
    if state == .loose {
      remove(record)
      touched[record.key] = nil
      record.link = nil
      record.state = .loose
    }
  }

  /// Lets the other side of a deleted record observe that it is gone.
  ///
  /// A stored reference stays as it is: readers skip what is deleted, the store clears it at save,
  /// and a rollback needs no repair. References that were only set are cleared.
  private func loosen(_ target: ModelRecord, _ inverse: Int, from record: ModelRecord) {
    notify(target, [inverse]) {
      if target.description.properties[inverse].isToMany {
        if record.row < 0 { target.withToMany(inverse) { $0.remove(record.row) } }
      } else if record.row < 0 {
        target.put(inverse, .null)
      }
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
    base = nil
    dirty = SlotSet()
    toMany = []
    link = nil
    state = .loose
  }
}
