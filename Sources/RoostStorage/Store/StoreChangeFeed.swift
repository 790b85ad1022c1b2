import RoostModel
import Synchronization

/// One reader's queue of change sets; bounded, and honest when it overflows.
final class StoreChangeFeed: ChangeFeed {
  private struct State {
    var changes: [ChangeSet] = []
    var rangeCount = 0
    var hasOverflowed = false

    mutating func take(_ changes: [ChangeSet], _ rangeCount: Int) {
      if hasOverflowed { return }
      if self.changes.count + changes.count > StorageLimits.feedChangesMax
        || self.rangeCount + rangeCount > StorageLimits.feedRangesMax
      {
        self = State(hasOverflowed: true)
      } else {
        self.changes.append(contentsOf: changes)
        self.rangeCount += rangeCount
      }
    }
  }

  private let state = Mutex(State())
  private let latest: Atomic<UInt64>

  init(latestCommit: UInt64) { latest = Atomic(latestCommit) }

  var latestCommit: UInt64 { latest.load(ordering: .acquiring) }

  func append(_ changes: [ChangeSet], rangeCount: Int, latestCommit: UInt64) {
    state.withLock { state in
      state.take(changes, rangeCount)
      // Within the lock: who drains an overflow may rely on the number to cover what was dropped.
      latest.store(latestCommit, ordering: .releasing)
    }
  }

  /// Makes the next drain say that too much came.
  func loseTrack(latestCommit: UInt64) {
    state.withLock { state in
      state = State(hasOverflowed: true)
      latest.store(latestCommit, ordering: .releasing)
    }
  }

  func drain() -> [ChangeSet]? {
    state.withLock { state in
      let taken = state.hasOverflowed ? nil : state.changes
      state = State()
      return taken
    }
  }
}

/// All feeds of a store. Feeds that nobody holds any more drop out.
final class ChangeFeeds: Sendable {
  private struct Entry: Sendable {
    weak var feed: StoreChangeFeed?
  }

  private struct State {
    var entries: [Entry] = []
    var latestCommit: UInt64
  }

  private let state: Mutex<State>

  init(latestCommit: UInt64) { state = Mutex(State(latestCommit: latestCommit)) }

  var latestCommit: UInt64 { state.withLock { $0.latestCommit } }

  func make() -> StoreChangeFeed {
    state.withLock { state in
      let feed = StoreChangeFeed(latestCommit: state.latestCommit)
      state.entries.append(Entry(feed: feed))
      return feed
    }
  }

  /// Tells all feeds that something was committed of which no change set is known.
  func loseTrack(latestCommit: UInt64) {
    state.withLock { state in
      state.latestCommit = latestCommit
      for entry in state.entries { entry.feed?.loseTrack(latestCommit: latestCommit) }
    }
  }

  /// Hands a group's changes to all feeds; called before the group is acknowledged.
  func publish(_ changes: [ChangeSet], latestCommit: UInt64) {
    let rangeCount = changes.reduce(0) { $0 + $1.rangeCount }
    state.withLock { state in
      state.latestCommit = latestCommit
      state.entries.removeAll { entry in
        guard let feed = entry.feed else { return true }
        feed.append(changes, rangeCount: rangeCount, latestCommit: latestCommit)
        return false
      }
    }
  }
}

extension ChangeSet {
  var rangeCount: Int {
    entities.reduce(1) {
      $0 + $1.inserted.ranges.count + $1.updated.ranges.count + $1.deleted.ranges.count
    }
  }
}
