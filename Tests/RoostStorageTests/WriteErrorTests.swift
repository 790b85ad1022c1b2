import RoostModel
import RoostStorage
import Testing

@Suite("Refused writes")
struct WriteErrorTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture(Samples.flights) }

  /// What a write is refused with; nothing of it may stay.
  private func refusal(_ operations: WriteOperation...) throws -> StoreError {
    let before = try fixture.count("Flight") + fixture.count("Airport")
    var refusal = StoreError(.ok, .none, "the write went through")
    do {
      _ = try fixture.store.write(WriteBatch(operations: operations, schemaVersion: 1))
    } catch {
      refusal = error
    }
    #expect(try fixture.count("Flight") + fixture.count("Airport") == before)
    return refusal
  }

  @Test func uniqueConflictNamesTheConstraint() throws {
    _ = try fixture.add("Flight", ("ident", .text("A")))
    let error = try refusal(
      fixture.insert("Airport", ("icao", .text("X"))),
      fixture.insert("Flight", ("ident", .text("A"))))
    #expect(error.status == .alreadyExists && error.detail == .uniqueKey)
    #expect(error.message == "another Flight has the same ident")
    #expect(error.operation == 1)
  }

  @Test func anIdentifierThatWasDeletedIsNotGivenAgain() throws {
    let row = try fixture.add("Flight", ("ident", .text("A")))
    let error = try refusal(
      fixture.delete("Flight", row), fixture.insert("Flight", row: row, ("ident", .text("B"))))
    #expect(error.status == .invalidArgument && error.operation == 1)
    #expect(try fixture.value("Flight", row, "ident") == .text("A"))
  }

  @Test func requiredColumnsAreNamed() throws {
    let missing = try refusal(fixture.insert("Flight", ("distance", .int(1))))
    #expect(missing.detail == .validation && missing.message == "Flight.ident is required")
    let null = try refusal(fixture.insert("Flight", ("ident", .null)))
    #expect(null.detail == .validation && null.message == "Flight.ident is required")
    let row = try fixture.add("Flight", ("ident", .text("A")))
    #expect(try refusal(fixture.update("Flight", row, ("ident", .null))).detail == .validation)
  }

  @Test func wrongTypesAreNamed() throws {
    let error = try refusal(fixture.insert("Flight", ("ident", .int(1))))
    #expect(error.status == .invalidArgument && error.detail == .badValue)
    #expect(error.message == "Flight: ident takes String, not Int")
    let airport = try fixture.add("Airport", ("icao", .text("A")))
    let foreign = try refusal(
      fixture.insert(
        "Flight", ("ident", .text("B")), ("airline", fixture.reference("Airport", airport))))
    #expect(foreign.detail == .badValue)
  }

  @Test func unknownThingsAreRefused() throws {
    #expect(try refusal(.insert(99, row: nil, [])).detail == .unknownEntity)
    #expect(
      try refusal(.insert(fixture.id("Flight"), row: nil, [Assignment(77, .null)])).detail
        == .unknownColumn)
    #expect(try refusal(fixture.update("Flight", 5, ("distance", .int(1)))).detail == .unknownRow)
    #expect(try refusal(fixture.delete("Flight", 5)).detail == .unknownRow)
    #expect(
      try refusal(
        fixture.insert(
          "Flight", ("ident", .text("A")), ("origin", fixture.reference("Airport", 7)))
      ).detail == .unknownRow)
    #expect(
      try refusal(
        fixture.insert(
          "Flight", ("ident", .text("A")),
          ("origin", fixture.key("Airport", "icao", .text("NONE"))))
      ).detail == .unknownRow)
    #expect(
      try refusal(
        fixture.insert("Flight", ("ident", .text("A")), ("origin", .result(operation: 0)))
      ).detail == .badValue)
    #expect(
      try refusal(fixture.insert("Flight", row: 4_000_000, ("ident", .text("A")))).detail
        == .badValue)
    #expect(
      try refusal(fixture.insert("Flight", ("ident", .text("A")), ("ident", .text("B")))).detail
        == .unknownColumn)
  }

  @Test func aRowThatChangedSinceIsNotTouched() throws {
    let row = try fixture.add("Flight", ("ident", .text("A")))
    let known = try fixture.reading { _ in try fixture.store.makeReader().begin() }
    try fixture.write(fixture.update("Flight", row, ("distance", .int(1))))
    let stale = WriteOperation.update(
      fixture.id("Flight"), .row(row), fixture.assignments("Flight", [("distance", .int(2))]),
      ifRevision: known)
    let error = try refusal(stale)
    #expect(error.status == .failedPrecondition && error.detail == .revisionMismatch)
    #expect(try fixture.value("Flight", row, "distance") == .int(1))
    let now = try fixture.store.makeReader().begin()
    try fixture.write(.delete(fixture.id("Flight"), .row(row), ifRevision: now))
  }

  /// What the write itself changes is no change by others.
  @Test func aWriteMayAskForARevisionOfOneRowSeveralTimes() throws {
    let row = try fixture.add("Flight", ("ident", .text("A")))
    let known = try fixture.store.makeReader().begin()
    func update(_ distance: Int64, _ revision: UInt64?) -> WriteOperation {
      .update(
        fixture.id("Flight"), .row(row),
        fixture.assignments("Flight", [("distance", .int(distance))]), ifRevision: revision)
    }
    try fixture.write(update(1, known), update(2, known))
    #expect(try fixture.value("Flight", row, "distance") == .int(2))
    #expect(try refusal(update(3, nil), update(4, known)).detail == .revisionMismatch)
    let now = try fixture.store.makeReader().begin()
    try fixture.write(
      update(5, nil), update(6, now), .delete(fixture.id("Flight"), .row(row), ifRevision: now))
    #expect(try fixture.count("Flight") == 0)
  }

  @Test func newerSchemasAreRefused() throws {
    do {
      _ = try fixture.store.write(
        WriteBatch(
          operations: [fixture.insert("Flight", ("ident", .text("A")))], schemaVersion: 2))
      Issue.record("the write went through")
    } catch {
      #expect(error.detail == .schemaChanged)
    }
  }

  @Test func aFailureLeavesOthersOfItsGroupAlone() throws {
    let store = fixture.store
    let outcomes = Outcomes(count: 200)
    for number in 0..<200 {
      // Every third one repeats the first.
      let ident = number % 3 == 0 ? "same" : "\(number)"
      let batch = WriteBatch(
        operations: [fixture.insert("Flight", ("ident", .text(ident)))], schemaVersion: 1)
      store.submit(batch) { outcomes.add((try? $0.get()) != nil) }
    }
    outcomes.wait()
    #expect(outcomes.succeeded == 1 + 133)
    #expect(try fixture.count("Flight") == 134)
  }
}
