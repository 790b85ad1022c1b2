import RoostModel
import Synchronization

/// What the writer's thread, the readers and the callers of a store share.
final class StoreShared: Sendable {
  let path: String
  let identifier: String
  let durability: Durability
  let isMemory: Bool
  let allocator: RowAllocator
  let feeds: ChangeFeeds
  let shapes = ShapeRegistry()
  let clock: StoreClock
  let counters: Mutex<StoreCounters>
  private let currentLayout: Mutex<StoreLayout>
  private let folder: Mutex<MemoryFolder?>

  init(
    path: String, identifier: String, durability: Durability, folder: MemoryFolder?,
    layout: StoreLayout, allocator: RowAllocator, latestCommit: UInt64, counters: StoreCounters,
    clock: StoreClock
  ) {
    self.path = path
    self.identifier = identifier
    self.durability = durability
    self.clock = clock
    isMemory = folder != nil
    self.folder = Mutex(folder)
    self.allocator = allocator
    feeds = ChangeFeeds(latestCommit: latestCommit)
    self.counters = Mutex(counters)
    currentLayout = Mutex(layout)
  }

  /// Removes the files of a store in memory; readers that still look at them keep them open.
  func removeFolder() { folder.withLock { $0 = nil } }

  /// The layout of the last committed schema; never newer than a snapshot taken after reading it.
  var layout: StoreLayout {
    get { currentLayout.withLock { $0 } }
    set { currentLayout.withLock { $0 = newValue } }
  }
}

/// Figures for statistics.
struct StoreCounters: Sendable {
  var rows: [EntityID: Int] = [:]
  var commits = 0
  var groups = 0
  var requests = 0
  var failedRequests = 0
  var rowsInserted = 0
  var rowsUpdated = 0
  var rowsDeleted = 0
  var importsBegun = 0
  var chunks = 0
  var duplicateChunks = 0
  var importRowsAccepted = 0
  var importRowsRejected = 0
  var walFrames = 0
  var checkpoints = 0
  var checkpointsIncomplete = 0
  var busy = 0
  var outcomesUnknown = 0
  /// From an unknown outcome until the file is opened anew.
  var isWriterBroken = false
  var groupMicrosecondsMax = 0
  var checkpointMicrosecondsMax = 0
  var cacheHits = 0
  var cacheMisses = 0
  var cacheBytes = 0
  var readers = 0
  var lastError: String?
  /// Syncs between commits, in durability `group`.
  var syncsFailed = 0
}
