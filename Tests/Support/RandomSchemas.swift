package import RoostModel

/// Schemas with names that collide, quote and mean something to SQL, and random relationships.
package struct RandomSchemas {
  package var random: SplitMix64

  package init(random: SplitMix64) { self.random = random }

  private static let entityNames = [
    "Item", "item", "ITEM", "select", "Order", "group by", "a\"b", "x`y", "Größe", "日本", "t0",
    "sqlite_stat1", "_roost", "A.B", "where",
  ]
  private static let propertyNames = [
    "name", "Name", "NAME", "_pk", "_rev", "rowid", "oid", "id", "ID", "select", "from", "order",
    "a\"b", "x`y", "a b", "größe", "日本", "count", "isEmpty", "nil", "true", "in", "t0", "limit",
    "_",
    "x_pk", "x", "value", "Double", "abs",
  ]

  /// One to four entities, each with a few attributes of any type and some relationships.
  package mutating func schema() -> StoreSchema {
    let names = Self.entityNames.shuffled(using: &random).prefix(1 + random.below(4))
    var entities = names.map { EntitySchema(name: $0, properties: attributes()) }
    for _ in 0..<random.below(2 * entities.count + 1) { relate(&entities) }
    for index in entities.indices { addIndexes(to: &entities[index]) }
    return StoreSchema(entities: entities)
  }

  private mutating func attributes() -> [PropertySchema] {
    let names = Self.propertyNames.shuffled(using: &random).prefix(3 + random.below(9))
    return names.map { name in
      SampleSchema.attribute(name, random.pick(AttributeType.allCases))
    }
  }

  /// Adds a relationship between two entities, with or without the other side.
  private mutating func relate(_ entities: inout [EntitySchema]) {
    let (from, to) = (random.below(entities.count), random.below(entities.count))
    guard let name = freeName(in: entities[from]) else { return }
    let destination = entities[to].name
    let isToOne = random.chance(60)
    guard random.chance(50), from != to, let other = freeName(in: entities[to]) else {
      entities[from].properties.append(
        isToOne
          ? SampleSchema.toOne(name, destination, inverse: nil)
          : SampleSchema.toMany(name, destination, inverse: nil))
      return
    }
    // Both sides: the one holds the column and the other asks for it, or pairs hold both.
    entities[from].properties.append(
      isToOne
        ? SampleSchema.toOne(name, destination, inverse: other)
        : SampleSchema.toMany(name, destination, inverse: other))
    entities[to].properties.append(
      SampleSchema.toMany(other, entities[from].name, inverse: name))
  }

  private mutating func freeName(in entity: EntitySchema) -> String? {
    let taken = Set(entity.properties.map(\.name))
    return Self.propertyNames.filter { !taken.contains($0) }.randomElement(using: &random)
  }

  private mutating func addIndexes(to entity: inout EntitySchema) {
    let columns = entity.properties.filter(\.isColumn).map(\.name)
    for _ in 0..<random.below(3) {
      entity.indexes.append(Array(columns.shuffled(using: &random).prefix(1 + random.below(2))))
    }
  }
}
