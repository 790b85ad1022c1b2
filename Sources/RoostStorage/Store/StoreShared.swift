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
  let tally: StoreTally
  let disk: DiskFigures
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
    tally = StoreTally(counters, clock)
    disk = DiskFigures(path, clock)
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
