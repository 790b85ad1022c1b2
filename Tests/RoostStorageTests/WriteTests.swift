import FoundationEssentials
import RoostModel
import RoostStorage
import Testing

@Suite("Writes")
struct WriteTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture(Samples.flights) }

  @Test func insertedRowsAreReadBack() throws {
    let airport = try fixture.add("Airport", ("icao", .text("KSFO")), ("latitude", .double(37.6)))
    let flight = try fixture.add(
      "Flight", ("ident", .text("UAL1")), ("distance", .int(2_586)),
      ("origin", fixture.reference("Airport", airport)))
    #expect(try fixture.value("Flight", flight, "distance") == .int(2_586))
    #expect(
      try fixture.value("Flight", flight, "origin") == fixture.reference("Airport", airport))
    #expect(try fixture.value("Flight", flight, "status") == .text("planned"))
    #expect(try fixture.related("Airport", airport, "flightsFrom") == [flight])
  }

  @Test func anUpsertKeepsTheRowAndItsRelations() throws {
    let first = try fixture.write(
      fixture.upsert("Airport", by: ["icao"], ("icao", .text("KSFO")), ("name", .text("SF"))),
      fixture.insert("Flight", ("ident", .text("A")), ("origin", .result(operation: 0))))
    let airport = first.results[0].row
    let second = try fixture.write(
      fixture.upsert("Airport", by: nil, ("icao", .text("KSFO")), ("latitude", .double(1))))
    #expect(second.results == [OperationResult(row: airport, outcome: .updated)])
    #expect(try fixture.value("Airport", airport, "name") == .text("SF"))
    #expect(try fixture.related("Airport", airport, "flightsFrom").count == 1)
    let third = try fixture.write(
      fixture.upsert("Airport", by: nil, ("icao", .text("KSFO")), ("latitude", .double(1))))
    #expect(third.results == [OperationResult(row: airport, outcome: .unchanged)])
    #expect(third.commit == second.commit)
  }

  @Test func importedRowsConnectByKey() throws {
    let descriptor = ImportDescriptor(
      id: .init(), entity: fixture.id("Flight"), conflict: .update,
      constraint: [fixture.property("Flight", "ident")], onRowError: .skip)
    #expect(try fixture.store.beginImport(descriptor) == 0)
    var writer = PackedWriter()
    for number in 0..<10 {
      writer.text("UAL\(number)")
      writer.int(Int64(number * 100))
      writer.value(fixture.key("Airport", "icao", .text(number < 5 ? "A" : "B"), creates: true))
    }
    let rows = RowBatch(
      entity: fixture.id("Flight"), schemaVersion: fixture.store.schema.version,
      columns: ["ident", "distance", "origin"].map { fixture.property("Flight", $0) },
      rowCount: 10, body: writer.bytes)
    let result = fixture.take(ImportChunk(number: 0, rows: rows), of: descriptor)
    #expect(try result.get().accepted == 10)
    #expect(try result.get().errors == [])
    #expect(try fixture.count("Airport") == 2)
    #expect(try fixture.count("Flight") == 10)
  }
}
