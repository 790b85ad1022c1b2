import RoostModel
import RoostSQLite
import RoostStorage
import Testing

@Suite("Costs and shapes of queries") struct QueryCostTests {
  let fixture: Fixture
  /// 20 flights: distance 0…19, status one of two.
  private static let rowCount = 20

  init() throws {
    fixture = try Fixture(Samples.flights)
    for number in 0..<Self.rowCount {
      _ = try fixture.add(
        "Flight", ("ident", .text("F\(number)")), ("distance", .int(Int64(number))),
        ("status", .text(number % 2 == 0 ? "landed" : "planned")))
    }
  }

  private func query(_ text: String) throws -> Query {
    try QueryText.query(text, schema: fixture.store.schema)
  }

  private func fetchCost(_ text: String, _ reader: any StoreReader) throws -> QueryCost {
    let cursor = try reader.cursor(query(text))
    while try cursor.next(rowsMax: 7, bytesMax: 1 << 16) != nil {}
    return try #require(cursor.cost)
  }

  private func fetchCost(_ text: String) throws -> QueryCost {
    try fixture.reading { try fetchCost(text, $0) }
  }

  private func countCost(_ text: String) throws -> QueryCost {
    try fixture.reading { reader in
      _ = try reader.count(query(text))
      return try #require(reader.cost)
    }
  }

  @Test(arguments: [
    ("Flight where distance > 3 limit 2", "Flight where distance > 9 limit 5"),
    ("Flight where status == \"a\"", "Flight where status == \"b\""),
    ("Flight where ident in [\"a\", \"b\"]", "Flight where ident in [\"a\", \"b\", \"c\", \"d\"]"),
    ("Flight prefetch origin", "Flight"),
  ])
  func queriesThatDifferInLiteralsShareAShape(first: String, second: String) throws {
    let shape = try fetchCost(first).shape
    #expect(try fetchCost(second).shape === shape)
    // Another reader, with statements of its own.
    #expect(
      try fixture.reading { reader in
        try fixture.reading { _ in try fetchCost(second, reader) }
      }.shape === shape)
  }

  @Test(arguments: [
    ("Flight where distance > 3", "Flight where distance >= 3"),
    ("Flight where distance == 3", "Flight where distance == nil"),
    ("Flight where ident in [\"a\"]", "Flight where ident in [\"a\", \"b\"]"),
    ("Flight where distance in [1, 2]", "Flight where distance in [1, 2, nil]"),
    ("Flight limit 1", "Flight"),
    ("Flight select ident", "Flight"),
    ("Flight sort ident", "Flight sort ident desc"),
  ])
  func queriesThatRunOtherwiseHaveOtherShapes(first: String, second: String) throws {
    #expect(try fetchCost(first).shape !== fetchCost(second).shape)
  }

  @Test func aCountHasAShapeOfItsOwn() throws {
    let text = "Flight where distance > 3 sort ident select ident"
    let fetch = try fetchCost(text)
    let count = try countCost(text)
    #expect(fetch.shape.kind == .fetch && count.shape.kind == .count)
    #expect(fetch.shape.text == "Flight where distance > ? sort ident select ident")
    #expect(count.shape.text == "Flight where distance > ?")
    #expect(count.shape.entity == fixture.id("Flight"))
    #expect(count.shape.sql.hasPrefix("SELECT count(*)"))
    #expect(fetch.rows == 16 && count.rows == 16)
  }

  @Test func aLongListIsShownByTwoValues() throws {
    let values = (0..<500).map { "\($0)" }.joined(separator: ", ")
    let shape = try countCost("Flight where distance in [\(values)]").shape
    #expect(shape.text == "Flight where distance in [?]")
    #expect(shape.sql.contains("IN (?1,?2)"))
    #expect(shape.plan.first?.contains("SEARCH") == true)
  }

  @Test(arguments: [
    ("Flight where ident == \"F3\"", "SEARCH t0 USING INDEX", false),
    ("Flight where id == 3", "SEARCH t0 USING INTEGER PRIMARY KEY", false),
    ("Flight where distance == 3 && status == \"landed\"", "SEARCH t0 USING INDEX", false),
    ("Flight where status == \"landed\"", "SCAN t0", true),
    // Through an index, but from one end of it.
    ("Flight sort distance limit 3", "SCAN t0 USING INDEX", true),
  ])
  func aPlanTellsASearchFromAScan(text: String, line: String, isFullScan: Bool) throws {
    let shape = try fetchCost(text).shape
    #expect(shape.plan.first?.hasPrefix(line) == true, "\(shape.plan)")
    #expect(shape.isFullScan == isFullScan)
  }

  @Test func aScanOfAnIndexThatCoversIsAScan() throws {
    let shape = try countCost("Flight").shape
    #expect(shape.plan.first?.contains("COVERING INDEX") == true, "\(shape.plan)")
    #expect(shape.isFullScan)
  }

  @Test func linesOfAPlanAreIndentedByLevel() throws {
    let shape = try fetchCost("Airport where flightsFrom.contains { distance > 3 }").shape
    #expect(shape.plan.contains { $0.hasPrefix("CORRELATED") }, "\(shape.plan)")
    #expect(shape.plan.contains { $0.hasPrefix("  SEARCH t1") }, "\(shape.plan)")
  }

  @Test func aBoundedCountReadsNoRowsTwice() throws {
    let shape = try countCost("Flight where distance > 3 limit 5").shape
    #expect(!shape.isFullScan, "\(shape.plan)")
  }

  @Test func whatAQueryReadsIsCounted() throws {
    let scan = try fetchCost("Flight where status == \"landed\"")
    #expect(scan.rows == Self.rowCount / 2)
    #expect((Self.rowCount - 1...Self.rowCount).contains(scan.rowsScanned))
    let search = try fetchCost("Flight where ident == \"F3\"")
    #expect(search.rows == 1 && search.rowsScanned == 0 && search.sorts == 0)
    #expect(try fetchCost("Flight sort status").sorts == 1)
    #expect(try fetchCost("Flight sort distance").sorts == 0)
  }

  @Test func eachRunIsCountedByItself() throws {
    try fixture.reading { reader in
      let first = try fetchCost("Flight where status == \"landed\"", reader)
      let second = try fetchCost("Flight where status == \"planned\"", reader)
      #expect(first.rowsScanned == second.rowsScanned)
      #expect(first.rows == second.rows)
    }
  }

  @Test func aCursorTellsWhatItHasTakenSoFar() throws {
    try fixture.reading { reader in
      let cursor = try reader.cursor(query("Flight where status == \"landed\""))
      #expect(cursor.cost?.rows == 0)
      _ = try cursor.next(rowsMax: 3, bytesMax: 1 << 16)
      let early = try #require(cursor.cost)
      #expect(early.rows == 3 && early.rowsScanned < Self.rowCount / 2)
      reader.end()
      #expect(cursor.cost == early)
      #expect(throws: StoreError.self) { try cursor.next(rowsMax: 3, bytesMax: 1 << 16) }
    }
  }

  @Test func aCountThatIsNotUnderstoodHasNoCost() throws {
    try fixture.reading { reader in
      #expect(reader.cost == nil)
      _ = try reader.count(query("Flight"))
      #expect(reader.cost?.rows == Self.rowCount)
      #expect(throws: StoreError.self) { try reader.count(Query(entity: 99)) }
      #expect(reader.cost == nil)
    }
  }
}
