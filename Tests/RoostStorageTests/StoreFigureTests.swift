import FoundationEssentials
import RoostModel
import RoostStorage
import Testing

@Suite("Figures of a store") struct StoreFigureTests {
  @Test func changesAddUpByEntity() throws {
    let fixture = try Fixture(Samples.flights)
    let first = try fixture.add("Tag", ("label", .text("a")))
    _ = try fixture.add("Tag", ("label", .text("b")))
    _ = try fixture.add("Airport", ("icao", .text("KSFO")))
    try fixture.write(fixture.update("Tag", first, ("label", .text("c"))))
    try fixture.write(fixture.delete("Tag", first))
    let figures = try fixture.figures
    #expect(figures["changes", "Tag", "inserted"] == .int(2))
    #expect(figures["changes", "Tag", "updated"] == .int(1))
    #expect(figures["changes", "Tag", "deleted"] == .int(1))
    #expect(figures["changes", "Airport", "inserted"] == .int(1))
    #expect(figures["changes", "Flight", "inserted"] == .int(0))
    #expect(figures["rows", "Tag"] == .int(1))
    #expect(figures["rowsInserted"] == .int(3))
    #expect(figures["window", "rowsInserted"] == .int(3))
    // The schema's registration is one, too.
    #expect(figures["commits"] == .int(6))
    #expect(figures["window", "commitMicroseconds", "count"] == figures["groups"])
  }

  @Test func rowsOfAnImportAreChanges() throws {
    let fixture = try Fixture(Samples.flights)
    let descriptor = ImportDescriptor(
      id: UUID(), entity: fixture.id("Tag"), conflict: .update, constraint: nil,
      onRowError: .skip)
    _ = try fixture.store.beginImport(descriptor)
    var writer = PackedWriter()
    for value in [Value.text("a"), .text("b"), .null] { writer.value(value) }
    let rows = RowBatch(
      entity: fixture.id("Tag"), schemaVersion: fixture.store.schema.version,
      columns: [fixture.property("Tag", "label")], rowCount: 3, body: writer.bytes)
    let taken = try fixture.take(ImportChunk(number: 0, rows: rows), of: descriptor).get()
    #expect(taken.accepted == 2)
    let figures = try fixture.figures
    #expect(figures["changes", "Tag", "inserted"] == .int(2))
    #expect(figures["importRowsRejected"] == .int(1))
  }

  @Test func aGroupThatFailsCountsItsRequests() throws {
    let disk = try FaultyStore()
    try disk.write("a")
    let before = try disk.fixture.figures
    _ = disk.failing(.isFull) { #expect(throws: StoreError.self) { try disk.write("b") } }
    let after = try disk.fixture.figures
    #expect(before["failedRequests"] == .int(0) && after["failedRequests"] == .int(1))
    #expect(number(after["requests"]) == number(before["requests"]) + 1)
    #expect(after["groups"] == before["groups"])
    #expect(after["changes", "Tag", "inserted"] == before["changes", "Tag", "inserted"])
    #expect(after["writerGroupMicroseconds"] == .int(0))
    // A request that is refused alone fails alone.
    #expect(throws: StoreError.self) { try disk.write("a") }
    #expect(try disk.fixture.figures["failedRequests"] == .int(2))
  }

  @Test func requestsBeforeTheFileIsOpenAgainFail() throws {
    let disk = try FaultyStore()
    try disk.write("a")
    let failures = disk.failing(.writeFails, times: Int(Int32.max)) {
      for name in ["b", "c"] { #expect(throws: StoreError.self) { try disk.write(name) } }
    }
    #expect(failures > 0)
    #expect(try disk.fixture.figures["failedRequests"] == .int(2))
  }

  @Test func theEngineAndTheSchemaAreNamed() throws {
    let fixture = try Fixture(Samples.flights)
    let figures = try fixture.figures
    guard case .text(let engine)? = figures["engine"],
      case .text(let version)? = figures["sqliteVersion"]
    else {
      Issue.record("no engine")
      return
    }
    #expect(engine == "sqlite " + version)
    #expect(version.hasPrefix("3."))
    #expect(figures["schemaVersion"] == .int(1))
    #expect(figures["freelistPages"] == .int(0))
    #expect(figures["checkpointLastMillisecondsAgo"] == .null)
    #expect(figures["checkpointLastFrames"] == .null)
  }

  @Test func namesAreInTheOrderOfTheirBytes() throws {
    let entries = try Fixture(Samples.flights).store.statistics()
    expectOrder(entries)
  }

  private func expectOrder(_ entries: [MapEntry]) {
    #expect(entries.map(\.key) == Set(entries.map(\.key)).sorted())
    for entry in entries {
      if case .map(let inner) = entry.value { expectOrder(inner) }
    }
  }

  @Test func statementsFoundAndPreparedAreCounted() throws {
    let fixture = try Fixture(Samples.flights)
    let before = try fixture.figures
    // Ends with the reader: what it has not told yet is told then.
    try fixture.reading { reader in
      for _ in 0..<10 { _ = try reader.count(Query(entity: fixture.id("Tag"))) }
    }
    let after = try fixture.figures
    #expect(number(after["statementMisses"]) - number(before["statementMisses"]) == 2)
    #expect(number(after["statementHits"]) - number(before["statementHits"]) == 9)
    #expect(after["window", "statementHits"] == after["statementHits"])
  }

  @Test func aReaderThatStaysTellsNowAndThen() throws {
    let fixture = try Fixture(Samples.flights)
    let reader = try fixture.store.makeReader()
    let before = number(try fixture.figures["statementHits"])
    for _ in 0..<100 {
      _ = try reader.begin()
      reader.end()
    }
    let told = number(try fixture.figures["statementHits"]) - before
    #expect(told > 0 && told <= 100)
  }

  @Test func whatTheWriterPreparesIsCounted() throws {
    let fixture = try Fixture(Samples.flights)
    _ = try fixture.add("Tag", ("label", .text("a")))
    let first = try fixture.figures
    _ = try fixture.add("Tag", ("label", .text("b")))
    let second = try fixture.figures
    #expect(number(first["statementMisses"]) > 0)
    #expect(second["statementMisses"] == first["statementMisses"])
    #expect(number(second["statementHits"]) > number(first["statementHits"]))
  }
}

/// A figure that is a whole number; -1 for what is none.
func number(_ value: Value?) -> Int64 {
  if case .int(let number)? = value { number } else { -1 }
}
