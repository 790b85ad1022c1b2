import FoundationEssentials
import RoostModel
import RoostStorage
import Testing

/// What a rejected row of an import leaves behind: nothing.
@Suite("Rejected rows")
struct RejectedRowTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture(Samples.flights) }

  private func run(
    _ fixture: Fixture, _ entity: String, _ columns: [String], _ rows: [[Value]],
    _ conflict: ImportConflict = .update, key: [String]? = nil
  ) throws -> ImportAcknowledgement {
    let id = fixture.id(entity)
    let descriptor = ImportDescriptor(
      id: UUID(), entity: id, conflict: conflict,
      constraint: key?.map { fixture.property(entity, $0) }, onRowError: .skip)
    var writer = PackedWriter()
    for row in rows { for value in row { writer.value(value) } }
    let batch = RowBatch(
      entity: id, schemaVersion: 1, columns: columns.map { fixture.property(entity, $0) },
      rowCount: rows.count, body: writer.bytes)
    _ = try fixture.store.beginImport(descriptor)
    return try fixture.take(ImportChunk(number: 0, rows: batch), of: descriptor).get()
  }

  private func rowsInStatistics(_ fixture: Fixture, _ entity: String) throws -> Value? {
    let total = try fixture.store.statistics().first { $0.key == "rows" }?.value
    guard case .map(let counts)? = total else { return nil }
    return counts.first { $0.key == entity }?.value
  }

  /// The cell behind the to-one, and a key that is there already, reject the row after its target
  /// was made.
  @Test func theirTargetsThatWereMadeGoWithThem() throws {
    let feed = fixture.store.makeChangeFeed()
    func airport(_ icao: String) -> Value {
      fixture.key("Airport", "icao", .text(icao), creates: true)
    }
    let reply = try run(
      fixture, "Flight", ["ident", "origin", "distance"],
      [
        [.text("A"), airport("KEPT"), .int(1)],
        [.text("B"), airport("LOST"), .text("far")],
        [.text("A"), airport("GONE"), .int(2)],
        [.text("C"), airport("LATE"), .int(3)],
        [.text("D"), airport("LOST"), .int(4)],
        [.text("E"), airport("KEPT"), .text("far")],
      ], .fail)
    #expect(reply.accepted == 3 && reply.rejected == 3)
    #expect(
      Set(try fixture.values("Airport", "icao")) == [.text("KEPT"), .text("LATE"), .text("LOST")])
    #expect(try fixture.values("Flight", "ident") == [.text("A"), .text("C"), .text("D")])
    #expect(try fixture.related("Flight", 1, "tags").isEmpty)
    #expect(try rowsInStatistics(fixture, "Airport") == .int(3))
    #expect(try rowsInStatistics(fixture, "Flight") == .int(3))
    let changes = try #require(feed.drain()).flatMap(\.entities)
    #expect(
      changes.first { $0.entity == fixture.id("Airport") }?.inserted.count == 3,
      "the feed tells of rows that are not there")
  }

  /// The slow way takes rows back, too, and what it noted of them.
  @Test func rowsTakenOneByOneAreNotCountedWhenTheyFail() throws {
    let schema = StoreSchema(entities: [
      EntitySchema(
        name: "Owner",
        properties: [
          Samples.attribute("name", .text),
          Samples.toOne("passport", "Passport", inverse: "owner"),
        ], uniqueConstraints: [["name"]]),
      EntitySchema(
        name: "Passport",
        properties: [
          Samples.attribute("number", .int), Samples.toOne("owner", "Owner", inverse: "passport"),
        ], uniqueConstraints: [["number"]]),
    ])
    let fixture = try Fixture(schema)
    let reply = try run(
      fixture, "Owner", ["passport", "name"],
      [
        [fixture.key("Passport", "number", .int(1), creates: true), .text("a")],
        [fixture.key("Passport", "number", .int(2), creates: true), .int(7)],
      ])
    #expect(reply.accepted == 1 && reply.rejected == 1)
    #expect(try fixture.values("Passport", "number") == [.int(1)])
    #expect(try rowsInStatistics(fixture, "Passport") == .int(1))
  }

  /// Without a named key a nil is no key: unique columns may be nil any number of times.
  @Test func aNilInTheOnlyUniqueColumnIsANewRowWhenNoKeyIsNamed() throws {
    let schema = StoreSchema(entities: [
      EntitySchema(
        name: "Badge",
        properties: [
          Samples.attribute("code", .text, optional: true),
          Samples.attribute("note", .text, optional: true),
        ], uniqueConstraints: [["code"]])
    ])
    let fixture = try Fixture(schema)
    let rows: [[Value]] = [
      [.text("a"), .text("1")], [.null, .text("2")], [.null, .text("3")], [.text("a"), .text("4")],
    ]
    let reply = try run(fixture, "Badge", ["code", "note"], rows)
    #expect(reply.accepted == 4 && reply.rejected == 0)
    #expect(try fixture.values("Badge", "note") == [.text("4"), .text("2"), .text("3")])
    let named = try run(fixture, "Badge", ["code", "note"], rows, key: ["code"])
    #expect(named.accepted == 2 && named.rejected == 2)
  }
}
