import RoostModel
import Synchronization

/// Reads a snapshot of a ``FakeEngine``; predicates and sorts are not looked at.
final class FakeReader: StoreReader {
  private let engine: FakeEngine
  private var rows: FakeEngine.Rows?
  private var bytesOfSnapshot = 0
  private let interrupted = Interruption()

  init(_ engine: FakeEngine) { self.engine = engine }

  func begin() throws(StoreError) -> UInt64 {
    let snapshot = engine.rows.withLock { $0 }
    if rows == nil { engine.openSnapshots.wrappingAdd(1, ordering: .relaxed) }
    rows = snapshot
    bytesOfSnapshot = 0
    interrupted.clear()
    return snapshot.commit
  }

  func end() {
    if rows != nil { engine.openSnapshots.wrappingSubtract(1, ordering: .relaxed) }
    rows = nil
  }

  var interrupt: @Sendable () -> Void {
    { [engine, interrupted] in
      interrupted.raise()
      withUnsafePointer(to: true) {
        engine.interruptedAt.store(UInt(bitPattern: $0), ordering: .relaxed)
      }
    }
  }

  func rows(
    _ entity: EntityID, ids: [Int64], columns: [PropertyID]?, bytesMax: Int
  ) throws(StoreError) -> RowBatch {
    try hold()
    guard let schema = engine.schema.entity(entity) else {
      throw StoreError(.notFound, .unknownEntity, "no entity \(entity)")
    }
    let columns = columns ?? [0] + schema.properties.filter(\.isColumn).map(\.id)
    var writer = PackedWriter()
    defer { count(writer.byteCount) }
    for id in ids {
      append(id, entity, columns, &writer)
      guard writer.byteCount <= bytesMax else {
        throw StoreError(.resourceExhausted, .resultTooLarge, "the rows are too long")
      }
    }
    return RowBatch(
      entity: entity, schemaVersion: engine.schema.version, columns: columns, rowCount: ids.count,
      body: writer.bytes)
  }

  private func count(_ bytes: Int) {
    bytesOfSnapshot += bytes
    engine.bytesOfSnapshotMax.max(bytesOfSnapshot, ordering: .relaxed)
  }

  private func append(
    _ id: Int64, _ entity: EntityID, _ columns: [PropertyID], _ writer: inout PackedWriter
  ) {
    guard let row = rows?.entities[entity]?[id] else {
      for _ in columns { writer.null() }
      return
    }
    for column in columns { writer.value(column == 0 ? .int(id) : row[column] ?? .null) }
  }

  func row(
    _ entity: EntityID, constraint: [PropertyID], values: [Value]
  ) throws(StoreError) -> Int64? {
    rows?.entities[entity]?.first { _, row in
      zip(constraint, values).allSatisfy { row[$0] == $1 }
    }?.key
  }

  func related(
    _ entity: EntityID, row: Int64, property: PropertyID, rowsMax: Int
  ) throws(StoreError) -> [Int64] {
    guard entity == Sample.airline, property == 3 else { return [] }
    let owner = Value.reference(RowReference(entity: Sample.airline, row: row))
    let flights = rows?.entities[Sample.flight] ?? [:]
    let related = flights.filter { $0.value[3] == owner }.map(\.key).sorted()
    guard related.count <= rowsMax else {
      throw StoreError(.resourceExhausted, .resultTooLarge, "there are too many related rows")
    }
    return related
  }

  func count(_ query: Query) throws(StoreError) -> Int {
    try hold()
    return rows?.entities[query.entity]?.count ?? 0
  }

  func cursor(_ query: Query) throws(StoreError) -> any RowCursor {
    if query.offset > 1_000_000 { throw StoreError(.invalidArgument, .badValue, "no such offset") }
    let ids = (rows?.entities[query.entity] ?? [:]).keys.sorted()
    let wanted = ids.dropFirst(query.offset).prefix(query.limit ?? .max)
    return FakeCursor(self, query.entity, Array(wanted))
  }

  /// Waits at the gate, then fails if it was interrupted there.
  fileprivate func hold() throws(StoreError) {
    engine.readGate.pass()
    if interrupted.isRaised { throw StoreError(.cancelled, .none, "interrupted") }
    if let failure = engine.failure.withLock({ $0 }) { throw failure }
  }
}

private final class FakeCursor: RowCursor {
  private let reader: FakeReader
  private let entity: EntityID
  private var ids: ArraySlice<Int64>

  init(_ reader: FakeReader, _ entity: EntityID, _ ids: [Int64]) {
    self.reader = reader
    self.entity = entity
    self.ids = ids[...]
  }

  func next(rowsMax: Int, bytesMax: Int, rowBytesMax: Int) throws(StoreError) -> RowBatch? {
    guard !ids.isEmpty else {
      try reader.hold()
      return nil
    }
    let batch = try reader.rows(
      entity, ids: Array(ids.prefix(rowsMax)), columns: nil, bytesMax: .max)
    // Rows are some 20 bytes; cutting by their mean keeps the bound well enough for tests.
    let mean = max(1, batch.body.count / max(1, batch.rowCount))
    let fitting = max(1, min(batch.rowCount, bytesMax / mean))
    let rows = try reader.rows(
      entity, ids: Array(ids.prefix(fitting)), columns: nil, bytesMax: .max)
    ids = ids.dropFirst(fitting)
    return rows
  }
}

private final class Interruption: Sendable {
  private let flag = Atomic(false)
  var isRaised: Bool { flag.load(ordering: .acquiring) }
  func clear() { flag.store(false, ordering: .releasing) }
  @Sendable func raise() { flag.store(true, ordering: .releasing) }
}
