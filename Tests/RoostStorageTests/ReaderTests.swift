import Dispatch
import RoostModel
import RoostSQLite
import RoostStorage
import Synchronization
import Testing

@Suite("Readers and feeds")
struct ReaderTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture(Samples.flights) }

  /// A schema may change between a reader's look at the layout and its snapshot.
  @Test func aSnapshotIsReadByItsOwnSchema() throws {
    let folder = TemporaryFolder()
    let fixture = try Fixture(Samples.flights, at: .file(folder.path + "/store"))
    let row = try fixture.add("Flight", ("ident", .text("A")), ("distance", .int(7)))
    let reader = try fixture.store.makeReader()
    // What another thread's commit does between the two, done behind the store's back.
    let connection = try Connection(path: folder.path + "/store", mode: .readWrite)
    try connection.execute(
      """
      BEGIN IMMEDIATE;
      ALTER TABLE Flight RENAME COLUMN distance TO miles;
      UPDATE "_roost_properties" SET name = 'miles', stored_name = 'miles'
        WHERE name = 'distance';
      UPDATE "_roost" SET value = value + 1 WHERE key = 'schema version';
      COMMIT;
      """)
    let distance = fixture.property("Flight", "distance")
    _ = try reader.begin()
    let batch = try reader.rows(
      fixture.id("Flight"), ids: [row], columns: [distance], bytesMax: .max)
    #expect(try batch.rows() == [[.int(7)]])
    #expect(batch.schemaVersion == 2)
    reader.end()
  }

  @Test func aSnapshotDoesNotMove() throws {
    let row = try fixture.add("Flight", ("ident", .text("A")), ("distance", .int(1)))
    let reader = try fixture.store.makeReader()
    let before = try reader.begin()
    let after = try fixture.write(fixture.update("Flight", row, ("distance", .int(2)))).commit
    let id = fixture.id("Flight")
    let distance = [fixture.property("Flight", "distance")]
    #expect(
      try reader.rows(id, ids: [row], columns: distance, bytesMax: .max).rows() == [[.int(1)]])
    reader.end()
    #expect(try reader.begin() == after)
    #expect(before < after)
    #expect(
      try reader.rows(id, ids: [row], columns: distance, bytesMax: .max).rows() == [[.int(2)]])
  }

  @Test func missingRowsAreNullThroughout() throws {
    let row = try fixture.add("Tag", ("label", .text("x")))
    let batch = try fixture.reading {
      try $0.rows(fixture.id("Tag"), ids: [99, row], columns: nil, bytesMax: .max)
    }
    #expect(batch.columns == [0, 1])
    #expect(try batch.rows() == [[.null, .null], [.int(row), .text("x")]])
  }

  @Test func keysFindRows() throws {
    let row = try fixture.add("Airport", ("icao", .text("KSFO")))
    let id = fixture.id("Airport")
    let icao = fixture.property("Airport", "icao")
    let reader = try fixture.store.makeReader()
    _ = try reader.begin()
    #expect(try reader.row(id, constraint: [icao], values: [.text("KSFO")]) == row)
    #expect(try reader.row(id, constraint: [icao], values: [.text("NONE")]) == nil)
    #expect(throws: StoreError.self) {
      try reader.row(id, constraint: [icao], values: [.int(1)])
    }
    #expect(throws: StoreError.self) {
      try reader.row(id, constraint: [icao, 2], values: [.text("a"), .null])
    }
  }

  @Test func aCursorStopsAtEitherBoundAndDiesWithItsSnapshot() throws {
    for number in 0..<25 { _ = try fixture.add("Tag", ("label", .text("\(number)"))) }
    let reader = try fixture.store.makeReader()
    _ = try reader.begin()
    let cursor = try reader.cursor(Query(entity: fixture.id("Tag")))
    #expect(try cursor.next(rowsMax: 10, bytesMax: 1 << 20)?.rowCount == 10)
    #expect(try cursor.next(rowsMax: 10, bytesMax: 0)?.rowCount == 1)
    #expect(try cursor.next(rowsMax: 100, bytesMax: 1 << 20)?.rowCount == 14)
    #expect(try cursor.next(rowsMax: 100, bytesMax: 1 << 20) == nil)
    let second = try reader.cursor(Query(entity: fixture.id("Tag")))
    _ = try second.next(rowsMax: 1, bytesMax: 1)
    reader.end()
    #expect(throws: StoreError.self) { try second.next(rowsMax: 1, bytesMax: 1) }
  }

  @Test func readsStopAtTheirBounds() throws {
    let long = Value.text(String(repeating: "x", count: 1_000))
    let rows = try (0..<4).map { number in
      try fixture.add("Airport", ("icao", .text("\(number)")), ("name", long))
    }
    let airport = fixture.id("Airport")
    for _ in 0..<9 {
      _ = try fixture.add(
        "Flight", ("ident", .text("\(Int.random(in: 0..<Int.max))")),
        ("origin", fixture.reference("Airport", rows[0])))
    }
    let from = fixture.property("Airport", "flightsFrom")
    try fixture.reading { reader in
      let all = try reader.rows(airport, ids: rows, columns: nil, bytesMax: .max)
      let size = all.body.count
      #expect(try reader.rows(airport, ids: rows, columns: nil, bytesMax: size) == all)
      // In the last value, in the numbers before it, and in nothing but a row that is missing.
      for (ids, bytesMax) in [(rows, size - 1), (rows, 3), ([99], 2)] {
        expectTooLarge { _ = try reader.rows(airport, ids: ids, columns: nil, bytesMax: bytesMax) }
      }
      let related = { try reader.related(airport, row: rows[0], property: from, rowsMax: $0) }
      #expect(try related(9).count == 9)
      expectTooLarge { _ = try related(8) }
      let cursor = try reader.cursor(Query(entity: airport))
      #expect(try cursor.next(rowsMax: 2, bytesMax: 1 << 20, rowBytesMax: 1_100)?.rowCount == 2)
      expectTooLarge { _ = try cursor.next(rowsMax: 2, bytesMax: 1 << 20, rowBytesMax: 1_000) }
    }
  }

  private func expectTooLarge(_ body: () throws -> Void) {
    let error = #expect(throws: StoreError.self) { try body() }
    #expect(error?.status == .resourceExhausted)
    #expect(error?.detail == .resultTooLarge)
  }

  @Test func aQueryTheEngineCannotHoldIsTheCallersError() throws {
    // Each list is within its bound; together they are more values than a statement takes.
    let values = (0..<10_000).map { Value.int($0) }
    let lists = Array(
      repeating: QueryExpression.isIn(fixture.path("Flight", "distance"), values), count: 26)
    let flags = Array(repeating: QueryExpression.literal(.bool(true)), count: 1_020)
    for predicate in [QueryExpression.or(lists), .and(flags)] {
      let error = #expect(throws: StoreError.self) {
        try fixture.count("Flight", where: predicate)
      }
      #expect(error?.status == .invalidArgument && error?.detail == .expressionTooLarge)
    }
  }

  @Test func aQueryCanBeInterrupted() throws {
    let values = (0..<300).map { ("\($0)") }
    for value in values { _ = try fixture.add("Tag", ("label", .text(value))) }
    let reader = try fixture.store.makeReader()
    _ = try reader.begin()
    let interrupt = reader.interrupt
    let hasEnded = Atomic<Bool>(false)
    let thread = DispatchQueue(label: "interrupts")
    let stopped = DispatchSemaphore(value: 0)
    thread.async {
      while !hasEnded.load(ordering: .acquiring) { interrupt() }
      stopped.signal()
    }
    // Every pair with every pair: far more than can be looked at.
    let all = QueryExpression.toMany(
      .any, PropertyPath([fixture.property("Tag", "flights")]), .literal(.bool(false)))
    var error: StoreError?
    for _ in 0..<1_000 where error == nil {
      do {
        _ = try reader.count(
          Query(entity: fixture.id("Tag"), predicate: .and([all, .not(all)])))
        let cursor = try reader.cursor(
          Query(entity: fixture.id("Tag"), predicate: .not(all)))
        while try cursor.next(rowsMax: 1, bytesMax: 1) != nil {}
      } catch let found {
        error = found
      }
    }
    hasEnded.store(true, ordering: .releasing)
    stopped.wait()
    #expect(error?.status == .cancelled)
  }

  @Test func feedsHearBeforeTheWriterAnswers() throws {
    let feed = fixture.store.makeChangeFeed()
    for number in 0..<10 {
      let result = try fixture.write(fixture.insert("Tag", ("label", .text("\(number)"))))
      #expect(feed.latestCommit == result.commit)
      let changes = try #require(feed.drain())
      #expect(changes.map(\.commit) == [result.commit])
      #expect(Array(changes[0].entities[0].inserted) == [result.results[0].row])
    }
  }

  @Test func aFeedThatNobodyDrainsSaysSoOnce() throws {
    let feed = fixture.store.makeChangeFeed()
    let count = StorageLimits.feedChangesMax + 10
    let outcomes = Outcomes(count: count)
    for number in 0..<count {
      let batch = WriteBatch(
        operations: [fixture.insert("Tag", ("label", .text("\(number)")))], schemaVersion: 1)
      // As many as the queue takes; the rest waits its turn.
      if number % 1_000 == 999 { _ = try fixture.store.allocateRows(entity: 1, count: 1_000) }
      fixture.store.submit(batch) { outcomes.add((try? $0.get()) != nil) }
    }
    outcomes.wait()
    #expect(outcomes.failed == 0)
    #expect(feed.drain() == nil)
    #expect(feed.drain() == [])
  }

  @Test func writersAndReadersWorkAtTheSameTime() throws {
    let store = fixture.store
    let tag = fixture.id("Tag")
    let group = DispatchGroup()
    let failures = Mutex<[String]>([])
    let perWriter = 150
    for writer in 0..<4 {
      DispatchQueue.global().async(group: group) {
        for number in 0..<perWriter {
          let batch = WriteBatch(
            operations: [
              .insert(tag, row: nil, [Assignment(1, .text("\(writer) \(number)"))]),
              .upsert(tag, row: nil, constraint: [1], [Assignment(1, .text("shared"))]),
            ], schemaVersion: 1)
          do {
            _ = try store.write(batch)
          } catch {
            failures.withLock { $0.append("\(error)") }
          }
        }
      }
    }
    for _ in 0..<2 {
      DispatchQueue.global().async(group: group) {
        do {
          let reader = try store.makeReader()
          var last: UInt64 = 0
          for _ in 0..<100 {
            let commit = try reader.begin()
            let first = try reader.count(Query(entity: tag))
            let second = try reader.count(Query(entity: tag))
            reader.end()
            if first != second || commit < last {
              failures.withLock { $0.append("the snapshot moved") }
            }
            last = commit
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    group.wait()
    #expect(failures.withLock { $0 } == [])
    #expect(try fixture.count("Tag") == 4 * perWriter + 1)
  }

  @Test func allocatedRowsAreNobodyElses() throws {
    let id = fixture.id("Tag")
    var seen = Set<Int64>()
    for count in [1, 3, 5_000, 2] {
      for row in try fixture.store.allocateRows(entity: id, count: count) {
        #expect(seen.insert(row).inserted)
      }
      #expect(seen.insert(try fixture.add("Tag", ("label", .text("\(count)")))).inserted)
    }
    #expect(throws: StoreError.self) { try fixture.store.allocateRows(entity: 77, count: 1) }
    #expect(throws: StoreError.self) { try fixture.store.allocateRows(entity: id, count: -1) }
  }
}
