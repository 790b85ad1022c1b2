import RoostModel
import RoostStorage
import Testing

@Suite("Delete rules and inverses")
struct DeleteRuleTests {
  @Test func nullifyClearsTheOtherSide() throws {
    let fixture = try Fixture(Samples.flights)
    let airport = try fixture.add("Airport", ("icao", .text("KSFO")))
    let flight = try fixture.add(
      "Flight", ("ident", .text("A")), ("origin", fixture.reference("Airport", airport)))
    try fixture.write(fixture.delete("Airport", airport))
    #expect(try fixture.value("Flight", flight, "origin") == .null)
    #expect(try fixture.count("Airport") == 0)
  }

  @Test func cascadeTakesAllAlong() throws {
    let fixture = try Fixture(Samples.flights)
    let airline = try fixture.add("Airline", ("code", .text("UAL")))
    for number in 0..<50 {
      _ = try fixture.add(
        "Flight", ("ident", .text("\(number)")), ("airline", fixture.reference("Airline", airline)))
    }
    let feed = fixture.store.makeChangeFeed()
    let result = try fixture.write(fixture.delete("Airline", airline))
    #expect(try fixture.count("Flight") == 0)
    let changes = try #require(feed.drain())
    #expect(changes.map(\.commit) == [result.commit])
    let flights = changes[0].entities.first { $0.entity == fixture.id("Flight") }
    #expect(flights?.deleted.count == 50)
  }

  @Test func aChainOfCascadesMayBeLong() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Node",
          properties: [Samples.toOne("next", "Node", rule: .cascade)])
      ]))
    let rows = try fixture.store.allocateRows(entity: fixture.id("Node"), count: 9_000)
    let operations = rows.map { row in
      fixture.insert(
        "Node", row: row,
        ("next", row + 1 < rows.upperBound ? fixture.reference("Node", row + 1) : .null))
    }
    _ = try fixture.store.write(WriteBatch(operations: operations, schemaVersion: 1))
    #expect(try fixture.count("Node") == 9_000)
    try fixture.write(fixture.delete("Node", rows.lowerBound))
    #expect(try fixture.count("Node") == 0)
  }

  @Test func denyIsLookedAtWhenTheWriteEnds() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Folder",
          properties: [Samples.toMany("files", "File", inverse: "folder", rule: .deny)]),
        EntitySchema(
          name: "File", properties: [Samples.toOne("folder", "Folder", inverse: "files")]),
      ]))
    let folder = try fixture.add("Folder")
    let file = try fixture.add("File", ("folder", fixture.reference("Folder", folder)))
    #expect(throws: StoreError.self) { try fixture.write(fixture.delete("Folder", folder)) }
    #expect(try fixture.count("Folder") == 1)
    try fixture.write(fixture.delete("Folder", folder), fixture.delete("File", file))
    #expect(try fixture.count("Folder") == 0)
  }

  @Test func aRequiredToOneKeepsItsTarget() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(name: "Owner", properties: []),
        EntitySchema(name: "Pet", properties: [Samples.toOne("owner", "Owner", optional: false)]),
      ]))
    let owner = try fixture.add("Owner")
    _ = try fixture.add("Pet", ("owner", fixture.reference("Owner", owner)))
    do {
      try fixture.write(fixture.delete("Owner", owner))
      Issue.record("the delete went through")
    } catch {
      #expect(error.detail == .relationshipRule)
      #expect(error.operation == 0)
    }
  }

  @Test func oneToOneStaysInStep() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Person", properties: [Samples.toOne("passport", "Passport", inverse: "holder")]),
        EntitySchema(
          name: "Passport", properties: [Samples.toOne("holder", "Person", inverse: "passport")]),
      ]))
    let first = try fixture.add("Person")
    let second = try fixture.add("Person")
    let passport = try fixture.add("Passport", ("holder", fixture.reference("Person", first)))
    let reference = fixture.reference("Passport", passport)
    #expect(try fixture.value("Person", first, "passport") == reference)
    try fixture.write(fixture.update("Person", second, ("passport", reference)))
    #expect(try fixture.value("Person", first, "passport") == .null)
    #expect(
      try fixture.value("Passport", passport, "holder") == fixture.reference("Person", second))
    try fixture.write(fixture.delete("Person", second))
    #expect(try fixture.value("Passport", passport, "holder") == .null)
  }

  @Test func oneToOneTakesNothingFromARequiredSide() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Person", properties: [Samples.toOne("passport", "Passport", inverse: "holder")]),
        EntitySchema(
          name: "Passport",
          properties: [Samples.toOne("holder", "Person", inverse: "passport", optional: false)]),
      ]))
    let people = try (0..<2).map { _ in try fixture.add("Person") }
    let passports = try people.map {
      try fixture.add("Passport", ("holder", fixture.reference("Person", $0)))
    }
    let exchange = fixture.update(
      "Person", people[0], ("passport", fixture.reference("Passport", passports[1])))
    let error = #expect(throws: StoreError.self) { try fixture.write(exchange) }
    #expect(error?.detail == .validation)
    #expect(
      try fixture.value("Passport", passports[0], "holder")
        == fixture.reference("Person", people[0]))
    // Nothing is missing once both have another.
    try fixture.write(
      exchange,
      fixture.update(
        "Person", people[1], ("passport", fixture.reference("Passport", passports[0]))))
    #expect(
      try fixture.value("Passport", passports[0], "holder")
        == fixture.reference("Person", people[1]))
  }

  @Test func oneToOneWithARowThatComesLater() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Person", properties: [Samples.toOne("spouse", "Person", inverse: "spouse")])
      ]))
    let rows = try fixture.store.allocateRows(entity: fixture.id("Person"), count: 2)
    let (a, b) = (rows.lowerBound, rows.lowerBound + 1)
    try fixture.write(
      fixture.insert("Person", row: a, ("spouse", fixture.reference("Person", b))),
      fixture.insert("Person", row: b))
    #expect(try fixture.value("Person", b, "spouse") == fixture.reference("Person", a))
  }

  @Test func pairsAreKeptOnceAndInOrder() throws {
    let fixture = try Fixture(Samples.flights)
    let flight = try fixture.add("Flight", ("ident", .text("A")))
    let tags = try ["x", "y", "z"].map { try fixture.add("Tag", ("label", .text($0))) }
    let property = fixture.property("Flight", "tags")
    for tag in [tags[2], tags[0], tags[2]] {
      try fixture.write(
        .link(fixture.id("Flight"), .row(flight), property, fixture.reference("Tag", tag)))
    }
    #expect(try fixture.related("Flight", flight, "tags") == [tags[2], tags[0]])
    #expect(try fixture.related("Tag", tags[0], "flights") == [flight])
    // The other side sees and changes the same pairs.
    try fixture.write(
      .unlink(
        fixture.id("Tag"), .row(tags[2]), fixture.property("Tag", "flights"),
        fixture.reference("Flight", flight)))
    #expect(try fixture.related("Flight", flight, "tags") == [tags[0]])
    try fixture.write(fixture.delete("Tag", tags[0]))
    #expect(try fixture.related("Flight", flight, "tags") == [])
  }

  @Test func noPairLeadsToARowThatTheSameWriteDeletes() throws {
    let fixture = try Fixture(Samples.flights)
    let flight = try fixture.add("Flight", ("ident", .text("A")))
    let tag = try fixture.add("Tag", ("label", .text("x")))
    func link(_ owner: String, _ row: Int64, _ name: String, _ other: Value) -> WriteOperation {
      .link(fixture.id(owner), .row(row), fixture.property(owner, name), other)
    }
    for operations in [
      [
        fixture.delete("Tag", tag),
        link("Flight", flight, "tags", fixture.reference("Tag", tag)),
      ],
      [
        fixture.delete("Flight", flight),
        link("Flight", flight, "tags", fixture.reference("Tag", tag)),
      ],
    ] {
      let error = #expect(throws: StoreError.self) {
        try fixture.store.write(WriteBatch(operations: operations, schemaVersion: 1))
      }
      #expect(error?.detail == .unknownRow)
      #expect(try fixture.related("Flight", flight, "tags") == [])
    }
  }

  @Test func linkOfAnInverseSetsTheToOne() throws {
    let fixture = try Fixture(Samples.flights)
    let airport = try fixture.add("Airport", ("icao", .text("KSFO")))
    let flight = try fixture.add("Flight", ("ident", .text("A")))
    let linked = try fixture.write(
      .link(
        fixture.id("Airport"), .row(airport), fixture.property("Airport", "flightsFrom"),
        fixture.reference("Flight", flight)))
    #expect(linked.results[0].outcome == .linked)
    #expect(
      try fixture.value("Flight", flight, "origin") == fixture.reference("Airport", airport))
  }
}
