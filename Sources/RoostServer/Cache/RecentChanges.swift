import RoostModel

/// What commits changed while readers are out, so that no older version enters the cache.
///
/// A reader's snapshot holds at least every commit that was known when the reader was sent. What
/// came later is kept here until the last reader sent before it is back.
struct RecentChanges {
  private var changes: [ChangeSet] = []
  /// Readers that are out, by the commit known when they were sent.
  private var outstanding: [UInt64: Int] = [:]
  /// Grows when everything cached became worthless: what left before must not come in.
  private(set) var generation: UInt64 = 0
  private(set) var knownCommit: UInt64

  init(knownCommit: UInt64) { self.knownCommit = knownCommit }

  var isKeeping: Bool { !outstanding.isEmpty }

  mutating func add(_ change: ChangeSet) {
    knownCommit = max(knownCommit, change.commit)
    if isKeeping { changes.append(change) }
  }

  mutating func forgetEverything(knownCommit commit: UInt64) {
    generation &+= 1
    knownCommit = max(knownCommit, commit)
    changes.removeAll()
  }

  /// A reader is sent; give the result to ``finish(_:)`` when it is back.
  mutating func start() -> UInt64 {
    outstanding[knownCommit, default: 0] += 1
    return knownCommit
  }

  mutating func finish(_ started: UInt64) {
    guard let count = outstanding[started] else { return }
    outstanding[started] = count > 1 ? count - 1 : nil
    guard let oldest = outstanding.keys.min() else { return changes.removeAll() }
    changes.removeAll { $0.commit <= oldest }
  }

  /// Whether a row as of `snapshot` is still the latest.
  func isCurrent(entity: EntityID, row: Int64, snapshot: UInt64) -> Bool {
    for change in changes where change.commit > snapshot {
      for part in change.entities where part.entity == entity {
        if part.updated.contains(row) || part.deleted.contains(row) || part.inserted.contains(row) {
          return false
        }
      }
    }
    return true
  }
}
