/// How far a commit has got when it is acknowledged.
public enum Durability: String, Hashable, Sendable, CaseIterable {
  /// fsync before every acknowledgement: survives power loss.
  case full
  /// fsync every few milliseconds: survives a killed process, may lose the last moments of power.
  case group
  /// No fsync of its own: survives a killed process; for data that can be made again.
  case relaxed
}

/// Whether a schema is only compared or also registered.
public enum SchemaMode: UInt8, Hashable, Sendable {
  case check = 0
  case apply = 1
}

/// What a register would change or has changed; one readable line a change.
public struct SchemaRegistration: Hashable, Sendable {
  /// The store's schema afterwards, with identifiers.
  public var schema: StoreSchema
  /// What was, or would be, changed: one line each.
  public var differences: [String]

  /// Makes one from its parts.
  public init(schema: StoreSchema, differences: [String]) {
    self.schema = schema
    self.differences = differences
  }
}

/// One queue of commits for one reader of them: pulled, never pushed.
///
/// The writer appends a commit's change set before its acknowledgement leaves, so whoever drains
/// before reading sees every acknowledged write.
public protocol ChangeFeed: AnyObject, Sendable {
  /// Number of the last commit in the queue, drained or not; one atomic load.
  var latestCommit: UInt64 { get }

  /// Takes what has come since the last call, oldest first.
  ///
  /// nil when more came than the queue keeps: drop everything cached and start afresh.
  func drain() -> [ChangeSet]?
}

/// A reader of the store with statements of its own; belongs to one isolation domain.
///
/// It holds a snapshot between ``begin()`` and ``end()`` and sees nothing newer until then.
public protocol StoreReader: AnyObject {
  /// Takes a snapshot and gives the number of the last commit in it.
  func begin() throws(StoreError) -> UInt64
  func end()

  /// Rows by identifier, in the order asked for; an unknown one is a null row.
  ///
  /// - Throws: RESOURCE_EXHAUSTED 65 when they take more than `bytesMax` bytes, before more than
  ///   that is held; DATA_LOSS 131 when a text is not UTF-8.
  func rows(
    _ entity: EntityID, ids: [Int64], columns: [PropertyID]?, bytesMax: Int
  ) throws(StoreError) -> RowBatch

  /// The row that a unique constraint names.
  func row(_ entity: EntityID, constraint: [PropertyID], values: [Value]) throws(StoreError)
    -> Int64?

  /// Rows of a to-many relationship of one row, in its order.
  ///
  /// - Throws: RESOURCE_EXHAUSTED 65 when there are more than `rowsMax`.
  func related(
    _ entity: EntityID, row: Int64, property: PropertyID, rowsMax: Int
  ) throws(StoreError) -> [Int64]

  func count(_ query: Query) throws(StoreError) -> Int

  /// Starts a query; rows come by ``RowCursor/next(rowsMax:bytesMax:)`` within this snapshot.
  func cursor(_ query: Query) throws(StoreError) -> any RowCursor

  /// Makes a statement that runs on another thread stop with CANCELLED; safe from any thread.
  var interrupt: @Sendable () -> Void { get }
}

/// A running query.
public protocol RowCursor: AnyObject {
  /// The next rows, at least one; nil at the end. Stops at whichever bound is met first.
  ///
  /// - Throws: RESOURCE_EXHAUSTED 65 when one row alone is over `rowBytesMax`, before more than
  ///   that is held; DATA_LOSS 131 when a text is not UTF-8. The query is over then.
  func next(rowsMax: Int, bytesMax: Int, rowBytesMax: Int) throws(StoreError) -> RowBatch?
}

extension RowCursor {
  /// The next rows, however long one is: for who keeps them in this process.
  public func next(rowsMax: Int, bytesMax: Int) throws(StoreError) -> RowBatch? {
    try next(rowsMax: rowsMax, bytesMax: bytesMax, rowBytesMax: .max)
  }
}

/// What contexts and servers need of a store, and nothing of how it is kept.
///
/// Every call may come from any thread. Calls without `submit` in their name block the calling
/// thread, so they have no place on an event loop or the cooperative pool.
public protocol StoreEngine: AnyObject, Sendable {
  /// Names this store for the life of its file.
  var storeIdentifier: String { get }
  var schema: StoreSchema { get }

  func makeReader() throws(StoreError) -> any StoreReader
  func makeChangeFeed() -> any ChangeFeed

  /// Identifiers that no other row has or will have.
  func allocateRows(entity: EntityID, count: Int) throws(StoreError) -> Range<Int64>

  func register(_ schema: StoreSchema, mode: SchemaMode) throws(StoreError) -> SchemaRegistration

  /// The same without waiting; the completion runs on the writer's thread, or on the caller's
  /// before this returns, and must not block.
  func submitRegistration(
    _ schema: StoreSchema, mode: SchemaMode,
    completion: @escaping @Sendable (Result<SchemaRegistration, StoreError>) -> Void)

  /// Commits and waits for it.
  func write(_ batch: WriteBatch) throws(StoreError) -> WriteResult

  /// Queues a write; RESOURCE_EXHAUSTED 62 at once when the queue is full.
  ///
  /// The completion runs on the writer's thread after the commit; it must not block.
  func submit(
    _ batch: WriteBatch,
    completion: @escaping @Sendable (Result<WriteResult, StoreError>) -> Void)

  /// Starts or resumes an import and gives the number of the chunk it expects next.
  func beginImport(_ descriptor: ImportDescriptor) throws(StoreError) -> UInt64

  /// The same without waiting; the completion runs on the writer's thread and must not block.
  func submitBegin(
    of descriptor: ImportDescriptor,
    completion: @escaping @Sendable (Result<UInt64, StoreError>) -> Void)

  /// Queues a chunk; chunks of one import are taken in the order they are submitted.
  ///
  /// The completion runs on the writer's thread after the commit; it must not block.
  func submit(
    _ chunk: ImportChunk, of descriptor: ImportDescriptor,
    completion: @escaping @Sendable (Result<ImportAcknowledgement, StoreError>) -> Void)

  /// Counters and gauges by name: rows by entity, commits, groups, WAL, cache, queue, bytes.
  func statistics() throws(StoreError) -> [MapEntry]

  /// Finishes what is queued, checkpoints and lets go of the file.
  func close()
}
