import Foundation
import RoostClient
import RoostModel
import RoostSQLite
import RoostStorage

/// The rows that crash tests write: each says which source it is from, its place there, and a
/// text that follows from the two, so that a torn row shows.
enum Ledger {
  static let schema = StoreSchema(entities: [
    EntitySchema(
      name: "Entry",
      properties: [
        PropertySchema(name: "key", kind: .attribute(.text), isOptional: false),
        PropertySchema(name: "source", kind: .attribute(.int), isOptional: false),
        PropertySchema(name: "place", kind: .attribute(.int), isOptional: false),
        PropertySchema(name: "proof", kind: .attribute(.text), isOptional: false),
      ], uniqueConstraints: [["key"]], indexes: [["source", "place"]])
  ])

  static func proof(_ source: Int, _ place: Int) -> String {
    String(repeating: "\(source)·\(place) ", count: 1 + place % 7)
  }

  /// Rows `places` of a source, packed.
  static func batch(_ source: Int, _ places: Range<Int>, _ schema: StoreSchema) -> RowBatch {
    var writer = PackedWriter()
    for place in places {
      writer.text("\(source)/\(place)")
      writer.int(Int64(source))
      writer.int(Int64(place))
      writer.text(proof(source, place))
    }
    let entity = schema.entity(named: "Entry")
    return RowBatch(
      entity: entity?.id ?? 0, schemaVersion: schema.version,
      columns: entity?.properties.map(\.id) ?? [], rowCount: places.count, body: writer.bytes)
  }

  /// How an import names itself; the same source has the same name in every attempt.
  static func descriptor(_ source: Int, _ schema: StoreSchema) -> ImportDescriptor {
    let number = UInt8(truncatingIfNeeded: source)
    return ImportDescriptor(
      id: UUID(uuid: (number, 0, 0, 0, 0, 0, 0x40, 0, 0x80, 0, 0, 0, 0, 0, 0, 1)),
      entity: schema.entity(named: "Entry")?.id ?? 0, conflict: .fail, constraint: nil,
      onRowError: .skip)
  }

  /// What a store that was killed holds: the places of each source, in order.
  ///
  /// Throws if the file is damaged or a row is not whole.
  static func places(in store: URL) throws -> [Int: [Int]] {
    let connection = try Connection(path: store.path, mode: .readOnly)
    let verdict = try connection.text("PRAGMA integrity_check") ?? "nothing"
    guard verdict == "ok" else { throw ServerProcess.Failure(what: "integrity: \(verdict)") }
    let statement = try connection.take(
      "SELECT source, place, proof FROM Entry ORDER BY source, place")
    defer { connection.giveBack(statement) }
    var places: [Int: [Int]] = [:]
    while try statement.step() {
      let (source, place) = (Int(statement.int64(0)), Int(statement.int64(1)))
      guard statement.string(2) == proof(source, place) else {
        throw ServerProcess.Failure(what: "row \(source)/\(place) is torn")
      }
      places[source, default: []].append(place)
    }
    return places
  }
}
