import Dispatch
import Glibc
import RoostModel
import Synchronization
import RoostSQLite

/// When the writer syncs and checkpoints. Writer's thread only.
struct WriterFiles {
  private final class Frames {
    var count = 0
  }

  private let shared: StoreShared
  private let frames = Frames()
  private var framesAtCheckpoint = 0
  /// Commits that no fsync has covered yet, in durability `group`.
  private var isUnsynced = false
  private var lastSync = DispatchTime.now()
  private var runway: WALRunway

  init(_ shared: StoreShared) {
    self.shared = shared
    runway = WALRunway(walPath: shared.path + "-wal")
  }

  /// The one connection that writes.
  static func open(
    _ path: String, _ durability: Durability, isMemory: Bool
  ) throws(StoreError) -> Connection {
    let synchronous = isMemory ? "OFF" : durability == .full ? "FULL" : "NORMAL"
    do throws(SQLiteError) {
      let connection = try Connection(
        path: path, mode: .create, statementsMax: StorageLimits.plansMax)
      // Recovery by another connection of ours takes the lock for a moment; nobody else may.
      connection.setBusyTimeout(milliseconds: StorageLimits.busyMilliseconds)
      connection.offerProcessor(everySteps: StorageLimits.stepsPerTurn)
      let mode = try connection.text("PRAGMA journal_mode=WAL")
      guard mode == "wal" else {
        throw SQLiteError(code: 1, extendedCode: 1, message: "journal mode is \(mode ?? "unknown")")
      }
      try connection.execute(
        """
        PRAGMA synchronous=\(synchronous);
        PRAGMA cache_size=-\(StorageLimits.writerCacheKiB);
        PRAGMA journal_size_limit=\(64 << 20);
        PRAGMA temp_store=MEMORY;
        PRAGMA foreign_keys=OFF;
        PRAGMA trusted_schema=OFF;
        PRAGMA mmap_size=0;
        """)
      try SQLFunctions.register(on: connection)
      return connection
    } catch {
      if error.isCannotOpen {
        throw StoreError(
          .failedPrecondition, .none, "the store \(path) cannot be opened",
          cause: error.description)
      }
      throw StoreError(error)
    }
  }

  mutating func attach(_ connection: Connection) {
    // Another connection may have made another file.
    runway.close()
    frames.count = 0
    framesAtCheckpoint = 0
    let frames = frames
    connection.onCommit { frames.count = $0 }
    let freelistPages = freelistPages(connection)
    shared.tally.count { $0.freelistPages = freelistPages }
  }

  /// Frames in the WAL since the last commit.
  var walFrames: Int { frames.count }

  /// Commits; gives how many nanoseconds that took, its sync included in durability `full`.
  mutating func commit(_ core: WriterCore) throws(SQLiteError) -> UInt64 {
    let begun = shared.clock.now()
    try core.connection.execute("COMMIT")
    let nanoseconds = shared.clock.now() &- begun
    if shared.durability == .group, !shared.isMemory {
      isUnsynced = true
      if elapsed >= StorageLimits.groupSyncMilliseconds { sync() }
    }
    return nanoseconds
  }

  private var elapsed: Int {
    Int((DispatchTime.now().uptimeNanoseconds - lastSync.uptimeNanoseconds) / 1_000_000)
  }

  /// How long the writer may sleep; nil is until a request comes.
  var idleMilliseconds: Int? {
    if isUnsynced { return StorageLimits.groupSyncMilliseconds }
    return frames.count - framesAtCheckpoint >= StorageLimits.walFramesIdle ? 50 : nil
  }

  mutating func idle(_ connection: Connection) {
    if isUnsynced { sync() }
    if frames.count - framesAtCheckpoint >= StorageLimits.walFramesIdle { checkpoint(connection) }
  }

  mutating func afterGroup(_ connection: Connection) {
    if frames.count < framesAtCheckpoint { framesAtCheckpoint = 0 }
    if frames.count - framesAtCheckpoint >= StorageLimits.walFramesBusy { checkpoint(connection) }
    // Where commits wait for syncs; whoever asked has been told already.
    if !shared.isMemory, shared.durability != .relaxed {
      let failure = runway.extend(pastEnd: StorageLimits.walBytes(frames: frames.count))
      // It was a sync of these commits, too.
      if let failure, isUnsynced { noteFailedSync(failure) }
    }
    let cache = connection.cacheFigures
    let count = frames.count
    shared.tally.count { counters in
      counters.noteWAL(frames: count)
      counters.cacheHits = cache.hits
      counters.cacheMisses = cache.misses
      counters.cacheBytes = cache.bytes
    }
  }

  /// Readers may hold frames back: then the next attempt waits for as many frames again.
  ///
  /// Where short reads overlap without end the WAL would never begin anew, as there is always one
  /// that looks at it. Once it is long this waits a moment for those that began before: those that
  /// begin meanwhile find all of it in the file, and do not look at the WAL.
  private mutating func checkpoint(_ connection: Connection) {
    let isLong = frames.count >= StorageLimits.walFramesLong
    if isLong {
      connection.setBusyTimeout(milliseconds: StorageLimits.restartMilliseconds)
    }
    defer {
      if isLong { connection.setBusyTimeout(milliseconds: StorageLimits.busyMilliseconds) }
    }
    let begun = shared.clock.now()
    var isComplete = false
    var walFrames = 0
    var failure: String?
    do {
      let result = try connection.checkpoint(isLong ? .restart : .passive)
      isComplete = result.frames == result.moved
      walFrames = result.frames
    } catch  where error.isBusy {
      walFrames = frames.count
    } catch {
      // The WAL keeps what could not be moved.
      failure = "a checkpoint failed: \(error)"
    }
    let freelistPages = freelistPages(connection)
    framesAtCheckpoint = frames.count
    shared.tally.count { counters, now in
      let microseconds = Int(clamping: (now &- begun) / 1_000)
      counters.checkpoints += 1
      if !isComplete { counters.checkpointsIncomplete += 1 }
      if let failure { counters.lastError = failure }
      counters.checkpointMicrosecondsMax = max(counters.checkpointMicrosecondsMax, microseconds)
      counters.lastCheckpoint = CheckpointFigures(
        ended: now, frames: walFrames, microseconds: microseconds)
      counters.freelistPages = freelistPages
    }
  }

  /// One look at the file's first page.
  private func freelistPages(_ connection: Connection) -> Int? {
    (try? connection.integer("PRAGMA freelist_count")).flatMap { $0 }.map { Int($0) }
  }

  /// Syncs the WAL by a descriptor of its own; SQLite's locks are on other files.
  ///
  /// Commits go on when it fails, as `group` promises no more; that it failed is in the figures.
  private mutating func sync() {
    let descriptor = Glibc.open(shared.path + "-wal", O_RDONLY | O_CLOEXEC)
    let isSynced = descriptor >= 0 && fdatasync(descriptor) == 0
    let reason = errno
    if descriptor >= 0 { Glibc.close(descriptor) }
    lastSync = .now()
    if isSynced { isUnsynced = false } else { noteFailedSync(reason) }
  }

  private func noteFailedSync(_ reason: Int32) {
    shared.tally.count { counters in
      counters.syncsFailed += 1
      counters.lastError = "the WAL cannot be synced: error \(reason) of the system"
    }
  }

  mutating func close(_ connection: Connection) {
    if isUnsynced { sync() }
    runway.close()
    // Fails if a reader still looks at the WAL: then the next opening recovers from it.
    _ = try? connection.checkpoint(.truncate)
  }
}
