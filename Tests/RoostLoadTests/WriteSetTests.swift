import RoostModel
import Testing

@testable import RoostLoad

@Suite struct VariationTests {
  private func attribute(_ id: PropertyID, _ name: String, _ type: AttributeType) -> PropertySchema
  {
    PropertySchema(id: id, name: name, kind: .attribute(type), isOptional: true)
  }

  @Test func neverOffersKeysIndexesRelationshipsOrLargeValues() {
    let entity = EntitySchema(
      id: 1, name: "Flight",
      properties: [
        attribute(1, "ident", .int), attribute(2, "indexed", .int),
        attribute(3, "name", .text), attribute(4, "delay", .double),
        attribute(5, "photo", .data), attribute(6, "tags", .json),
        attribute(7, "number", .int),
        PropertySchema(
          id: 8, name: "origin",
          kind: .relationship(RelationshipSchema(destination: "Airport", isToMany: false)),
          isOptional: true),
      ], uniqueConstraints: [["ident"]], indexes: [["indexed"]])
    #expect(Variation.candidates(of: entity).map(\.name) == ["number", "delay", "name"])
  }

  @Test func everyAlternateIsAnotherRowsValue() throws {
    let values: [Value] = [.int(1), .int(2), .null, .int(2), .int(9)]
    let alternates = try #require(Variation.alternates(for: values))
    for (value, alternate) in zip(values, alternates) {
      #expect(value != alternate)
      #expect(values.contains(alternate))
    }
  }

  @Test(arguments: [
    (Value.int(.max), Value.int(.max - 1)), (.int(4), .int(5)), (.bool(true), .bool(false)),
    (.double(1.5), .double(2.5)), (.date(0), .date(1)),
  ])
  func equalValuesGetANeighbour(_ value: Value, _ neighbour: Value) {
    #expect(Variation.alternates(for: [value, value]) == [neighbour, neighbour])
  }

  @Test(arguments: [
    Value.null, .text("a"), .double(.infinity), .double(.nan), .double(1e300), .decimal("1"),
  ])
  func equalValuesWithoutAPlausibleNeighbourGiveNone(_ value: Value) {
    #expect(Variation.alternates(for: [value, value]) == nil)
  }
}

@Suite struct WriteSetTests {
  private let property = PropertySchema(
    id: 3, name: "delay", kind: .attribute(.int), isOptional: true)

  private func makeSet(_ values: [Value], revision: UInt64 = 10) throws -> WriteSet {
    try #require(
      WriteSet(
        entity: 1, property: property,
        samples: values.enumerated().map { (row: Int64($0.offset + 1), value: $0.element) },
        revision: revision))
  }

  private func take(
    _ set: inout WriteSet, _ random: inout RandomSource
  ) throws -> (index: Int, operation: WriteOperation) {
    let taken = set.begin(&random)
    return try #require(taken)
  }

  @Test func changesARowForthAndBack() throws {
    var set = try makeSet([.int(1), .int(2)])
    var random = RandomSource(seed: 1)
    let (index, first) = try take(&set, &random)
    let row = Int64(index + 1)
    let original = Value.int(row)
    let other = Value.int(3 - row)
    #expect(first == .update(1, .row(row), [Assignment(3, other)], ifRevision: 10))
    set.committed(index, 12)
    var again = set.begin(&random)
    while let found = again, found.index != index { again = set.begin(&random) }
    #expect(again?.operation == .update(1, .row(row), [Assignment(3, original)], ifRevision: 12))
  }

  @Test func aRowIsWrittenOnceAtATime() throws {
    var set = try makeSet([.int(1), .int(2), .int(3)])
    var random = RandomSource(seed: 1)
    let taken = (0..<3).compactMap { _ in set.begin(&random)?.index }
    #expect(Set(taken) == [0, 1, 2])
    #expect(set.begin(&random) == nil)
    set.refused(1)
    #expect(set.begin(&random)?.index == 1)
  }

  @Test func putsBackOnlyWhatStillHasTheWrittenValue() throws {
    var set = try makeSet([.int(1), .int(2), .int(3)])
    var random = RandomSource(seed: 1)
    let taken = try (0..<3).map { _ in try take(&set, &random).index }
    for index in taken { set.committed(index, 11) }
    #expect(set.touchedRows == [1, 2, 3])
    // Row 1 holds what was written, row 2 another client's value, row 3 is gone.
    let operations = set.restorations(of: [1: .int(2), 2: .int(77)], revision: 20)
    #expect(
      operations == [.update(1, .row(1), [Assignment(3, .int(1))], ifRevision: 20)])
  }

  @Test func anAbandonedRowIsNotWrittenAgainButPutBack() throws {
    var set = try makeSet([.int(1), .int(2)])
    var random = RandomSource(seed: 1)
    let (index, _) = try take(&set, &random)
    set.abandoned(index)
    let (second, _) = try take(&set, &random)
    #expect(second != index)
    #expect(set.begin(&random) == nil)
    let row = Int64(index + 1)
    let operations = set.restorations(of: [row: .int(3 - row)], revision: 20)
    #expect(
      operations == [.update(1, .row(row), [Assignment(3, .int(row))], ifRevision: 20)])
  }

  @Test func sharesHaveEveryRowOnce() throws {
    let set = try makeSet((1...10).map { .int($0) })
    var random = RandomSource(seed: 1)
    var rows: [Int64] = []
    for var share in set.split(into: 3) {
      while let (_, operation) = share.begin(&random) {
        if case .update(_, .row(let row), _, _) = operation { rows.append(row) }
      }
    }
    #expect(rows.sorted() == Array(1...10))
  }
}
