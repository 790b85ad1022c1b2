import RoostModel
import RoostSQLite

/// Rows of one entity that the running request touched, in order, repetitions included.
final class EntityRecord {
  var inserted: [Int64] = []
  var updated: [Int64] = []
  var deleted: [Int64] = []

  /// Each row in at most one set: a row that came and went is in none.
  func changes(of entity: EntityID) -> EntityChanges {
    let inserted = Self.unique(inserted)
    let deleted = Self.unique(deleted)
    let updated = Self.unique(updated)
    let gone = Set(deleted)
    let new = Set(inserted.count > 0 && (gone.count > 0 || updated.count > 0) ? inserted : [])
    return EntityChanges(
      entity: entity,
      inserted: RowSet(gone.isEmpty ? inserted : inserted.filter { !gone.contains($0) }),
      updated: RowSet(updated.filter { !new.contains($0) && !gone.contains($0) }),
      deleted: RowSet(new.isEmpty ? deleted : deleted.filter { !new.contains($0) }))
  }

  private static func unique(_ rows: [Int64]) -> [Int64] {
    var isAscending = true
    for index in rows.indices.dropFirst() where rows[index] <= rows[index - 1] {
      isAscending = false
      break
    }
    if isAscending { return rows }
    var result: [Int64] = []
    for row in rows.sorted() where result.last != row { result.append(row) }
    return result
  }
}

/// Notes what SQLite does to rows while a request runs; fed by the connection's update hook.
///
/// Writer's thread only. Before a statement runs, ``current`` says whose rows it touches.
final class ChangeRecorder {
  private var records: [EntityID: EntityRecord] = [:]
  /// nil while a table of pairs or of ours is written.
  var current: EntityRecord?
  private(set) var lastChange: RowChange?
  private(set) var lastRow: Int64 = 0

  func begin() {
    records.removeAll(keepingCapacity: true)
    current = nil
  }

  /// Directs what comes next to an entity and forgets the last change.
  func expect(_ entity: EntityID) {
    lastChange = nil
    current = record(entity)
  }

  func expectNothing() {
    lastChange = nil
    current = nil
  }

  func forgetLast() { lastChange = nil }

  func note(_ change: RowChange, _ row: Int64) {
    guard let current else { return }
    lastChange = change
    lastRow = row
    switch change {
    case .insert: current.inserted.append(row)
    case .update: current.updated.append(row)
    case .delete: current.deleted.append(row)
    }
  }

  /// Says that a relationship of a row changed although its own columns did not.
  func touch(_ entity: EntityID, _ row: Int64) { record(entity).updated.append(row) }

  /// How much was noted of each entity at some moment.
  struct Mark {
    fileprivate let counts: [EntityID: (inserted: Int, updated: Int, deleted: Int)]
  }

  var mark: Mark {
    Mark(counts: records.mapValues { ($0.inserted.count, $0.updated.count, $0.deleted.count) })
  }

  /// Forgets what was noted since, because the savepoint of then was gone back to.
  func rewind(to mark: Mark) {
    lastChange = nil
    for (entity, record) in records {
      let counts = mark.counts[entity] ?? (0, 0, 0)
      record.inserted.removeLast(record.inserted.count - counts.inserted)
      record.updated.removeLast(record.updated.count - counts.updated)
      record.deleted.removeLast(record.deleted.count - counts.deleted)
    }
  }

  func changes() -> [EntityChanges] {
    records.keys.sorted().compactMap { entity in
      let changes = records[entity]?.changes(of: entity)
      let isEmpty =
        changes.map { $0.inserted.isEmpty && $0.updated.isEmpty && $0.deleted.isEmpty } ?? true
      return isEmpty ? nil : changes
    }
  }

  private func record(_ entity: EntityID) -> EntityRecord {
    if let record = records[entity] { return record }
    let record = EntityRecord()
    records[entity] = record
    return record
  }
}
