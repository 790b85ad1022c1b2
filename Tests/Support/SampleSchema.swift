package import RoostModel

/// Schemas that hold every kind of property, for tests of queries and rows.
package enum SampleSchema {
  /// Two entities with all types, all kinds of relationships and names that need care.
  ///
  /// Identifiers ascend from 1, as a new store gives them.
  package static let all: StoreSchema = numbered(
    StoreSchema(version: 1, entities: [item, owner, odd]))

  private static let item = EntitySchema(
    name: "Item",
    properties: [
      attribute("name", .text, isOptional: false), attribute("note", .text),
      attribute("size", .int, isOptional: false), attribute("level", .int),
      attribute("flag", .bool), attribute("mask", .uint64), attribute("ratio", .double),
      attribute("weight", .double), attribute("price", .decimal), attribute("due", .date),
      attribute("token", .uuid), attribute("payload", .data), attribute("extra", .json),
      toOne("owner", "Owner", inverse: "items"), toOne("parent", "Item", inverse: "parts"),
      toMany("parts", "Item", inverse: "parent"), toMany("friends", "Owner", inverse: nil),
    ], indexes: [["size"], ["name", "size"], ["price"], ["mask"], ["ratio"], ["due"], ["owner"]])

  private static let owner = EntitySchema(
    name: "Owner",
    properties: [
      attribute("code", .text, isOptional: false), attribute("rank", .int),
      attribute("since", .date), toMany("items", "Item", inverse: "owner"),
      toOne("favourite", "Item", inverse: nil), toOne("odd", "where", inverse: "owners"),
    ],
    uniqueConstraints: [["code"]])

  /// Its names are words of the query language, or no plain words at all.
  private static let odd = EntitySchema(
    name: "where",
    properties: [
      attribute("id", .int), attribute("in", .text), attribute("limit", .int),
      attribute("sort", .double), attribute("nil", .bool), attribute("air`port name", .text),
      attribute("count", .int), attribute("isNil", .bool), attribute("été", .decimal),
      toMany("owners", "Owner", inverse: "odd"),
    ])

  package static func attribute(
    _ name: String, _ type: AttributeType, isOptional: Bool = true
  ) -> PropertySchema {
    PropertySchema(name: name, kind: .attribute(type), isOptional: isOptional)
  }

  package static func toOne(
    _ name: String, _ destination: String, inverse: String?
  ) -> PropertySchema {
    let relationship = RelationshipSchema(
      destination: destination, isToMany: false, inverse: inverse)
    return PropertySchema(name: name, kind: .relationship(relationship), isOptional: true)
  }

  package static func toMany(
    _ name: String, _ destination: String, inverse: String?
  ) -> PropertySchema {
    let relationship = RelationshipSchema(
      destination: destination, isToMany: true, inverse: inverse)
    return PropertySchema(name: name, kind: .relationship(relationship), isOptional: true)
  }

  /// Gives identifiers as a store does that sees the schema for the first time.
  package static func numbered(_ schema: StoreSchema) -> StoreSchema {
    var schema = schema
    for entity in schema.entities.indices {
      schema.entities[entity].id = UInt32(entity + 1)
      for property in schema.entities[entity].properties.indices {
        schema.entities[entity].properties[property].id = UInt32(property + 1)
      }
    }
    return schema
  }
}
