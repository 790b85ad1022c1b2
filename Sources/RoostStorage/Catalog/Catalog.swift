import RoostModel
import RoostSQLite

/// Reads and writes the schema as it is kept in the file.
struct Catalog {
  let connection: Connection

  func load() throws(StoreError) -> StoreLayout {
    try sqlite { () throws(SQLiteError) in try read() }
  }

  private func read() throws(SQLiteError) -> StoreLayout {
    let version = try connection.integer(
      #"SELECT value FROM "_roost" WHERE key = 'schema version'"#)
    var schema = StoreSchema(version: UInt32(truncatingIfNeeded: version ?? 0))
    var names = PhysicalNames()
    let statement = try connection.take(
      #"SELECT id, name, table_name FROM "_roost_entities" ORDER BY id"#)
    defer { connection.giveBack(statement) }
    while try statement.step() {
      let id = EntityID(truncatingIfNeeded: statement.int64(0))
      var entity = EntitySchema(id: id, name: statement.string(1), properties: [])
      names.tables[id] = statement.string(2)
      names.properties[id] = try readProperties(&entity)
      try readKeys(&entity)
      schema.entities.append(entity)
    }
    return StoreLayout(schema: schema, names: names)
  }

  private func readProperties(
    _ entity: inout EntitySchema
  ) throws(SQLiteError) -> [PropertyID: String] {
    let statement = try connection.take(
      """
      SELECT id, name, kind, type, optional, default_value, original_name, destination, inverse,
        delete_rule, stored_name
      FROM "_roost_properties" WHERE entity = ? ORDER BY position
      """)
    defer { connection.giveBack(statement) }
    statement.bind(1, Int64(entity.id))
    var stored: [PropertyID: String] = [:]
    while try statement.step() {
      let id = PropertyID(truncatingIfNeeded: statement.int64(0))
      entity.properties.append(
        PropertySchema(
          id: id, name: statement.string(1), kind: kind(statement),
          isOptional: statement.int64(4) != 0, defaultValue: defaultValue(statement),
          originalName: statement.isNull(6) ? nil : statement.string(6)))
      if !statement.isNull(10) { stored[id] = statement.string(10) }
    }
    return stored
  }

  private func kind(_ statement: Statement) -> PropertySchema.Kind {
    let word = statement.string(2)
    if word == "attribute" {
      let raw = UInt8(truncatingIfNeeded: statement.int64(3))
      return .attribute(AttributeType(rawValue: raw) ?? .text)
    }
    let rule = UInt8(truncatingIfNeeded: statement.int64(9))
    return .relationship(
      RelationshipSchema(
        destination: statement.string(7), isToMany: word == "to-many",
        inverse: statement.isNull(8) ? nil : statement.string(8),
        deleteRule: RelationshipDeleteRule(rawValue: rule) ?? .nullify))
  }

  private func defaultValue(_ statement: Statement) -> Value? {
    if statement.isNull(5) { return nil }
    var reader = PackedReader(statement.blob(5))
    return try? reader.value()
  }

  private func readKeys(_ entity: inout EntitySchema) throws(SQLiteError) {
    let statement = try connection.take(
      """
      SELECT is_unique, properties FROM "_roost_keys" WHERE entity = ?
      ORDER BY is_unique, position
      """)
    defer { connection.giveBack(statement) }
    statement.bind(1, Int64(entity.id))
    while try statement.step() {
      let names = statement.string(1).split(separator: ",").compactMap { part in
        PropertyID(part).flatMap { entity.property($0)?.name }
      }
      if statement.int64(0) != 0 {
        entity.uniqueConstraints.append(names)
      } else {
        entity.indexes.append(names)
      }
    }
  }

  // MARK: Writing

  func write(_ entity: EntitySchema, names: PhysicalNames) throws(SQLiteError) {
    let statement = try connection.take(
      """
      INSERT INTO "_roost_entities"(id, name, table_name) VALUES(?, ?, ?)
      ON CONFLICT(id) DO UPDATE SET name = excluded.name
      """)
    defer { connection.giveBack(statement) }
    statement.bind(1, Int64(entity.id))
    try statement.bind(2, entity.name)
    try statement.bind(3, names.tables[entity.id] ?? entity.name)
    try statement.run()
    for (position, property) in entity.properties.enumerated() {
      try write(
        property, at: position, of: entity.id, stored: names.properties[entity.id]?[property.id])
    }
  }

  private func write(
    _ property: PropertySchema, at position: Int, of entity: EntityID, stored: String?
  ) throws(SQLiteError) {
    let statement = try connection.take(
      """
      INSERT OR REPLACE INTO "_roost_properties"(entity, id, position, name, kind, type, optional,
        default_value, original_name, destination, inverse, delete_rule, stored_name)
      VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """)
    defer { connection.giveBack(statement) }
    statement.bind(1, Int64(entity))
    statement.bind(2, Int64(property.id))
    statement.bind(3, Int64(position))
    try statement.bind(4, property.name)
    statement.bind(7, property.isOptional ? 1 : 0 as Int64)
    if let value = property.defaultValue {
      var writer = PackedWriter()
      writer.value(value)
      try statement.bind(8, writer.bytes)
    }
    if let original = property.originalName { try statement.bind(9, original) }
    try bindKind(property, statement)
    if let stored { try statement.bind(13, stored) }
    try statement.run()
  }

  private func bindKind(
    _ property: PropertySchema, _ statement: Statement
  ) throws(SQLiteError) {
    switch property.kind {
    case .attribute(let type):
      try statement.bind(5, "attribute")
      statement.bind(6, Int64(type.rawValue))
    case .relationship(let relationship):
      try statement.bind(5, relationship.isToMany ? "to-many" : "to-one")
      try statement.bind(10, relationship.destination)
      if let inverse = relationship.inverse { try statement.bind(11, inverse) }
      statement.bind(12, Int64(relationship.deleteRule.rawValue))
    }
  }

  func writeKey(
    _ properties: [PropertyID], of entity: EntityID, isUnique: Bool, at position: Int,
    index: String
  ) throws(SQLiteError) {
    let statement = try connection.take(
      """
      INSERT INTO "_roost_keys"(entity, position, is_unique, properties, index_name)
      VALUES(?, ?, ?, ?, ?)
      """)
    defer { connection.giveBack(statement) }
    statement.bind(1, Int64(entity))
    statement.bind(2, Int64(position))
    statement.bind(3, isUnique ? 1 : 0 as Int64)
    try statement.bind(4, properties.map(String.init).joined(separator: ","))
    try statement.bind(5, index)
    try statement.run()
  }

  func set(_ key: String, _ value: Int64) throws(SQLiteError) {
    let statement = try connection.take(
      #"INSERT INTO "_roost"(key, value) VALUES(?1, ?2) ON CONFLICT DO UPDATE SET value=?2"#
    )
    defer { connection.giveBack(statement) }
    try statement.bind(1, key)
    statement.bind(2, value)
    try statement.run()
  }
}
