import FoundationEssentials
import RoostModel
import RoostStorage
import Testing

@Suite("Imports")
struct ImportTests {
  let fixture: Fixture

  init() throws { fixture = try Fixture(Samples.flights) }

  private func descriptor(
    _ conflict: ImportConflict = .update, _ policy: RowErrorPolicy = .skip,
    entity: String = "Flight", key: [String]? = ["ident"]
  ) -> ImportDescriptor {
    ImportDescriptor(
      id: UUID(), entity: fixture.id(entity), conflict: conflict,
      constraint: key.map { $0.map { fixture.property(entity, $0) } }, onRowError: policy)
  }

  private func rows(
    _ columns: [String], _ rows: [[Value]], entity: String = "Flight"
  ) -> RowBatch {
    var writer = PackedWriter()
    for row in rows { for value in row { writer.value(value) } }
    return RowBatch(
      entity: fixture.id(entity), schemaVersion: 1,
      columns: columns.map { fixture.property(entity, $0) }, rowCount: rows.count,
      body: writer.bytes)
  }

  private func run(
    _ descriptor: ImportDescriptor, number: UInt64 = 0, _ batch: RowBatch
  ) throws -> ImportAcknowledgement {
    _ = try fixture.store.beginImport(descriptor)
    return try fixture.take(ImportChunk(number: number, rows: batch), of: descriptor).get()
  }

  @Test func laterRowsWinAndKeepWhatTheyDoNotName() throws {
    _ = try run(
      descriptor(), rows(["ident", "distance"], [[.text("A"), .int(1)], [.text("A"), .int(2)]]))
    _ = try run(
      descriptor(), rows(["ident", "status"], [[.text("A"), .text("late")]]))
    #expect(try fixture.values("Flight", "distance") == [.int(2)])
    #expect(try fixture.values("Flight", "status") == [.text("late")])
  }

  @Test func badRowsAreReportedAndTheRestGoesIn() throws {
    let feed = fixture.store.makeChangeFeed()
    let reply = try run(
      descriptor(),
      rows(
        ["ident", "distance", "origin", "departure"],
        [
          [.text("A"), .int(1), .null, .null],
          [.null, .int(2), .null, .null],
          [.text("C"), .text("x"), .null, .null],
          [.text("D"), .int(4), fixture.key("Airport", "icao", .text("NONE")), .null],
          [.text("E"), .int(5), .null, .date(.nan)],
          [
            .text("F"), .int(6), fixture.key("Airport", "icao", .text("NEW"), creates: true), .null,
          ],
        ]))
    #expect(reply.accepted == 2 && reply.rejected == 4)
    #expect(reply.errors.map(\.row) == [1, 2, 3, 4])
    #expect(
      reply.errors.map(\.message) == [
        "ident is part of the key: not nil", "distance takes Int, not String",
        "origin: no Airport has this icao", "departure: not a date",
      ])
    #expect(reply.errors.map(\.detail) == [.validation, .badValue, .unknownRow, .badValue])
    #expect(reply.errors[1].property == fixture.property("Flight", "distance"))
    #expect(try fixture.values("Flight", "ident") == [.text("A"), .text("F")])
    let changes = try #require(feed.drain())
    #expect(changes.count == 1 && changes[0].commit == reply.commit)
    #expect(changes[0].entities.map(\.inserted.count).sorted() == [1, 2])
  }

  @Test func conflictsAreTakenAsAsked() throws {
    let batch = rows(["ident", "distance"], [[.text("A"), .int(1)]])
    let again = rows(["ident", "distance"], [[.text("A"), .int(2)], [.text("B"), .int(3)]])
    _ = try run(descriptor(.fail), batch)
    let ignored = try run(descriptor(.ignore), again)
    #expect(ignored.accepted == 2 && ignored.rejected == 0)
    #expect(try fixture.values("Flight", "distance") == [.int(1), .int(3)])
    let failed = try run(descriptor(.fail), again)
    #expect(failed.rejected == 2)
    #expect(failed.errors[0].detail == .uniqueKey)
    #expect(failed.errors[0].message == "another Flight has the same ident")
  }

  @Test func aFailingImportTakesNothingOfTheChunkAndEnds() throws {
    let strict = descriptor(.update, .fail)
    _ = try run(strict, rows(["ident"], [[.text("A")]]))
    let reply = try run(strict, number: 1, rows(["ident"], [[.text("B")], [.null]]))
    #expect(reply.accepted == 0 && reply.rejected == 1 && reply.errors[0].row == 1)
    #expect(try fixture.values("Flight", "ident") == [.text("A")])
    let next = fixture.take(
      ImportChunk(number: 1, rows: rows(["ident"], [[.text("C")]])), of: strict)
    #expect(throws: StoreError.self) { try next.get() }
    // Begun anew, it goes on where it stood.
    #expect(try fixture.store.beginImport(strict) == 1)
    #expect(try run(strict, number: 1, rows(["ident"], [[.text("C")]])).accepted == 1)
  }

  @Test func eachNumberIsTakenOnce() throws {
    let descriptor = descriptor()
    _ = try run(descriptor, rows(["ident"], [[.text("A")]]))
    let again = try run(descriptor, rows(["ident"], [[.text("B")]]))
    #expect(again.isDuplicate && again.accepted == 1)
    let gap = fixture.take(
      ImportChunk(number: 5, rows: rows(["ident"], [[.text("C")]])), of: descriptor)
    do {
      _ = try gap.get()
      Issue.record("the gap was taken")
    } catch {
      #expect(error.status == .outOfRange && error.detail == .chunkGap)
    }
    #expect(try fixture.count("Flight") == 1)
    #expect(try fixture.store.beginImport(descriptor) == 1)
  }

  @Test func aDuplicateSaysWhatBecameOfTheChunk() throws {
    let descriptor = descriptor()
    let mixed = rows(
      ["ident", "distance"],
      [
        [.text("A"), .int(1)], [.null, .int(2)], [.text("C"), .text("x")], [.text("D"), .int(4)],
      ])
    let first = try run(descriptor, mixed)
    _ = try run(descriptor, number: 1, rows(["ident"], [[.text("E")]]))
    let again = try run(descriptor, mixed)
    #expect(again.isDuplicate && again.hasCounts)
    #expect(again.accepted == 2 && again.rejected == 2)
    #expect(again.errors == first.errors && again.errors.count == 2)
    #expect(try fixture.count("Flight") == 3)
  }

  @Test func aChunkOfLongAgoIsADuplicateWithoutCounts() throws {
    let descriptor = descriptor()
    let batch = rows(["ident"], [[.text("A")], [.null]])
    _ = try run(descriptor, batch)
    for number in 1...StorageLimits.chunkReportsMax {
      _ = try run(descriptor, number: UInt64(number), rows(["ident"], [[.text("B")]]))
    }
    let forgotten = try run(descriptor, batch)
    #expect(forgotten.isDuplicate && !forgotten.hasCounts)
    #expect(forgotten.accepted == 0 && forgotten.rejected == 0)
    let known = try run(descriptor, number: 1, batch)
    #expect(known.hasCounts && known.accepted == 1 && known.rejected == 0)
  }

  @Test func rowErrorsThatAreTooLongToKeepAreStillCounted() throws {
    let strict = descriptor()
    let long = String(repeating: "x", count: 60)
    let wide = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Wide",
          properties: [
            PropertySchema(
              name: "key" + long + long, kind: .attribute(.text), isOptional: false)
          ], uniqueConstraints: [["key" + long + long]])
      ]))
    var writer = PackedWriter()
    for _ in 0..<StorageLimits.rowErrorsMax { writer.null() }
    let chunk = ImportChunk(
      number: 0,
      rows: RowBatch(
        entity: 1, schemaVersion: 1, columns: [1], rowCount: StorageLimits.rowErrorsMax,
        body: writer.bytes))
    let descriptor = ImportDescriptor(
      id: strict.id, entity: 1, conflict: .update, constraint: [1], onRowError: .skip)
    _ = try wide.store.beginImport(descriptor)
    let first = try wide.take(chunk, of: descriptor).get()
    let again = try wide.take(chunk, of: descriptor).get()
    #expect(first.errors.count == StorageLimits.rowErrorsMax)
    #expect(again.rejected == StorageLimits.rowErrorsMax)
    #expect(again.errors.count > 0 && again.errors.count < first.errors.count)
    #expect(again.errors == Array(first.errors.prefix(again.errors.count)))
  }

  @Test func anImportMustHaveBegun() throws {
    let result = fixture.take(
      ImportChunk(number: 0, rows: rows(["ident"], [[.text("A")]])), of: descriptor())
    do {
      _ = try result.get()
      Issue.record("the chunk was taken")
    } catch {
      #expect(error.detail == .unknownImport)
    }
  }

  @Test func rowsThatLackRequiredColumnsUpdateWhatIsThere() throws {
    // The key is not named, but the tag's label is required.
    let tag = try fixture.add("Tag", ("label", .text("x")))
    _ = tag
    let airline = try fixture.add("Airline", ("code", .text("UAL")))
    let reply = try run(
      descriptor(entity: "Airline", key: ["code"]),
      rows(["code", "name"], [[.text("UAL"), .text("United")]], entity: "Airline"))
    #expect(reply.accepted == 1)
    #expect(try fixture.value("Airline", airline, "name") == .text("United"))
    let none = try run(
      descriptor(entity: "Airline", key: nil),
      rows(["name"], [[.text("Nobody")]], entity: "Airline"))
    #expect(none.rejected == 1)
    #expect(none.errors.first?.message == "Airline.code is required")
  }

  @Test(arguments: 0..<200)
  func bytesThatAreNoRowsTakeNothingDown(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let good = rows(
      ["ident", "distance", "origin"],
      [[.text("A"), .int(300), fixture.key("Airport", "icao", .text("X"), creates: true)]])
    var bad = good
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let index = Int.random(in: 0..<bad.body.count, using: &random)
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bad.body[index] = UInt8.random(in: 0...255, using: &random)
      case 1: bad.body.removeSubrange(index..<bad.body.count)
      default: bad.body.insert(UInt8.random(in: 0...255, using: &random), at: index)
      }
      if bad.body.isEmpty { bad.body = [0] }
    }
    let descriptor = descriptor()
    _ = try fixture.store.beginImport(descriptor)
    _ = fixture.take(ImportChunk(number: 0, rows: bad), of: descriptor)
    let next = try fixture.store.beginImport(descriptor)
    #expect(
      try fixture.take(ImportChunk(number: next, rows: good), of: descriptor).get().accepted == 1,
      "seed \(seed)")
  }

  @Test func mergedChunksOfSeveralImportsAllArrive() throws {
    let outcomes = Outcomes(count: 4 * 40)
    for stream in 0..<4 {
      let descriptor = descriptor()
      _ = try fixture.store.beginImport(descriptor)
      for number in 0..<40 {
        let values = (0..<50).map { row -> [Value] in
          let ident = stream * 2_000 + number * 50 + row
          let airport = fixture.key("Airport", "icao", .text("\(ident % 7)"), creates: true)
          // A chunk that fails as a whole in mid-group must not harm its neighbours.
          return [.text("\(ident)"), .int(Int64(row)), airport]
        }
        var batch = rows(["ident", "distance", "origin"], values)
        if stream == 3, number == 20 { batch.body.removeLast() }
        fixture.store.submit(
          ImportChunk(number: UInt64(number), rows: batch), of: descriptor
        ) { outcomes.add((try? $0.get()) != nil) }
      }
    }
    outcomes.wait()
    // The broken chunk, and those behind it, which then are a gap.
    #expect(outcomes.failed == 20)
    #expect(try fixture.count("Flight") == 3 * 2_000 + 20 * 50)
    #expect(try fixture.count("Airport") == 7)
    let statistics = try fixture.store.statistics()
    let total = statistics.first { $0.key == "rows" }?.value
    guard case .map(let counts)? = total else {
      Issue.record("no rows in statistics")
      return
    }
    #expect(counts.first { $0.key == "Flight" }?.value == .int(7_000))
  }
}

/// The same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &+ 0x9E37_79B9_7F4A_7C15 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
