import FoundationEssentials
import RoostModel
import RoostSQLite
import Synchronization
import Testing

@testable import RoostStorage

/// A transaction that is lost under the writer: everybody hears of it, and the next one works.
///
/// The writer's loop runs here, on the test's thread, over requests that wait from the start.
@Suite("Lost transactions")
struct LostGroupTests {
  private let opening: StoreOpening
  private let lastCommit: UInt64
  private let item: EntityID = 1

  init() throws {
    opening = try StoreOpening(.memory, .relaxed)
    let schema = StoreSchema(entities: [
      EntitySchema(name: "Item", properties: [Samples.attribute("number", .int)])
    ])
    let core = opening.core
    lastCommit = 1
    run([.register(schema) { _ in }], core, after: 0)
  }

  /// Runs the requests to their end and closes the queue.
  private func run(_ requests: [WriterRequest], _ core: WriterCore, after commit: UInt64) {
    let queue = RequestQueue()
    for request in requests { #expect(queue.put(request, callerWaits: true) == nil) }
    queue.close()
    WriterLoop(core, queue, opening.shared, lastCommit: commit).run()
  }

  private func insert(_ number: Int64) -> WriteBatch {
    WriteBatch(
      operations: [.insert(item, row: nil, [Assignment(1, .int(number))])], schemaVersion: 1)
  }

  private func chunk(_ values: Value...) -> ImportChunk {
    var writer = PackedWriter()
    for value in values { writer.value(value) }
    let rows = RowBatch(
      entity: item, schemaVersion: 1, columns: [1], rowCount: values.count, body: writer.bytes)
    return ImportChunk(number: 0, rows: rows)
  }

  private func descriptor(_ policy: RowErrorPolicy) -> ImportDescriptor {
    ImportDescriptor(
      id: UUID(), entity: item, conflict: .update, constraint: nil, onRowError: policy)
  }

  /// The second insert of the number 1 ends the transaction, as a full disk would.
  private func loseSecondInsert() throws {
    let core = opening.core
    let seen = Mutex(0)
    try core.connection.addFunction("test_is_second", arguments: 1) { call in
      let count = seen.withLock { seen in
        if call.int64(0) == 1 { seen += 1 }
        return seen
      }
      call.give(call.int64(0) == 1 && count == 2)
    }
    try core.connection.execute(
      """
      CREATE TEMP TRIGGER lose BEFORE INSERT ON "Item" WHEN test_is_second(NEW."number")
      BEGIN SELECT RAISE(ROLLBACK, 'lost'); END
      """)
  }

  @Test func everyRequestOfTheGroupIsAnswered() throws {
    try loseSecondInsert()
    let descriptors = [descriptor(.skip), descriptor(.skip), descriptor(.fail)]
    let chunks = [chunk(.int(1)), chunk(.int(2)), chunk(.text("no number"))]
    let answers = Mutex<[StoreError?]>([])
    var requests = descriptors.map { WriterRequest.beginImport($0) { _ in } }
    for (descriptor, chunk) in zip(descriptors, chunks) {
      requests.append(
        .chunk(chunk, descriptor) { result in
          let error: StoreError? = if case .failure(let error) = result { error } else { nil }
          answers.withLock { $0.append(error) }
        })
    }
    // The third chunk makes the writer do all again, and then the first loses the transaction.
    run(requests, opening.core, after: lastCommit)
    #expect(answers.withLock { $0.count } == 3)
    #expect(answers.withLock { $0.allSatisfy { $0 != nil } })
    #expect(!opening.core.connection.isInTransaction)
  }

  @Test func theNextTransactionWorks() throws {
    try loseSecondInsert()
    let outcomes = Mutex<[Bool]>([])
    for number in [1, 1, 2] as [Int64] {
      let request = WriterRequest.write(insert(number)) { result in
        let hasSucceeded = if case .success = result { true } else { false }
        outcomes.withLock { $0.append(hasSucceeded) }
      }
      run([request], opening.core, after: lastCommit + UInt64(number))
    }
    #expect(outcomes.withLock { $0 } == [true, false, true])
  }

  @Test func aCommitOfUnknownOutcomeThatHappenedEmptiesEveryFeed() throws {
    // A deferred foreign key fails at COMMIT and nowhere before.
    try opening.core.connection.execute(
      """
      PRAGMA foreign_keys=ON;
      CREATE TABLE parent(id INTEGER PRIMARY KEY);
      CREATE TABLE child(id REFERENCES parent DEFERRABLE INITIALLY DEFERRED);
      CREATE TEMP TRIGGER lose AFTER INSERT ON "Item" WHEN NEW."number" = 1
      BEGIN INSERT INTO child VALUES(7); END
      """)
    let feed = opening.shared.feeds.make()
    let path = opening.shared.path
    let happened = lastCommit + 5
    let details = Mutex<[StatusDetail]>([])
    let write = WriterRequest.write(insert(1)) { result in
      if case .failure(let error) = result { details.withLock { $0.append(error.detail) } }
      // What the file says when it is read anew: the commits had reached it.
      let other = try? Connection(path: path, mode: .readWrite)
      try? other?.execute(#"UPDATE "_roost" SET value = \#(happened) WHERE key = 'commit'"#)
    }
    // A schema shares no transaction, so the second request finds the connection lost.
    let next = WriterRequest.register(StoreSchema(entities: [])) { result in
      if case .failure(let error) = result { details.withLock { $0.append(error.detail) } }
    }
    run([write, next], opening.core, after: lastCommit)
    #expect(details.withLock { $0 } == [.outcomeUnknown])
    #expect(feed.latestCommit == happened)
    #expect(feed.drain() == nil)
  }
}
