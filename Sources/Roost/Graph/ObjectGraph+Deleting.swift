import RoostModel

/// A record that the deletion of another one took along.
struct CascadedRecord {
  let record: ModelRecord
  let wasInserted: Bool
  /// Its place in the order of deletions; another one since means that it was deleted by itself.
  let sequence: Int
  /// The instance, should somebody else hold it.
  weak var shell: (any PersistentModel)?
}

extension ObjectGraph {
  /// Marks a record for deletion; cascades at once, and the others no longer see it.
  package func delete(_ record: ModelRecord) {
    if record.state == .deleted, record.graph === self {
      // By itself as well: an owner that is inserted again does not bring it back.
      record.isCascaded = false
      record.sequence = nextSequence()
      return
    }
    delete(record, cascadedBy: nil, over: nil)
  }

  private func delete(_ record: ModelRecord, cascadedBy owner: ModelRecord?, over inverse: Int?) {
    guard record.graph === self else { return }
    switch record.state {
    case .inserted:
      note(record, takenBy: owner)
      inserted[record.key] = nil
      end(record, state: .loose)
    case .clean, .changed:
      changed[record.key] = nil
      record.sequence = nextSequence()
      record.isCascaded = owner.map { storeFinds(record, owner: $0, inverse) } ?? false
      note(record, takenBy: owner)
      deleted[record.key] = record
      end(record, state: .deleted)
      onChange?()
    case .loose, .deleted, .gone: return
    }
  }

  private func note(_ record: ModelRecord, takenBy owner: ModelRecord?) {
    guard let owner else { return }
    cascades[owner.key, default: []].append(
      CascadedRecord(
        record: record, wasInserted: record.state == .inserted, sequence: record.sequence,
        shell: record.shell as? any PersistentModel))
  }

  // MARK: Taking it back

  /// Takes a deletion back, and those it had brought about.
  func undelete(_ record: ModelRecord) {
    deleted[record.key] = nil
    record.isCascaded = false
    record.state = record.dirty.isEmpty ? .clean : .changed
    if record.state == .changed { changed[record.key] = record }
    bringBackTaken(by: record)
  }

  func bringBackTaken(by owner: ModelRecord) {
    for taken in cascades.removeValue(forKey: owner.key) ?? [] {
      let record = taken.record
      if taken.wasInserted, record.state == .loose, record.link == nil {
        insertLoose(record, shell: taken.shell)
        relink(record)
        bringBackTaken(by: record)
      } else if record.state == .deleted, record.sequence == taken.sequence {
        undelete(record)
      }
    }
  }

  /// Lets what a record leads to know of it again; see ``loosen(_:_:from:)``.
  private func relink(_ record: ModelRecord) {
    for property in record.description.properties where property.isRelationship {
      guard let inverse = record.description.inverse(of: property.slot) else { continue }
      let targets =
        property.isToMany
        ? toMany(record, property.slot) : toOne(record, property.slot).map { [$0] } ?? []
      for target in targets where target.description.properties[inverse].isToMany {
        notify(target, [inverse]) { target.withToMany(inverse) { $0.add(record.row) } }
        markTouched(target)
      }
    }
  }

  // MARK: Parts

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
      keepAliases(for: record)
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
