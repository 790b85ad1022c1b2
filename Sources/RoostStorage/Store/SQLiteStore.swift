import Dispatch
package import RoostModel
import RoostSQLite
import Synchronization

/// Where a store is kept.
package enum StoreLocation: Hashable, Sendable {
  case file(String)
  /// Private, fast, gone with the store.
  case memory
}

/// A store in one SQLite file: one writer thread, any number of snapshot readers.
///
/// Calls may come from any thread; those that wait say so in ``StoreEngine``.
package final class SQLiteStore: StoreEngine {
  private let shared: StoreShared
  private let queue: RequestQueue
  private let writer: OwnThread
  private let pool: ReaderPool
  private let lock: Mutex<FileLock?>
  private let isClosed = Atomic<Bool>(false)

  /// Opens or makes a store.
  ///
  /// - Parameters:
  ///   - location: The file, or memory.
  ///   - durability: How far a commit has got when it is acknowledged.
  ///   - schema: Registered before the store is handed out.
  ///   - clock: What its figures are timed by.
  /// - Returns: The open store; close it to let go of the file.
  /// - Throws: FAILED_PRECONDITION if another process has it, if it is no store, or of a newer
  ///   format; DATA_LOSS if it is damaged.
  package static func open(
    _ location: StoreLocation, durability: Durability = .full, schema: StoreSchema? = nil,
    clock: StoreClock = .monotonic
  ) throws(StoreError) -> SQLiteStore {
    let opening = try StoreOpening(location, durability, clock)
    let store = try SQLiteStore(opening)
    if let schema {
      do {
        _ = try store.register(schema, mode: .apply)
      } catch {
        store.close()
        throw error
      }
    }
    return store
  }

  private init(_ opening: StoreOpening) throws(StoreError) {
    shared = opening.shared
    lock = Mutex(opening.lock)
    pool = ReaderPool(shared)
    queue = RequestQueue(shared.clock)
    let handover = Handover(
      WriterLoop(opening.core, queue, opening.shared, lastCommit: opening.lastCommit))
    writer = try OwnThread { handover.loop.run() }
  }

  deinit { close() }

  package var storeIdentifier: String { shared.identifier }
  package var schema: StoreSchema { shared.layout.schema }

  /// The file, also of a store in memory.
  package var path: String { shared.path }

  package func makeReader() throws(StoreError) -> any StoreReader {
    if isClosed.load(ordering: .acquiring) { throw Self.closedError }
    return try pool.make()
  }

  package func makeChangeFeed() -> any ChangeFeed { shared.feeds.make() }

  package func allocateRows(
    entity: EntityID, count: Int
  ) throws(StoreError) -> Range<Int64> {
    guard count >= 0, count <= StorageLimits.allocationMax else {
      throw StoreError(
        .invalidArgument, .badValue,
        "1 to \(StorageLimits.allocationMax) identifiers are allocated at once")
    }
    if let rows = shared.allocator.allocate(entity, count) { return rows }
    _ = try shared.layout.entity(entity)
    return try wait { self.put(.reserve(entity, count, $0), callerWaits: true) }
  }

  package func register(
    _ schema: StoreSchema, mode: SchemaMode
  ) throws(StoreError) -> SchemaRegistration {
    if mode == .check {
      let layout = shared.layout
      let merge = try SchemaRegistrar.check(schema, against: layout)
      return SchemaRegistration(schema: layout.schema, differences: merge.differences)
    }
    return try wait { self.put(.register(schema, $0), callerWaits: true) }
  }

  package func submitRegistration(
    _ schema: StoreSchema, mode: SchemaMode,
    completion: @escaping @Sendable (Result<SchemaRegistration, StoreError>) -> Void
  ) {
    guard mode == .check else { return put(.register(schema, completion), callerWaits: true) }
    do throws(StoreError) {
      completion(.success(try register(schema, mode: mode)))
    } catch {
      completion(.failure(error))
    }
  }

  package func write(_ batch: WriteBatch) throws(StoreError) -> WriteResult {
    try wait { self.put(.write(batch, $0), callerWaits: true) }
  }

  package func submit(
    _ batch: WriteBatch,
    completion: @escaping @Sendable (Result<WriteResult, StoreError>) -> Void
  ) {
    put(.write(batch, completion))
  }

  package func beginImport(_ descriptor: ImportDescriptor) throws(StoreError) -> UInt64 {
    try wait { self.put(.beginImport(descriptor, $0), callerWaits: true) }
  }

  package func submitBegin(
    of descriptor: ImportDescriptor,
    completion: @escaping @Sendable (Result<UInt64, StoreError>) -> Void
  ) {
    put(.beginImport(descriptor, completion), callerWaits: true)
  }

  package func submit(
    _ chunk: ImportChunk, of descriptor: ImportDescriptor,
    completion: @escaping @Sendable (Result<ImportAcknowledgement, StoreError>) -> Void
  ) {
    put(.chunk(chunk, descriptor, completion))
  }

  package func statistics() throws(StoreError) -> [MapEntry] {
    StoreStatistics(shared, queue, isClosed: isClosed.load(ordering: .acquiring)).entries
  }

  package func close() {
    if isClosed.exchange(true, ordering: .acquiringAndReleasing) { return }
    pool.close()
    queue.close()
    let held = lock.withLock { lock in
      defer { lock = nil }
      return lock
    }
    let finish: @Sendable () -> Void = { [writer, shared] in
      writer.join()
      shared.removeFolder()
      // Only now another process may have the file.
      withExtendedLifetime(held) {}
    }
    guard writer.isCurrent else { return finish() }
    // Called by a completion, or the last reference went in one: the writer cannot wait for
    // itself. Without another thread the lock stays until the process ends.
    if (try? OwnThread(finish)) == nil, let held { _ = Unmanaged.passRetained(held) }
  }

  private func put(_ request: WriterRequest, callerWaits: Bool = false) {
    if let refusal = queue.put(request, callerWaits: callerWaits) { request.fail(refusal) }
  }

  private func wait<Outcome: Sendable>(
    _ start: (@escaping @Sendable (Result<Outcome, StoreError>) -> Void) -> Void
  ) throws(StoreError) -> Outcome {
    let done = DispatchSemaphore(value: 0)
    let box = ResultBox<Outcome>()
    start { result in
      box.result.withLock { $0 = result }
      done.signal()
    }
    done.wait()
    guard let result = box.result.withLock({ $0 }) else { throw Self.closedError }
    return try result.get()
  }

  private static var closedError: StoreError {
    StoreError(.unavailable, .draining, "the store is closed")
  }
}

private final class ResultBox<Outcome: Sendable>: Sendable {
  let result = Mutex<Result<Outcome, StoreError>?>(nil)
}

/// Carries the loop to its thread.
///
/// Unchecked: the loop is made by one thread and then touched only by the writer's.
private final class Handover: @unchecked Sendable {
  let loop: WriterLoop

  init(_ loop: WriterLoop) { self.loop = loop }
}
