package import RoostModel

extension ObjectGraph {
  /// Works out what a save writes; changes nothing but collapsing duplicates.
  ///
  /// The order keeps unique values free before they are taken: updates that point to stored rows,
  /// deletes whose unique values are wanted, inserts with what they point to first, updates that
  /// point to inserted rows, links, other deletes.
  ///
  /// - Throws: ``SwiftDataError/modelValidationFailure`` naming entity and property.
  package func prepareSave() throws(SwiftDataError) -> PendingSave {
    guard let binding else {
      throw SwiftDataError.missingModelContext.because("the context has no store")
    }
    collapseDuplicates()
    var save = PendingSave(schemaVersion: binding.schema.version)
    let writer = SaveWriter(graph: self, binding: binding)
    let inserts = writer.ordered(pendingInsertions)
    let updates = changed.values.sorted { ($0.key.model, $0.row) < ($1.key.model, $1.row) }
    // Marked last is deleted first: what a cascade found goes before its owner.
    let deletes = deleted.values.sorted { $0.sequence > $1.sequence }
    let wanted = writer.wantedUniqueValues(inserts + updates, against: deletes)
    for record in updates { try writer.update(record, in: &save, pointingToInserted: false) }
    for record in deletes where wanted.contains(record.key) { try writer.delete(record, in: &save) }
    for record in inserts { try writer.insert(record, in: &save) }
    try writer.finishDeferred(in: &save)
    for record in updates { try writer.update(record, in: &save, pointingToInserted: true) }
    for record in touched.values.sorted(by: { $0.row > $1.row }) {
      try writer.links(of: record, in: &save)
    }
    for record in deletes where !wanted.contains(record.key) {
      try writer.delete(record, in: &save)
    }
    save.updated = updates
    save.deleted = deletes
    return save
  }

  // MARK: Afterwards

  /// Makes what was pending the stored state, after the store took it.
  package func finishSave(_ save: PendingSave, results: [OperationResult]) -> SavedIdentifiers {
    var identifiers = SavedIdentifiers()
    for (record, operation) in save.inserted where operation < results.count {
      let result = results[operation]
      settle(record, as: result.row)
      if result.outcome == .inserted {
        identifiers.inserted.append(record.identifier)
      } else {
        identifiers.updated.append(record.identifier)
      }
    }
    // Where they point in circles, one settled before what it points to.
    for (record, _) in save.inserted {
      if let settled = self.record(record.description, record.row) { resolveTargets(settled) }
    }
    for record in save.updated {
      if record.state == .changed { record.state = .clean }
      normalize(record)
      identifiers.updated.append(record.identifier)
    }
    for record in save.deleted {
      identifiers.deleted.append(record.identifier)
      forget(record)
    }
    for record in touched.values {
      for index in record.toMany.indices { record.toMany[index].commit(resolve) }
    }
    // What a remote context inserted while its save was under way is still to come.
    insertions.removeAll { $0.state != .inserted }
    inserted.removeAll()
    changed.removeAll()
    deleted.removeAll()
    cascades = [:]
    touched.removeAll()
    dropAliases()
    sweepIfNeeded()
    return identifiers
  }

  /// Keeps a deleted instance readable from its last values.
  func forget(_ record: ModelRecord) {
    remove(record)
    record.state = .gone
    normalize(record)
    record.link = nil
  }

  /// Gives a saved record its permanent row.
  private func settle(_ record: ModelRecord, as row: Int64) {
    let shell = record.shell
    remove(record)
    alias(record, to: row)
    normalize(record)
    record.state = .clean
    if let survivor = self.record(record.description, row) {
      merge(record, shell: shell, into: survivor)
      record.row = row
    } else {
      record.row = row
      adopt(record, state: .clean, shell: shell)
    }
  }

  private func normalize(_ record: ModelRecord) {
    record.dirty = SlotSet()
    record.stash = [:]
    resolveTargets(record)
  }

  private func resolveTargets(_ record: ModelRecord) {
    for slot in record.description.toOneSlots where slot < record.values.count {
      if case .reference(let reference)? = record.values[slot], reference.row < 0 {
        record.values[slot] = .reference(RowReference(entity: 0, row: resolve(reference.row)))
      }
    }
  }

  /// Lets the instance of a record that lost its row stand for the survivor; its values win.
  private func merge(_ loser: ModelRecord, shell: AnyObject?, into survivor: ModelRecord) {
    let slots = survivor.description.properties.filter {
      !$0.isToMany && survivor.value($0.slot) != loser.value($0.slot)
    }.map(\.slot)
    notify(survivor, slots) {
      for slot in slots { survivor.put(slot, loser.value(slot)) }
      survivor.decoded = [:]
    }
    if let shell = shell as? any PersistentModel {
      shell._$storage.record = survivor
      // Constants cannot follow, so an instance that nobody sees gives way to the new one.
      if survivor.isShellUnused { survivor.shell = shell }
    }
  }

  // MARK: Duplicates

  private var pendingInsertions: [ModelRecord] {
    insertions.filter { $0.state == .inserted && $0.link === link }
  }

  /// Lets the later of two pending inserts with one unique key stand for both.
  private func collapseDuplicates() {
    let pending = pendingInsertions
    guard pending.count > 1 else { return }
    var seen: [UniqueKey: ModelRecord] = [:]
    seen.reserveCapacity(pending.count)
    for record in pending {
      for constraint in record.description.uniqueKeyPaths where !constraint.isEmpty {
        guard let key = UniqueKey(record, constraint, resolve) else { continue }
        if let earlier = seen[key], earlier !== record, inserted[earlier.key] != nil {
          collapse(earlier, into: record)
        }
        seen[key] = record
      }
    }
  }

  private func collapse(_ earlier: ModelRecord, into later: ModelRecord) {
    let shell = earlier.shell
    remove(earlier)
    inserted[earlier.key] = nil
    touched[earlier.key] = nil
    // Through the later one's row the earlier one's identifier goes on to lead somewhere.
    if earlier.isTemporaryKnown { later.isTemporaryKnown = true }
    alias(earlier, to: later.row)
    for index in earlier.toMany.indices {
      let slot = later.description.toManySlots[index]
      for row in earlier.toMany[index].added { later.withToMany(slot) { $0.add(row) } }
      markTouched(later)
    }
    earlier.state = .gone
    earlier.link = nil
    if let shell = shell as? any PersistentModel {
      shell._$storage.record = later
      if later.shell == nil { later.shell = shell }
    }
  }

  // MARK: Rollback

  /// Drops what is pending; instances go back to their stored values.
  package func rollback() {
    for record in inserted.values { keepAliases(for: record) }
    for record in inserted.values {
      remove(record)
      record.state = .loose
      record.link = nil
    }
    for record in touched.values {
      let slots = record.description.toManySlots.enumerated().filter {
        $0.offset < record.toMany.count && record.toMany[$0.offset].hasChanges
      }.map(\.element)
      notify(record, slots) { for index in record.toMany.indices { record.toMany[index].revert() } }
    }
    for record in changed.values + deleted.values {
      record.state = .clean
      let dirty = record.description.properties.map(\.slot).filter { record.dirty.contains($0) }
      notify(record, dirty) { record.revert() }
    }
    dropPending()
  }
}

/// The values of one unique constraint of one record; nil where one of them is null.
struct UniqueKey: Hashable {
  private let model: UInt32
  private let slots: [Int]
  private let first: Value
  /// Of the other slots; most constraints have none.
  private let others: [Value]

  init?(
    _ record: ModelRecord, _ constraint: [Int], _ resolve: (Int64) -> Int64,
    stored: Bool = false
  ) {
    func value(_ slot: Int) -> Value? {
      let value = stored ? record.committedValue(slot) : record.value(slot)
      switch value {
      case .null: return nil
      case .reference(let reference):
        return .reference(RowReference(entity: 0, row: resolve(reference.row)))
      default: return value
      }
    }
    guard let slot = constraint.first, let first = value(slot) else { return nil }
    var others: [Value] = []
    for slot in constraint.dropFirst() {
      guard let value = value(slot) else { return nil }
      others.append(value)
    }
    model = record.description.index
    slots = constraint
    self.first = first
    self.others = others
  }

  func hash(into hasher: inout Hasher) {
    // Constraints that begin with the same slot are told apart by what they are compared with.
    hasher.combine(UInt64(model) << 32 | UInt64(truncatingIfNeeded: slots[0]))
    hasher.combine(first)
    for value in others { hasher.combine(value) }
  }
}
