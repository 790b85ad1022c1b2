import Dispatch
import Foundation
import RoostModel
import Synchronization

/// Flights and airlines, with identifiers as a store gives them.
enum Sample {
  static let airline: EntityID = 1
  static let flight: EntityID = 2

  static let schema = StoreSchema(
    version: 3,
    entities: [
      EntitySchema(
        id: airline, name: "Airline",
        properties: [
          PropertySchema(id: 1, name: "code", kind: .attribute(.text), isOptional: false),
          PropertySchema(id: 2, name: "name", kind: .attribute(.text), isOptional: true),
          PropertySchema(
            id: 3, name: "flights",
            kind: .relationship(
              RelationshipSchema(destination: "Flight", isToMany: true, inverse: "airline")),
            isOptional: true),
        ], uniqueConstraints: [["code"]]),
      EntitySchema(
        id: flight, name: "Flight",
        properties: [
          PropertySchema(id: 1, name: "ident", kind: .attribute(.text), isOptional: false),
          PropertySchema(id: 2, name: "miles", kind: .attribute(.int), isOptional: false),
          PropertySchema(
            id: 3, name: "airline",
            kind: .relationship(
              RelationshipSchema(destination: "Airline", isToMany: false, inverse: "flights")),
            isOptional: true),
        ], uniqueConstraints: [["ident"]]),
    ])

  static func insert(_ ident: String, miles: Int64, airline: Int64? = nil) -> WriteOperation {
    let reference = airline.map { Value.reference(RowReference(entity: Sample.airline, row: $0)) }
    return .insert(
      flight, row: nil,
      [Assignment(1, .text(ident)), Assignment(2, .int(miles)), Assignment(3, reference ?? .null)])
  }
}

/// A store in dictionaries with real snapshots, a writer's thread, and gates to hold it up.
final class FakeEngine: StoreEngine {
  struct Rows: Sendable {
    var commit: UInt64 = 0
    var entities: [EntityID: [Int64: [PropertyID: Value]]] = [:]
    var nextRow: Int64 = 1
    var imports: [String: UInt64] = [:]
  }

  let rows = Mutex(Rows())
  let feeds = Mutex<[FakeFeed]>([])
  private let registered = Mutex(Sample.schema)
  private let writer = DispatchQueue(label: "fake-writer")
  /// Closed: whoever reads a row or a chunk waits.
  let readGate = Gate()
  /// Closed: commits wait.
  let writeGate = Gate()
  /// Closed: readers see a commit, and the feeds have yet to tell of it.
  let publishGate = Gate()
  private let publishing = Mutex(())
  /// Closed: imports do not begin and schemas are not registered.
  let startGate = Gate()
  private let slow = DispatchQueue(label: "fake-starts")
  let failure = Mutex<StoreError?>(nil)
  let statisticsFailure = Mutex<StoreError?>(nil)
  let isClosed = Atomic(false)
  let isWriterBroken = Atomic(false)
  let openSnapshots = Atomic(0)
  /// The most bytes of rows that one snapshot brought.
  let bytesOfSnapshotMax = Atomic(0)
  /// Where the stack was when a reader was interrupted last.
  let interruptedAt = Atomic<UInt>(0)

  let storeIdentifier = "00000000-0000-0000-0000-00000000fake"
  var schema: StoreSchema { registered.withLock { $0 } }

  func makeReader() throws(StoreError) -> any StoreReader { FakeReader(self) }

  func makeChangeFeed() -> any ChangeFeed {
    let feed = FakeFeed(latest: rows.withLock { $0.commit })
    feeds.withLock { $0.append(feed) }
    return feed
  }

  func allocateRows(entity: EntityID, count: Int) throws(StoreError) -> Range<Int64> {
    rows.withLock { rows in
      defer { rows.nextRow += Int64(count) }
      return rows.nextRow..<rows.nextRow + Int64(count)
    }
  }

  func register(
    _ schema: StoreSchema, mode: SchemaMode
  ) throws(StoreError) -> SchemaRegistration {
    startGate.pass()
    let known = self.schema
    let new = schema.entities.filter { known.entity(named: $0.name) == nil }
    guard mode == .apply, !new.isEmpty else {
      return SchemaRegistration(schema: known, differences: new.map { "add entity \($0.name)" })
    }
    let changed = registered.withLock { schema in
      schema.version += 1
      for var entity in new {
        entity.id = EntityID(schema.entities.count + 1)
        schema.entities.append(entity)
      }
      return schema
    }
    publish { rows in
      rows.commit += 1
      return ChangeSet(commit: rows.commit, schemaChanged: true)
    }
    return SchemaRegistration(schema: changed, differences: new.map { "add entity \($0.name)" })
  }

  @discardableResult
  func write(_ batch: WriteBatch) throws(StoreError) -> WriteResult {
    if let failure = failure.withLock({ $0 }) { throw failure }
    var results: [OperationResult] = []
    let change = publish { rows in
      rows.commit += 1
      var changes: [EntityID: EntityChanges] = [:]
      for operation in batch.operations {
        let (entity, result) = FakeEngine.apply(operation, &rows)
        results.append(result)
        switch result.outcome {
        case .inserted:
          changes[entity, default: EntityChanges(entity: entity)].inserted.append(result.row)
        case .deleted:
          changes[entity, default: EntityChanges(entity: entity)].deleted.append(result.row)
        default: changes[entity, default: EntityChanges(entity: entity)].updated.append(result.row)
        }
      }
      return ChangeSet(commit: rows.commit, entities: Array(changes.values))
    }
    return WriteResult(commit: change.commit, results: results)
  }

  func submit(
    _ batch: WriteBatch, completion: @escaping @Sendable (Result<WriteResult, StoreError>) -> Void
  ) {
    writer.async { [self] in
      writeGate.pass()
      do throws(StoreError) {
        completion(.success(try write(batch)))
      } catch {
        completion(.failure(error))
      }
    }
  }

  func submitRegistration(
    _ schema: StoreSchema, mode: SchemaMode,
    completion: @escaping @Sendable (Result<SchemaRegistration, StoreError>) -> Void
  ) {
    slow.async { [self] in
      do throws(StoreError) {
        completion(.success(try register(schema, mode: mode)))
      } catch {
        completion(.failure(error))
      }
    }
  }

  func submitBegin(
    of descriptor: ImportDescriptor,
    completion: @escaping @Sendable (Result<UInt64, StoreError>) -> Void
  ) {
    slow.async { [self] in
      do throws(StoreError) {
        completion(.success(try beginImport(descriptor)))
      } catch {
        completion(.failure(error))
      }
    }
  }

  func beginImport(_ descriptor: ImportDescriptor) throws(StoreError) -> UInt64 {
    startGate.pass()
    return rows.withLock { $0.imports[descriptor.id.uuidString] ?? 0 }
  }

  func submit(
    _ chunk: ImportChunk, of descriptor: ImportDescriptor,
    completion: @escaping @Sendable (Result<ImportAcknowledgement, StoreError>) -> Void
  ) {
    writer.async { [self] in
      writeGate.pass()
      if let failure = failure.withLock({ $0 }) { return completion(.failure(failure)) }
      completion(Result { () throws(StoreError) in try take(chunk, descriptor) })
    }
  }

  private func take(
    _ chunk: ImportChunk, _ descriptor: ImportDescriptor
  ) throws(StoreError) -> ImportAcknowledgement {
    let expected = rows.withLock { $0.imports[descriptor.id.uuidString] ?? 0 }
    guard chunk.number <= expected else {
      throw StoreError(.outOfRange, .chunkGap, "chunk \(expected) is expected")
    }
    let values = (try? chunk.rows.rows()) ?? []
    var inserted = RowSet()
    let change = publish { rows in
      rows.commit += 1
      rows.imports[descriptor.id.uuidString] = chunk.number + 1
      for row in values {
        let assignments = zip(chunk.rows.columns, row).map { ($0, $1) }
        rows.entities[descriptor.entity, default: [:]][rows.nextRow] = Dictionary(
          assignments, uniquingKeysWith: { _, last in last })
        inserted.append(rows.nextRow)
        rows.nextRow += 1
      }
      return ChangeSet(
        commit: rows.commit,
        entities: [EntityChanges(entity: descriptor.entity, inserted: inserted)])
    }
    return ImportAcknowledgement(
      number: chunk.number, accepted: values.count, rejected: 0, commit: change.commit)
  }

  func statistics() throws(StoreError) -> [MapEntry] {
    if let failure = statisticsFailure.withLock({ $0 }) { throw failure }
    return [
      MapEntry("closed", .int(isClosed.load(ordering: .relaxed) ? 1 : 0)),
      MapEntry("store.commit", .int(Int64(rows.withLock { $0.commit }))),
      MapEntry("writerBroken", .int(isWriterBroken.load(ordering: .relaxed) ? 1 : 0)),
    ]
  }

  func close() { isClosed.store(true, ordering: .relaxed) }

  /// Changes the rows, then tells the feeds, one commit after the other.
  @discardableResult
  private func publish(_ change: (inout Rows) -> ChangeSet) -> ChangeSet {
    publishing.withLock { _ in
      let change = rows.withLock { change(&$0) }
      publishGate.pass()
      for feed in feeds.withLock({ $0 }) { feed.append(change) }
      return change
    }
  }

  private static func apply(
    _ operation: WriteOperation, _ rows: inout Rows
  ) -> (EntityID, OperationResult) {
    switch operation {
    case .insert(let entity, let given, let assignments):
      let row = given ?? rows.nextRow
      rows.nextRow = max(rows.nextRow, row + 1)
      rows.entities[entity, default: [:]][row] = Dictionary(
        assignments.map { ($0.property, $0.value) }, uniquingKeysWith: { _, last in last })
      return (entity, OperationResult(row: row, outcome: .inserted))
    case .update(let entity, .row(let row), let assignments, _):
      for assignment in assignments {
        rows.entities[entity, default: [:]][row, default: [:]][assignment.property] =
          assignment.value
      }
      return (entity, OperationResult(row: row, outcome: .updated))
    case .delete(let entity, .row(let row), _):
      rows.entities[entity, default: [:]][row] = nil
      return (entity, OperationResult(row: row, outcome: .deleted))
    default:
      return (0, OperationResult(row: 0, outcome: .unchanged))
    }
  }
}

final class FakeFeed: ChangeFeed {
  private let latest: Atomic<UInt64>
  private let queue = Mutex<[ChangeSet]?>([])
  private let meanwhile = Mutex<(@Sendable () -> Void)?>(nil)

  init(latest: UInt64) { self.latest = Atomic(latest) }

  var latestCommit: UInt64 { latest.load(ordering: .acquiring) }

  func append(_ change: ChangeSet) {
    queue.withLock { $0?.append(change) }
    latest.store(change.commit, ordering: .releasing)
  }

  /// Makes the next drain say that too much came; `meanwhile` runs right before it does.
  func overflow(_ meanwhile: (@Sendable () -> Void)? = nil) {
    queue.withLock { $0 = nil }
    self.meanwhile.withLock { $0 = meanwhile }
  }

  func drain() -> [ChangeSet]? {
    let meanwhile = meanwhile.withLock { meanwhile in
      defer { meanwhile = nil }
      return meanwhile
    }
    meanwhile?()
    return queue.withLock { queue in
      defer { queue = [] }
      return queue
    }
  }
}

/// A door that stops threads while it is closed.
final class Gate: Sendable {
  private let condition = DispatchSemaphore(value: 0)
  private let state = Mutex((isOpen: true, waiting: 0))

  var waitingCount: Int { state.withLock { $0.waiting } }

  func close() { state.withLock { $0.isOpen = false } }

  func open() {
    let waiting = state.withLock { state in
      state.isOpen = true
      defer { state.waiting = 0 }
      return state.waiting
    }
    for _ in 0..<waiting { condition.signal() }
  }

  func pass() {
    let mustWait = state.withLock { state in
      if !state.isOpen { state.waiting += 1 }
      return !state.isOpen
    }
    if mustWait { condition.wait() }
  }
}
