import RoostModel
import RoostStorage
import Testing

@Suite("Bounds of shapes") struct ShapeBoundTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture(Samples.flights) }

  /// Conditions of four comparisons: one for each number below 1,296.
  private func query(_ number: Int) -> Query {
    var rest = number
    var parts: [QueryExpression] = []
    for _ in 0..<4 {
      let operation = ComparisonOperator.allCases[rest % 6]
      rest /= 6
      parts.append(
        .compare(operation, fixture.path("Flight", "distance"), .literal(.int(1))))
    }
    return Query(entity: fixture.id("Flight"), predicate: .and(parts))
  }

  private func countShape(_ query: Query, _ reader: any StoreReader) throws -> QueryShape {
    _ = try reader.count(query)
    return try #require(reader.cost?.shape)
  }

  @Test func shapesBeyondTheBoundCountAsOne() throws {
    try fixture.reading { reader in
      var shapes: Set<QueryShape> = []
      for number in 0..<StorageLimits.shapesMax + 50 {
        shapes.insert(try countShape(query(number), reader))
      }
      #expect(shapes.count == StorageLimits.shapesMax + 1)
      let others = shapes.filter { $0.text == QueryShape.othersText }
      #expect(others.count == 1)
      #expect(others.first?.kind == .count && others.first?.entity == 0)
      #expect(others.first?.plan.isEmpty == true)
      // Those that are kept are still known, and fetches beyond are apart from counts.
      #expect(try countShape(query(3), reader).text != QueryShape.othersText)
      let fetch = try #require(reader.cursor(query(StorageLimits.shapesMax + 1)).cost?.shape)
      #expect(fetch.text == QueryShape.othersText && fetch.kind == .fetch)
    }
  }

  /// 900 names of 128 bytes: a select of all of them, in many orders, is long each time.
  @Test func longShapesFillTheirBytesFirst() throws {
    let names = (0..<900).map { String(repeating: "n", count: 120) + "\($0)" }
    let wide = StoreSchema(entities: [
      EntitySchema(
        name: "Wide", properties: names.map { Samples.attribute($0, .int, optional: true) })
    ])
    let fixture = try Fixture(wide)
    let ids = fixture.entity("Wide").properties.map(\.id)
    try fixture.reading { reader in
      var count = 0
      var isFull = false
      while !isFull, count < 100 {
        let order = Array(ids[count...] + ids[..<count])
        let cursor = try reader.cursor(
          Query(entity: fixture.id("Wide"), selection: .properties(order)))
        isFull = cursor.cost?.shape.text == QueryShape.othersText
        count += 1
      }
      #expect(isFull)
      #expect(count > 10)
    }
  }

  @Test func aChangeOfTheSchemaDropsThem() throws {
    let reader = try fixture.store.makeReader()
    _ = try reader.begin()
    let query = Query(
      entity: fixture.id("Flight"),
      predicate: .compare(
        .equal, fixture.path("Flight", "status"), .literal(.text("landed"))))
    let before = try countShape(query, reader)
    #expect(before.isFullScan && before.schemaVersion == 1)
    reader.end()
    var schema = fixture.store.schema
    let flight = try #require(schema.entities.firstIndex { $0.name == "Flight" })
    schema.entities[flight].indexes.append(["status"])
    _ = try fixture.store.register(schema, mode: .apply)
    _ = try reader.begin()
    let after = try countShape(query, reader)
    #expect(after !== before)
    #expect(after.text == before.text && after.sql == before.sql)
    #expect(!after.isFullScan && after.schemaVersion == 2, "\(after.plan)")
  }

  /// A snapshot from before the change runs by its own schema, and its shapes are not kept.
  @Test func anOlderSnapshotBringsNoOldShapesBack() throws {
    let old = try fixture.store.makeReader()
    _ = try old.begin()
    var schema = fixture.store.schema
    schema.entities[0].indexes.append(["name"])
    _ = try fixture.store.register(schema, mode: .apply)
    let query = Query(entity: fixture.id("Flight"))
    let current = try fixture.reading { try countShape(query, $0) }
    #expect(try countShape(query, old).text == QueryShape.othersText)
    old.end()
    _ = try old.begin()
    #expect(try countShape(query, old) === current)
  }
}
