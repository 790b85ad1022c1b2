/// What a record knows of one of its to-many relationships: rows of the destination.
///
/// The store's list may be unknown; what was added and removed since the save is kept beside it.
struct ToManyState {
  /// As stored; nil when not loaded.
  var loaded: [Int64]?
  /// Stored members that are known although the list as a whole is not; unused once it is loaded.
  var seen: [Int64] = []
  var added: [Int64] = []
  var removed: [Int64] = []

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

  /// What is known at the moment.
  var known: [Int64] {
    let loaded = loaded ?? seen
    if loaded.isEmpty { return added }
    if !hasChanges { return loaded }
    let gone = Set(removed)
    let kept = gone.isEmpty ? loaded : loaded.filter { !gone.contains($0) }
    if added.isEmpty { return kept }
    let present = Set(kept)
    return kept + added.filter { !present.contains($0) }
  }

  func contains(_ row: Int64) -> Bool {
    if added.contains(row) { return true }
    return loaded?.contains(row) == true && !removed.contains(row)
  }

  mutating func add(_ row: Int64) {
    if let index = removed.firstIndex(of: row) {
      removed.remove(at: index)
      return
    }
    if loaded?.contains(row) == true || added.contains(row) { return }
    added.append(row)
  }

  mutating func remove(_ row: Int64) {
    if let index = added.lastIndex(of: row) {
      added.remove(at: index)
      return
    }
    if removed.contains(row) { return }
    if let loaded, !loaded.contains(row) { return }
    removed.append(row)
  }

  mutating func revert() {
    added = []
    removed = []
  }

  /// Makes what is known the stored state, after a save.
  mutating func commit(_ resolve: (Int64) -> Int64) {
    added = added.map(resolve)
    removed = removed.map(resolve)
    if loaded == nil { seen = known } else { loaded = known }
    revert()
  }
}
