package import RoostModel

/// What a context without a store of its own needs: a remote one, which learns and saves with
/// awaits in between.
extension ObjectGraph {
  /// The record of a row if it is registered.
  package func registered(_ model: ModelDescription, row: Int64) -> ModelRecord? {
    record(model, row)
  }

  /// The instance of a record where the class is known.
  package func instance<Model: PersistentModel>(
    _ record: ModelRecord, as type: Model.Type
  ) -> Model? {
    shell(record, as: type)
  }

  /// The row a temporary one has become.
  package func permanentRow(_ row: Int64) -> Int64 { resolve(row) }

  /// Lets go of what nobody holds when there is much of it.
  package func sweepWhenLarge() { sweepIfNeeded() }

  package func isMarkedForDeletion(_ record: ModelRecord) -> Bool {
    record.state == .deleted || record.state == .gone
  }

  /// Notes the stored rows of a to-many; what was added or removed and not saved stays.
  package func learn(_ model: ModelDescription, row: Int64, slot: Int, related: [Int64]) {
    guard let record = record(model, row), model.properties[slot].isToMany else { return }
    let index = model.properties[slot].toManyIndex
    if index < record.toMany.count, record.toMany[index].loaded == related { return }
    notify(record, [slot]) { record.withToMany(slot) { $0.loaded = related } }
  }

  // MARK: A save under way

  /// Works out a save and remembers what it writes, so that what changes before its answer comes
  /// stays pending.
  package func beginSave() throws(SwiftDataError) -> SaveFlight {
    let pending = try prepareSave()
    var flight = SaveFlight(pending: pending)
    for record in pending.inserted.map(\.record) + pending.updated {
      flight.values[ObjectIdentifier(record)] = record.description.properties.map { property in
        property.isToMany ? .null : record.value(property.slot)
      }
    }
    for record in touched.values {
      flight.toMany.append((record, record.toMany))
    }
    return flight
  }

  /// Makes what the save wrote the stored state.
  package func endSave(
    _ flight: SaveFlight, results: [OperationResult]
  ) -> SavedIdentifiers {
    let written = Set(flight.pending.inserted.map { ObjectIdentifier($0.record) })
    let erased = Set(flight.pending.deleted.map { ObjectIdentifier($0) })
    let dropped = flight.pending.inserted.map(\.record).filter { $0.state == .loose }
    let lateInserts = inserted.values.filter { !written.contains(ObjectIdentifier($0)) }
    let lateDeletes = deleted.values.filter { !erased.contains(ObjectIdentifier($0)) }
    let lateValues = valuesSetSince(flight)
    let lateLinks = linksSetSince(flight)
    let lateCascades = cascades.filter { key, _ in lateDeletes.contains { $0.key == key } }
    noteWholeLists(flight, results)
    let identifiers = finishSave(flight.pending, results: results)
    for record in lateInserts { inserted[record.key] = record }
    for (record, slot, saved) in lateValues where record.state == .clean || record.state == .changed
    {
      record.stash[slot] = permanent(saved)
      markChanged(record, slot)
      // The save has emptied the list of what is pending.
      changed[record.key] = record
    }
    for late in lateLinks { restore(late) }
    for record in lateDeletes {
      record.state = .deleted
      deleted[record.key] = record
    }
    cascades = lateCascades
    for record in dropped {
      record.link = link
      delete(record)
    }
    return identifiers
  }

  private func permanent(_ value: Value) -> Value {
    guard case .reference(let reference) = value, reference.row < 0 else { return value }
    return .reference(RowReference(entity: 0, row: resolve(reference.row)))
  }

  /// A row that is new has no members in the store but those it was saved with.
  private func noteWholeLists(_ flight: SaveFlight, _ results: [OperationResult]) {
    for (record, operation) in flight.pending.inserted where operation < results.count {
      guard results[operation].outcome == .inserted else { continue }
      for index in record.toMany.indices where record.toMany[index].loaded == nil {
        record.toMany[index].loaded = []
      }
    }
  }

  /// Values that are not those the save wrote, each with what it wrote.
  private func valuesSetSince(_ flight: SaveFlight) -> [(ModelRecord, Int, Value)] {
    var late: [(ModelRecord, Int, Value)] = []
    let records = flight.pending.inserted.map(\.record) + changed.values
    for record in records where record.state == .inserted || record.state == .changed {
      let saved = flight.values[ObjectIdentifier(record)]
      for property in record.description.properties where !property.isToMany {
        let slot = property.slot
        guard let saved else {
          if record.dirty.contains(slot) {
            late.append((record, slot, record.stash[slot] ?? record.storedValue(slot) ?? .null))
          }
          continue
        }
        if saved[slot] != record.value(slot) { late.append((record, slot, saved[slot])) }
      }
    }
    return late
  }

  private struct LateLinks {
    let record: ModelRecord
    let slot: Int
    let added: [Int64]
    let removed: [Int64]
  }

  private func linksSetSince(_ flight: SaveFlight) -> [LateLinks] {
    var late: [LateLinks] = []
    for record in touched.values {
      let before = flight.toMany.first { $0.record === record }?.states ?? []
      for (index, slot) in record.description.toManySlots.enumerated()
      where index < record.toMany.count {
        let known = index < before.count ? before[index] : ToManyState()
        let added = record.toMany[index].added.filter { !known.added.contains($0) }
        let removed = record.toMany[index].removed.filter { !known.removed.contains($0) }
        if added.isEmpty, removed.isEmpty { continue }
        late.append(LateLinks(record: record, slot: slot, added: added, removed: removed))
      }
    }
    return late
  }

  /// A save makes everything known the stored state; these pairs are not.
  private func restore(_ late: LateLinks) {
    late.record.withToMany(late.slot) { state in
      let added = late.added.map(resolve)
      let removed = late.removed.map(resolve)
      if let loaded = state.loaded {
        state.loaded = loaded.filter { !added.contains($0) } + removed
      } else {
        state.seen = state.seen.filter { !added.contains($0) }
      }
      state.added = added
      state.removed = removed
    }
    markTouched(late.record)
    markChanged(late.record, late.slot)
    if late.record.state == .changed { changed[late.record.key] = late.record }
  }
}

/// A save whose answer has not come.
package struct SaveFlight {
  let pending: PendingSave
  /// What it writes, by record and slot.
  var values: [ObjectIdentifier: [Value]] = [:]
  var toMany: [(record: ModelRecord, states: [ToManyState])] = []

  package var operationCount: Int { pending.operations.count }
  package func batch(author: String?) -> WriteBatch { pending.batch(author: author) }
}

extension PersistentModel {
  /// The record behind the instance.
  package var _$remoteRecord: ModelRecord { _$record }
}

extension ModelDescription {
  /// The slot a key path of the class leads to.
  package func slot(stored keyPath: AnyKeyPath) -> Int? { slot(of: keyPath) }

  /// The first reason why these classes cannot be one schema.
  package static func problem(in models: [ModelDescription]) -> SwiftDataError? {
    SchemaProblems.first(in: models)
  }

  /// Slots of the properties of each unique constraint.
  package var uniqueSlots: [[Int]] { uniqueKeyPaths.filter { !$0.isEmpty } }
}

extension ModelRecord {
  /// The record a to-one leads to, in whatever graph this one is.
  package func target(of slot: Int) -> ModelRecord? { graph?.toOne(self, slot) }
}
