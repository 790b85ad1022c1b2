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

  /// Counters and gauges by name; `Protocol/SPEC.md`, "Stats", lists them.
  ///
  /// Safe on an event loop: it waits for no writer, reader or engine, only for locks that are
  /// held for a few instructions, and answers the same while the writer stands still. At most
  /// once a second it asks the file system for sizes, which a local one answers from memory.
  func statistics() throws(StoreError) -> [MapEntry]

  /// Finishes what is queued, checkpoints and lets go of the file.
  func close()
}
