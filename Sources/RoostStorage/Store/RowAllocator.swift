import RoostModel
import Synchronization

/// Hands out row identifiers that no row has or will have, even after a crash.
///
/// An identifier leaves only below a mark that is committed, or together with a transaction that
/// commits a higher mark.
final class RowAllocator: Sendable {
  private struct Entry {
    var next: Int64
    /// Identifiers below this are safe to hand out: the file knows of them.
    var committed: Int64
  }

  private let entries: Mutex<[EntityID: Entry]>

  init(_ next: [EntityID: Int64]) {
    entries = Mutex(next.mapValues { Entry(next: $0, committed: $0) })
  }

  /// From what is reserved already; nil if a new mark must be committed first.
  func allocate(_ entity: EntityID, _ count: Int) -> Range<Int64>? {
    entries.withLock { entries in
      guard let entry = entries[entity],
        let end = Self.sum(entry.next, Int64(count)), end <= entry.committed
      else { return nil }
      entries[entity]?.next = end
      return entry.next..<end
    }
  }

  /// For the writer, which commits the mark in the same transaction.
  func allocateUncommitted(_ entity: EntityID, _ count: Int) -> Range<Int64>? {
    entries.withLock { entries in
      guard let entry = entries[entity], let end = Self.sum(entry.next, Int64(count)) else {
        return nil
      }
      entries[entity]?.next = end
      return entry.next..<end
    }
  }

  /// Takes back what was not used, if nobody allocated in between.
  func giveBack(_ entity: EntityID, _ rows: Range<Int64>) {
    entries.withLock { entries in
      if entries[entity]?.next == rows.upperBound { entries[entity]?.next = rows.lowerBound }
    }
  }

  func isAllocated(_ entity: EntityID, _ row: Int64) -> Bool {
    entries.withLock { row > 0 && row < $0[entity]?.next ?? 0 }
  }

  /// The mark a transaction must commit that used identifiers; nil if the committed one covers
  /// them.
  func markToCommit(_ entity: EntityID) -> Int64? {
    entries.withLock { entries in
      guard let entry = entries[entity], entry.next > entry.committed else { return nil }
      return Self.sum(entry.next, StorageLimits.rowsReserved)
    }
  }

  func didCommit(_ entity: EntityID, mark: Int64) {
    entries.withLock { entries in
      let committed = entries[entity]?.committed ?? 0
      entries[entity]?.committed = max(committed, mark)
    }
  }

  func add(_ entity: EntityID) {
    entries.withLock { entries in
      if entries[entity] == nil { entries[entity] = Entry(next: 1, committed: 1) }
    }
  }

  /// Where each entity goes on, for a clean close.
  var next: [EntityID: Int64] { entries.withLock { $0.mapValues(\.next) } }

  private static func sum(_ lhs: Int64, _ rhs: Int64) -> Int64? {
    let (sum, overflow) = lhs.addingReportingOverflow(rhs)
    return overflow ? nil : sum
  }
}
