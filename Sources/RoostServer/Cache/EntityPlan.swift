import RoostModel

/// What the loop must know of an entity to answer gets from the cache.
///
/// A class, so that a get does not count up and down each of its parts.
final class EntityPlan: Sendable {
  let entity: EntitySchema
  /// Row identifier and all column properties: what a cached row holds.
  let columns: [PropertyID]
  /// The reply's bytes before the row count when all columns are asked for.
  let header: [UInt8]
  /// Whether reading whole rows for a get of some columns is cheap enough to cache them.
  let isCompact: Bool

  init(_ entity: EntitySchema, schemaVersion: UInt32) {
    self.entity = entity
    columns = [0] + entity.properties.filter(\.isColumn).map(\.id)
    header = EntityPlan.header(entity.id, schemaVersion, columns)
    isCompact = !entity.properties.contains { $0.attributeType == .data }
  }

  static func header(
    _ entity: EntityID, _ schemaVersion: UInt32, _ columns: [PropertyID]
  ) -> [UInt8] {
    var writer = PackedWriter(reserving: 16 + columns.count * 2)
    writer.byte(PackedTag.batch)
    writer.varint(UInt64(entity))
    writer.varint(UInt64(schemaVersion))
    writer.count(columns.count)
    for column in columns { writer.varint(UInt64(column)) }
    return writer.bytes
  }

  /// Where each of `wanted` stands in a cached row; nil if one is not a column of the entity.
  func places(of wanted: [PropertyID]) -> [Int]? {
    var places: [Int] = []
    for column in wanted {
      guard let place = columns.firstIndex(of: column) else { return nil }
      places.append(place)
    }
    return places
  }
}

/// The plans of all entities of one schema.
struct EntityPlans {
  let schema: StoreSchema
  private let plans: [EntityID: EntityPlan]

  init(_ schema: StoreSchema) {
    self.schema = schema
    plans = Dictionary(
      schema.entities.map { ($0.id, EntityPlan($0, schemaVersion: schema.version)) },
      uniquingKeysWith: { first, _ in first })
  }

  subscript(entity: EntityID) -> EntityPlan? { plans[entity] }
}
