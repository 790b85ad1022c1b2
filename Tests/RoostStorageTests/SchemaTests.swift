import RoostModel
import RoostStorage
import Testing

@Suite("Schemas")
struct SchemaTests {
  private func entity(
    _ properties: [PropertySchema], named name: String = "Item", unique: [[String]] = [],
    indexes: [[String]] = []
  ) -> StoreSchema {
    StoreSchema(entities: [
      EntitySchema(
        name: name, properties: properties, uniqueConstraints: unique, indexes: indexes)
    ])
  }

  private let first = [Samples.attribute("name", .text)]

  @Test func additionsApplyAndOldClientsStay() throws {
    let fixture = try Fixture(entity(first))
    let row = try fixture.add("Item", ("name", .text("a")))
    let feed = fixture.store.makeChangeFeed()
    let larger = entity(
      first + [
        Samples.attribute("size", .int, default: .int(7)),
        Samples.attribute("ratio", .double, default: .double(0.1)),
        Samples.attribute("note", .text, optional: true), Samples.toOne("parent", "Item"),
      ], unique: [["name"]], indexes: [["size"]])
    let check = try fixture.store.register(larger, mode: .check)
    #expect(check.differences.count == 6)
    #expect(check.schema.version == 1)
    let applied = try fixture.store.register(larger, mode: .apply)
    #expect(applied.differences == check.differences)
    #expect(applied.schema.version == 2)
    #expect(feed.drain()?.map(\.schemaChanged) == [true])
    #expect(try fixture.value("Item", row, "size") == .int(7))
    #expect(try fixture.value("Item", row, "ratio") == .double(0.1))
    #expect(try fixture.value("Item", row, "note") == .null)
    // The smaller schema is a part of the larger one: nothing to do.
    #expect(try fixture.store.register(entity(first), mode: .apply).differences == [])
    #expect(fixture.store.schema.version == 2)
    #expect(throws: StoreError.self) { try fixture.add("Item", ("name", .text("a"))) }
  }

  @Test func whatIsNoAdditionIsRefusedWithEveryDifference() throws {
    let fixture = try Fixture(entity(first + [Samples.attribute("size", .int, optional: true)]))
    let other = entity([Samples.attribute("name", .int), Samples.attribute("size", .int)])
    for mode in [SchemaMode.check, .apply] {
      do {
        _ = try fixture.store.register(other, mode: mode)
        Issue.record("the schema was taken")
      } catch {
        #expect(error.detail == .schemaChanged)
        #expect(error.message.contains("Item.name is String in the store, not Int"))
        #expect(error.message.contains("Item.size is optional in the store, not required"))
      }
    }
    #expect(fixture.store.schema.version == 1)
  }

  @Test func uniqueNeedsUniqueData() throws {
    let fixture = try Fixture(entity(first))
    for _ in 0..<2 { _ = try fixture.add("Item", ("name", .text("a"))) }
    #expect(throws: StoreError.self) {
      try fixture.store.register(entity(first, unique: [["name"]]), mode: .apply)
    }
    #expect(fixture.store.schema.entities[0].uniqueConstraints == [])
    #expect(try fixture.count("Item") == 2)
  }

  @Test func aRequiredAttributeNeedsADefaultOrAnEmptyTable() throws {
    let wider = entity(first + [Samples.attribute("size", .int)])
    let empty = try Fixture(entity(first))
    #expect(try empty.store.register(wider, mode: .apply).schema.version == 2)
    let full = try Fixture(entity(first))
    _ = try full.add("Item", ("name", .text("a")))
    #expect(throws: StoreError.self) { try full.store.register(wider, mode: .apply) }
  }

  @Test func aRenameKeepsTheData() throws {
    let fixture = try Fixture(entity(first, unique: [["name"]]))
    let row = try fixture.add("Item", ("name", .text("a")))
    var renamed = Samples.attribute("title", .text)
    renamed.originalName = "name"
    _ = try fixture.store.register(entity([renamed], unique: [["title"]]), mode: .apply)
    #expect(try fixture.value("Item", row, "title") == .text("a"))
    #expect(fixture.store.schema.entities[0].uniqueConstraints == [["title"]])
  }

  @Test func brokenRelationshipsAreRefused() throws {
    let fixture = try Fixture(StoreSchema())
    for broken in [
      entity([Samples.toOne("other", "Nothing")]),
      entity([Samples.toOne("other", "Item", inverse: "missing")]),
      entity(first, unique: [["missing"]]), entity(first, named: ""), entity(first + first),
    ] {
      #expect(throws: StoreError.self) { try fixture.store.register(broken, mode: .apply) }
    }
    #expect(fixture.store.schema.entities == [])
  }

  /// SQLite has one space of names for both, and compares without regard to case.
  @Test func indexesAndTablesOfPairsStayApart() throws {
    let schema = StoreSchema(entities: [
      EntitySchema(
        name: "Order",
        properties: [
          Samples.toOne("NAME", "Item"),
          PropertySchema(
            name: "name",
            kind: .relationship(RelationshipSchema(destination: "Item", isToMany: true)),
            isOptional: false),
        ]), EntitySchema(name: "Item", properties: [Samples.attribute("a", .int)]),
    ])
    let fixture = try Fixture(schema)
    #expect(fixture.store.schema.version == 1)
    // A table that comes later meets the indexes that are there.
    var later = schema
    later.entities.append(
      EntitySchema(name: "_Order_NAME", properties: [Samples.attribute("a", .int)]))
    #expect(try fixture.store.register(later, mode: .apply).schema.version == 2)
  }

  @Test func namesThatSQLiteWouldMixUpStayApart() throws {
    let fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "sqlite_x",
          properties: [
            Samples.attribute("a", .int), Samples.attribute("A", .int),
            Samples.attribute("_pk", .int), Samples.attribute("rowid", .int),
            Samples.attribute("x_pk", .int), Samples.toOne("x", "Select"),
            Samples.attribute("say \"hi\"", .text),
          ]), EntitySchema(name: "Select", properties: [Samples.attribute("from", .int)]),
        EntitySchema(name: "select", properties: [Samples.attribute("from", .int)]),
      ]))
    let target = try fixture.add("Select", ("from", .int(1)))
    _ = try fixture.add("select", ("from", .int(2)))
    let values: [(String, Value)] = [
      ("a", .int(1)), ("A", .int(2)), ("_pk", .int(3)), ("rowid", .int(4)), ("x_pk", .int(5)),
      ("x", fixture.reference("Select", target)), ("say \"hi\"", .text("yes")),
    ]
    let batch = WriteBatch(
      operations: [
        .insert(fixture.id("sqlite_x"), row: nil, fixture.assignments("sqlite_x", values))
      ], schemaVersion: 1)
    let row = try fixture.store.write(batch).results[0].row
    for (name, value) in values { #expect(try fixture.value("sqlite_x", row, name) == value) }
    #expect(try fixture.values("select", "from") == [.int(2)])
  }

  @Test(arguments: RandomRows.edges) func valuesComeBackBitByBit(_ edge: RandomRows) throws {
    let fixture = try Fixture(Samples.types)
    let row = try fixture.add("Everything", (edge.property, edge.value))
    let read = try fixture.value("Everything", row, edge.property)
    #expect(read == edge.value)
    if case .double(let written) = edge.value, case .double(let found) = read, !written.isNaN {
      #expect(written.bitPattern == found.bitPattern)
    }
    #expect(
      try fixture.values(
        "Everything", edge.property,
        where: .compare(
          .equal, fixture.path("Everything", edge.property), .literal(edge.value))
      ).count == 1)
  }
}
