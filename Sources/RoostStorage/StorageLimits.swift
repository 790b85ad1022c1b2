/// Bounds of the storage engine; each shows in statistics or in the error that names it.
package enum StorageLimits {
  /// Requests that wait for the writer.
  package static let queueRequestsMax = 4_096
  /// Bytes of requests that wait for the writer.
  package static let queueBytesMax = 64 << 20
  /// Rows of one transaction of merged imports.
  package static let groupRowsMax = 32_000
  /// How long a transaction takes requests in once a write waits for it.
  package static let groupMilliseconds = 50
  /// The same for import chunks alone: fewer, larger transactions cost less a row.
  package static let chunkGroupMilliseconds = 250
  /// Writes taken in a row while a chunk waits.
  static let quickInRowMax = 256
  /// Rows below which a running import's transaction waits for more.
  static let lingerRows = 8_000
  static let lingerMilliseconds = 15
  /// Instructions of SQLite's machine that a connection runs before it offers its processor to
  /// others: 0.1 to 0.3 ms.
  ///
  /// A scheduler lets a busy thread run for milliseconds before it looks at who has woken since;
  /// with more busy threads than processors a get would wait that long to be read, and as long
  /// again to be answered. Where nobody waits, the offer costs one system call.
  static let stepsPerTurn: Int32 = 4_096
  /// Frames of the WAL after which the writer checkpoints between groups.
  static let walFramesBusy = 16_384
  /// The same when nobody waits.
  static let walFramesIdle = 1_024
  /// Frames of the WAL above which a checkpoint waits for readers: twice what a busy writer lets
  /// gather.
  static let walFramesLong = 2 * walFramesBusy
  /// How long it does.
  static let restartMilliseconds: Int32 = 100
  /// How long a connection waits for another process to let go of the file.
  static let busyMilliseconds: Int32 = 5_000
  /// The length of a WAL: a header, and each frame a page with a header of its own (SQLite, "The
  /// WAL-mode file format").
  static func walBytes(frames: Int) -> Int { frames == 0 ? 0 : 32 + frames * (24 + 4_096) }
  /// Between two syncs in durability `group`.
  package static let groupSyncMilliseconds = 5
  /// KiB of the writer's page cache.
  static let writerCacheKiB = 65_536
  /// KiB of each reader's page cache.
  static let readerCacheKiB = 8_192
  /// Bytes set aside at once for rows whose size is not known yet.
  static let rowBytesReserved = 1 << 20
  /// Readers that exist at the same time.
  package static let readersMax = 128
  /// Idle connections kept for readers.
  static let readersIdleMax = 16
  /// Change sets, and ranges of rows in them, that wait in one feed.
  package static let feedChangesMax = 4_096
  package static let feedRangesMax = 262_144
  /// Row identifiers reserved at once.
  static let rowsReserved: Int64 = 1_024
  /// Row identifiers of one allocation.
  package static let allocationMax = 1_000_000
  /// Errors that one acknowledgement carries.
  package static let rowErrorsMax = 100
  /// Imports that are remembered.
  package static let importsMax = 1_024
  /// Chunks of one import of which is kept what became of their rows: the last ones.
  package static let chunkReportsMax = 128
  /// Imports of which such reports are kept: the last that took a chunk.
  package static let reportedImportsMax = 256
  /// Bytes of the row errors in one report; those beyond it are only counted.
  package static let reportBytesMax = 8 << 10
  /// Bytes of remembered keys while importing.
  static let keyCacheBytes = 8 << 20
  /// Shapes of queries that are told apart, and bytes of their texts and plans; what comes beyond
  /// them counts as one shape.
  package static let shapesMax = 1_000
  package static let shapeBytesMax = 4 << 20
  /// Prepared statements that a reader takes before it adds them to the store's figures, so that
  /// these are behind by fewer a reader.
  static let statementsUncounted = 64
  /// Prepared statements for writes.
  static let plansMax = 256
}
