import FoundationEssentials
import Glibc
import RoostModel
import RoostStorage

/// Schemas and shorthands of the storage tests.
enum Samples {
  /// Flights, airports and airlines, a to-many that cascades, and pairs.
  static let flights = StoreSchema(entities: [
    EntitySchema(
      name: "Airport",
      properties: [
        attribute("icao", .text), attribute("name", .text, optional: true),
        attribute("latitude", .double, optional: true),
        toMany("flightsFrom", "Flight", inverse: "origin"),
        toMany("flightsTo", "Flight", inverse: "destination"),
      ], uniqueConstraints: [["icao"]]),
    EntitySchema(
      name: "Airline",
      properties: [
        attribute("code", .text), attribute("name", .text, optional: true),
        toMany("flights", "Flight", inverse: "airline", rule: .cascade),
      ], uniqueConstraints: [["code"]]),
    EntitySchema(
      name: "Flight",
      properties: [
        attribute("ident", .text), attribute("distance", .int, optional: true),
        attribute("departure", .date, optional: true),
        attribute("status", .text, optional: true, default: .text("planned")),
        toOne("origin", "Airport", inverse: "flightsFrom"),
        toOne("destination", "Airport", inverse: "flightsTo"),
        toOne("airline", "Airline", inverse: "flights"),
        toMany("tags", "Tag", inverse: "flights"),
      ], uniqueConstraints: [["ident"]], indexes: [["distance"]]),
    EntitySchema(
      name: "Tag",
      properties: [
        attribute("label", .text), toMany("flights", "Flight", inverse: "tags"),
      ], uniqueConstraints: [["label"]]),
  ])

  /// One column of every type.
  static let types = StoreSchema(entities: [
    EntitySchema(
      name: "Everything",
      properties: AttributeType.allCases.map { attribute("\($0)", $0, optional: true) })
  ])

  static func attribute(
    _ name: String, _ type: AttributeType, optional: Bool = false, default value: Value? = nil
  ) -> PropertySchema {
    PropertySchema(name: name, kind: .attribute(type), isOptional: optional, defaultValue: value)
  }

  static func toOne(
    _ name: String, _ destination: String, inverse: String? = nil,
    rule: RelationshipDeleteRule = .nullify, optional: Bool = true
  ) -> PropertySchema {
    PropertySchema(
      name: name,
      kind: .relationship(
        RelationshipSchema(
          destination: destination, isToMany: false, inverse: inverse, deleteRule: rule)),
      isOptional: optional)
  }

  static func toMany(
    _ name: String, _ destination: String, inverse: String? = nil,
    rule: RelationshipDeleteRule = .nullify
  ) -> PropertySchema {
    PropertySchema(
      name: name,
      kind: .relationship(
        RelationshipSchema(
          destination: destination, isToMany: true, inverse: inverse, deleteRule: rule)),
      isOptional: true)
  }
}

/// A store for one test, with names instead of numbers.
final class Fixture {
  let store: SQLiteStore

  init(
    _ schema: StoreSchema, at location: StoreLocation = .memory, _ durability: Durability = .full,
    clock: StoreClock = .monotonic
  ) throws {
    store = try SQLiteStore.open(
      location, durability: durability, schema: schema, clock: clock)
  }

  deinit { store.close() }

  func entity(_ name: String) -> EntitySchema {
    store.schema.entity(named: name) ?? EntitySchema(name: name, properties: [])
  }

  func id(_ entity: String) -> EntityID { self.entity(entity).id }

  func property(_ entity: String, _ name: String) -> PropertyID {
    name == "id" ? 0 : self.entity(entity).property(named: name)?.id ?? 9_999
  }

  func path(_ entity: String, _ names: String..., scope: UInt8 = 0) -> QueryExpression {
    var ids: [PropertyID] = []
    var owner = entity
    for name in names {
      ids.append(property(owner, name))
      owner = self.entity(owner).property(named: name)?.relationship?.destination ?? ""
    }
    return .path(PropertyPath(scope: scope, ids))
  }

  func assignments(_ entity: String, _ values: [(String, Value)]) -> [Assignment] {
    values.map { Assignment(property(entity, $0.0), $0.1) }
  }

  func insert(_ entity: String, row: Int64? = nil, _ values: (String, Value)...) -> WriteOperation {
    .insert(id(entity), row: row, assignments(entity, values))
  }

  func upsert(_ entity: String, by key: [String]?, _ values: (String, Value)...) -> WriteOperation {
    .upsert(
      id(entity), row: nil, constraint: key.map { $0.map { property(entity, $0) } },
      assignments(entity, values))
  }

  func update(_ entity: String, _ row: Int64, _ values: (String, Value)...) -> WriteOperation {
    .update(id(entity), .row(row), assignments(entity, values), ifRevision: nil)
  }

  func delete(_ entity: String, _ row: Int64) -> WriteOperation {
    .delete(id(entity), .row(row), ifRevision: nil)
  }

  func reference(_ entity: String, _ row: Int64) -> Value {
    .reference(RowReference(entity: id(entity), row: row))
  }

  func key(_ entity: String, _ name: String, _ value: Value, creates: Bool = false) -> Value {
    .key(
      KeyReference(
        entity: id(entity), constraint: [property(entity, name)], values: [value],
        createsMissing: creates))
  }

  @discardableResult
  func write(_ operations: WriteOperation...) throws(StoreError) -> WriteResult {
    try store.write(
      WriteBatch(operations: operations, schemaVersion: store.schema.version))
  }

  /// Inserts one row and gives its identifier.
  func add(_ entity: String, _ values: (String, Value)...) throws -> Int64 {
    let operation = WriteOperation.insert(id(entity), row: nil, assignments(entity, values))
    return try write(operation).results[0].row
  }

  func reading<Result>(_ body: (any StoreReader) throws -> Result) throws -> Result {
    let reader = try store.makeReader()
    _ = try reader.begin()
    defer { reader.end() }
    return try body(reader)
  }

  /// All rows of a query.
  func rows(_ query: Query) throws -> [[Value]] {
    try reading { reader in
      let cursor = try reader.cursor(query)
      var rows: [[Value]] = []
      while let batch = try cursor.next(rowsMax: 100, bytesMax: 1 << 16) {
        rows += try batch.rows()
      }
      return rows
    }
  }

  func values(_ entity: String, _ name: String, where predicate: QueryExpression? = nil) throws
    -> [Value]
  {
    try rows(
      Query(
        entity: id(entity), predicate: predicate,
        selection: .expressions([path(entity, name)]))
    ).map { $0[0] }
  }

  func value(_ entity: String, _ row: Int64, _ name: String) throws -> Value {
    try reading { reader in
      try reader.rows(id(entity), ids: [row], columns: [property(entity, name)], bytesMax: .max)
        .rows()[0][0]
    }
  }

  func related(_ entity: String, _ row: Int64, _ name: String) throws -> [Int64] {
    try reading {
      try $0.related(id(entity), row: row, property: property(entity, name), rowsMax: .max)
    }
  }

  func count(_ entity: String, where predicate: QueryExpression? = nil) throws -> Int {
    try reading { try $0.count(Query(entity: id(entity), predicate: predicate)) }
  }
}

/// A folder that is gone after the test.
final class TemporaryFolder {
  let path: String

  init() {
    path = FileManager.default.temporaryDirectory.path + "/roost-test-\(UUID().uuidString)"
    try? FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
