import RoostModel
import RoostStorage
import RoostTestSupport
import RoostWire
import Testing

/// Random queries over random rows: SQL and memory give the same, wire and text say the same.
@Suite("Queries agree in SQL, in memory, on the wire and as text")
struct DifferentialTests {
  private static let worlds = 8
  private static let queriesEach = 1_250

  @Test(arguments: 0..<worlds)
  func everyRandomQueryGivesTheSame(world: Int) throws {
    let seed = TestSeed.current &+ UInt64(world)
    var schemas = RandomSchemas(random: SplitMix64(seed: seed))
    let schema = world.isMultiple(of: 2) ? SampleSchema.all : schemas.schema()
    var world = try QueryWorld(schema, seed: seed)
    defer { world.store.close() }
    var generator = RandomExpressions(schema: world.schema, random: SplitMix64(seed: ~seed))
    var disagreements: [String] = []
    for index in 0..<Self.queriesEach where disagreements.count < 5 {
      let entity = world.schema.entities[index % world.schema.entities.count].id
      let query = generator.query(of: entity)
      if let disagreement = world.disagreement(on: query) { disagreements.append(disagreement) }
    }
    // Queries that give all rows or none would agree too easily.
    #expect(world.tellingQueries > Self.queriesEach / 10, "\(TestSeed.note)")
    #expect(
      disagreements.isEmpty, "\(disagreements.joined(separator: "\n"))\n\(TestSeed.note)")
  }
}

/// The same random rows in a store and in a table.
private struct QueryWorld {
  let store: SQLiteStore
  let table: MemoryTable
  var schema: StoreSchema { store.schema }
  /// Queries whose predicate held of some rows and not of others.
  private(set) var tellingQueries = 0

  init(_ schema: StoreSchema, seed: UInt64, rows: Int = 12) throws {
    store = try SQLiteStore.open(.memory, schema: schema)
    var values = RandomValues(random: SplitMix64(seed: seed))
    table = MemoryTable(randomly: rows, schema: store.schema, values: &values)
    var operations: [WriteOperation] = []
    for entity in store.schema.entities {
      let allocated = try store.allocateRows(entity: entity.id, count: rows)
      try #require(allocated == 1..<Int64(rows + 1))
      for row in table.all(entity.id) {
        let cells = table.rows[row] ?? [:]
        let assignments = cells.map { Assignment($0.key, $0.value) }
        operations.append(.insert(entity.id, row: row.row, assignments))
      }
    }
    for (row, links) in table.links {
      for (property, targets) in links {
        for target in targets { operations.append(link(row, property, target)) }
      }
    }
    _ = try store.write(
      WriteBatch(operations: operations, schemaVersion: store.schema.version))
  }

  private func link(
    _ row: RowReference, _ property: PropertyID, _ target: Int64
  ) -> WriteOperation {
    let schema = store.schema
    let destination = schema.entity(row.entity)?.property(property).flatMap {
      schema.destination(of: $0)
    }
    let value = Value.reference(RowReference(entity: destination?.id ?? 0, row: target))
    return .link(row.entity, .row(row.row), property, value)
  }

  /// What is wrong with this query; nil if everything agrees.
  mutating func disagreement(on query: Query) -> String? {
    let text = QueryText.text(query, schema: schema)
    do {
      guard try QueryText.query(text, schema: schema) == query else { return "text: \(text)" }
      guard try overTheWire(query) == query else { return "wire: \(text)" }
      let inMemory = try answerInMemory(query)
      let inSQL = try answerInSQL(query)
      guard inMemory == inSQL else {
        return "\(text)\n  memory \(brief(inMemory))\n  SQL    \(brief(inSQL))"
      }
      return nil
    } catch {
      return "\(text)\n  \(error)"
    }
  }

  private func brief(_ rows: [[Value]]) -> String {
    let cells = rows.map { row in row.map { String(describing: $0) }.joined(separator: " ") }
    return "\(rows.count) rows: " + cells.joined(separator: " | ").prefix(600)
  }

  private func overTheWire(_ query: Query) throws -> Query {
    var writer = PackedWriter()
    try FetchRequest(query).encode(into: &writer)
    return try writer.bytes.withUnsafeBytes { try FetchRequest($0).query }
  }

  private func answerInSQL(_ query: Query) throws -> [[Value]] {
    let reader = try store.makeReader()
    _ = try reader.begin()
    defer { reader.end() }
    let cursor = try reader.cursor(query)
    var rows: [[Value]] = []
    while let batch = try cursor.next(rowsMax: 7, bytesMax: 1 << 20) {
      rows.append(contentsOf: try batch.rows())
    }
    if query.limit == nil, query.offset == 0, query.predicate != nil {
      guard try reader.count(query) == rows.count else {
        throw StoreError(.internal, .invariant, "count and fetch differ")
      }
    }
    return rows
  }

  private mutating func answerInMemory(_ query: Query) throws -> [[Value]] {
    let typed = try ExpressionChecker.check(query, schema: schema)
    var evaluator = ExpressionEvaluator(source: table)
    var rows: [RowReference] = []
    for row in table.all(query.entity) {
      if let predicate = typed.predicate, try !evaluator.matches(predicate, row) { continue }
      rows.append(row)
    }
    if !rows.isEmpty, rows.count < table.all(query.entity).count { tellingQueries += 1 }
    let sorted = try RowComparator(keys: typed.sort).sorted(rows, in: &evaluator)
    return try sorted.dropFirst(query.offset).prefix(query.limit ?? .max).map { row in
      switch query.selection {
      case .expressions: try typed.selected.map { try evaluator.value(of: $0, for: row) }
      case .properties(let ids): try ([0] + ids).map { try table.value(of: $0, in: row) }
      case .all:
        try ([0] + typed.entity.properties.filter(\.isColumn).map(\.id)).map {
          try table.value(of: $0, in: row)
        }
      }
    }
  }
}
