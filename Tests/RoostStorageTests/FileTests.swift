import Dispatch
import FoundationEssentials
import Glibc
import RoostModel
import RoostSQLite
import RoostStorage
import Testing

@Suite("Files")
struct FileTests {
  @Test func everythingIsThereAfterReopening() throws {
    let folder = TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/store")
    var identifier = ""
    var commit: UInt64 = 0
    var highest: Int64 = 0
    do {
      let fixture = try Fixture(Samples.flights, at: location)
      identifier = fixture.store.storeIdentifier
      let airport = try fixture.add("Airport", ("icao", .text("KSFO")))
      highest = try fixture.add(
        "Flight", ("ident", .text("A")), ("origin", fixture.reference("Airport", airport)))
      commit = try fixture.write(fixture.delete("Flight", highest)).commit
      fixture.store.close()
    }
    let again = try Fixture(Samples.flights, at: location)
    #expect(again.store.storeIdentifier == identifier)
    #expect(again.store.schema.version == 1)
    #expect(again.store.schema.entities.map(\.name) == Samples.flights.entities.map(\.name))
    #expect(
      again.store.schema.entity(named: "Flight")?.property(named: "status")?.defaultValue
        == .text("planned"))
    #expect(try again.store.makeReader().begin() == commit)
    #expect(try again.count("Airport") == 1)
    // Identifiers are never given twice, not even the highest, whose row is gone.
    #expect(try again.add("Flight", ("ident", .text("B"))) > highest)
    #expect(
      try again.store.write(
        WriteBatch(operations: [again.insert("Airport", ("icao", .text("B")))], schemaVersion: 1)
      ).commit > commit)
  }

  @Test func aSecondStoreIsTurnedAwayWithThePid() throws {
    let folder = TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/store")
    let fixture = try Fixture(Samples.flights, at: location)
    do {
      _ = try SQLiteStore.open(location)
      Issue.record("the file was opened twice")
    } catch {
      #expect(error.detail == .lockConflict)
      #expect(error.message.contains("process \(getpid())"))
    }
    fixture.store.close()
    let next = try SQLiteStore.open(location)
    next.close()
  }

  /// Two names of one file are one store: links are followed before the lock is named.
  @Test(arguments: [true, false])
  func aLinkToAStoreInUseIsTurnedAway(_ isMadeFirst: Bool) throws {
    let folder = TemporaryFolder()
    let (path, link) = (folder.path + "/store", folder.path + "/link")
    if isMadeFirst { try SQLiteStore.open(.file(path)).close() }
    try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "store")
    let first = try SQLiteStore.open(.file(isMadeFirst ? path : link))
    defer { first.close() }
    do {
      try SQLiteStore.open(.file(isMadeFirst ? link : path)).close()
      Issue.record("the store was opened twice")
    } catch {
      #expect(error.detail == .lockConflict)
    }
  }

  @Test func whatCanBeNoStoreIsRefusedWithTheReason() throws {
    let folder = TemporaryFolder()
    for (name, reason) in [
      (folder.path, "it is a folder"), ("/dev/null", "it is no plain file"),
      (folder.path + "/no/where", "there is no folder \(folder.path)/no"),
    ] {
      do {
        try SQLiteStore.open(.file(name)).close()
        Issue.record("\(name) was opened")
      } catch {
        #expect(error.status == .failedPrecondition)
        #expect(error.message.contains(name) && error.message.contains(reason))
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.isEmpty, "a lock was left behind")
  }

  /// The last word of a write may be what closes the store: its thread cannot wait for itself.
  @Test func aStoreMayBeClosedByACompletion() throws {
    let folder = TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/store")
    let fixture = try Fixture(Samples.flights, at: location)
    let closed = DispatchSemaphore(value: 0)
    let store = fixture.store
    store.submit(
      WriteBatch(
        operations: [fixture.insert("Airport", ("icao", .text("A")))], schemaVersion: 1)
    ) { _ in
      store.close()
      closed.signal()
    }
    #expect(closed.wait(timeout: .now() + 10) == .success, "the writer waits for itself")
    // The lock goes when the writer's thread has ended.
    let deadline = DispatchTime.now() + 10
    var again: SQLiteStore?
    while again == nil, DispatchTime.now() < deadline {
      again = try? SQLiteStore.open(location)
      sched_yield()
    }
    let reader = try #require(try again?.makeReader())
    _ = try reader.begin()
    #expect(try reader.count(Query(entity: fixture.id("Airport"))) == 1)
    reader.end()
    again?.close()
  }

  @Test func newerFormatsAndForeignFilesAreRefused() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/store"
    try SQLiteStore.open(.file(path)).close()
    let connection = try Connection(path: path, mode: .readWrite)
    try connection.execute(#"UPDATE "_roost" SET value = 99 WHERE key = 'format'"#)
    do {
      _ = try SQLiteStore.open(.file(path))
      Issue.record("a newer format was opened")
    } catch {
      #expect(error.status == .failedPrecondition)
      #expect(error.message.contains("format 99"))
    }
    let foreign = folder.path + "/foreign"
    try Connection(path: foreign, mode: .create).execute("CREATE TABLE t(a)")
    #expect(throws: StoreError.self) { try SQLiteStore.open(.file(foreign)) }
    try Data("not a database, but long enough to be taken for one".utf8)
      .write(to: URL(fileURLWithPath: folder.path + "/text"))
    #expect(throws: StoreError.self) { try SQLiteStore.open(.file(folder.path + "/text")) }
    #expect(throws: StoreError.self) { try SQLiteStore.open(.file(folder.path + "/no/where")) }
  }

  /// A store of before chunks left reports: it opens, and what it cannot know it does not say.
  @Test func aStoreWithoutChunkReportsOpensAndKeepsThemFromNowOn() throws {
    let folder = TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/store")
    let descriptor = ImportDescriptor(
      id: UUID(), entity: 1, conflict: .update, constraint: nil, onRowError: .skip)
    var chunk = ImportChunk(number: 0, rows: RowBatch(entity: 1, schemaVersion: 1, columns: [1]))
    do {
      let fixture = try Fixture(Samples.flights, at: location)
      var writer = PackedWriter()
      writer.text("KSFO")
      chunk.rows = RowBatch(
        entity: fixture.id("Airport"), schemaVersion: 1,
        columns: [fixture.property("Airport", "icao")], rowCount: 1, body: writer.bytes)
      var begun = descriptor
      begun.entity = chunk.rows.entity
      _ = try fixture.store.beginImport(begun)
      _ = try fixture.take(chunk, of: begun).get()
      fixture.store.close()
    }
    do {
      let connection = try Connection(path: folder.path + "/store", mode: .readWrite)
      try connection.execute(#"DROP TABLE "_import_chunks""#)
    }
    let again = try Fixture(Samples.flights, at: location)
    var begun = descriptor
    begun.entity = chunk.rows.entity
    #expect(try again.store.beginImport(begun) == 1)
    #expect(try !again.take(chunk, of: begun).get().hasCounts)
    chunk.number = 1
    #expect(try again.take(chunk, of: begun).get().accepted == 1)
    let duplicate = try again.take(chunk, of: begun).get()
    #expect(duplicate.isDuplicate && duplicate.accepted == 1)
  }

  @Test func aStoreInMemoryLeavesNothing() throws {
    let store = try SQLiteStore.open(.memory, schema: Samples.flights)
    let path = store.path
    #expect(access(path, F_OK) == 0)
    store.close()
    #expect(access(path, F_OK) != 0)
  }

  @Test(arguments: Durability.allCases) func everyDurabilityKeepsItsRows(
    _ durability: Durability
  ) throws {
    let folder = TemporaryFolder()
    let location = StoreLocation.file(folder.path + "/store")
    let store = try SQLiteStore.open(location, durability: durability, schema: Samples.flights)
    let tag = try #require(store.schema.entity(named: "Tag"))
    for number in 0..<20 {
      _ = try store.write(
        WriteBatch(
          operations: [.insert(tag.id, row: nil, [Assignment(1, .text("\(number)"))])],
          schemaVersion: 1))
    }
    store.close()
    let again = try Fixture(Samples.flights, at: location)
    #expect(try again.count("Tag") == 20)
  }

  @Test func aClosedStoreSaysSo() throws {
    let fixture = try Fixture(Samples.flights)
    fixture.store.close()
    #expect(throws: StoreError.self) { try fixture.store.makeReader() }
    #expect(throws: StoreError.self) { try fixture.add("Tag", ("label", .text("x"))) }
  }
}
