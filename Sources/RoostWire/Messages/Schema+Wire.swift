package import RoostModel

/// `[version, [entity…]]`, an entity being
/// `[id, name, [property…], [[name…]…] unique, [[name…]…] indexes]`, a property
/// `[id, name, kind, optional, [] or [default], original name?]`, and a kind an attribute type or
/// `[destination, to-many, inverse?, delete rule]`.
extension StoreSchema {
  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 2)
    writer.id(version)
    writer.list(count: entities.count)
    for entity in entities { entity.encode(into: &writer) }
  }

  package init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a schema", min: 2, max: 2)
    let version = try list.next("version") { r throws(PackedError) in
      try r.number(UInt32.self)
    }
    let entities = try list.list("entities", max: Limits.entitiesMax) {
      r throws(MessageError) in try EntitySchema(from: &r)
    }
    reader = try list.end()
    self.init(version: version, entities: entities)
  }
}

extension EntitySchema {
  fileprivate func encode(into writer: inout PackedWriter) {
    writer.list(count: 5)
    writer.id(id)
    writer.text(name)
    writer.list(count: properties.count)
    for property in properties { property.encode(into: &writer) }
    for lists in [uniqueConstraints, indexes] {
      writer.list(count: lists.count)
      for names in lists {
        writer.list(count: names.count)
        for name in names { writer.text(name) }
      }
    }
  }

  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "an entity", min: 5, max: 5)
    let id = try list.next("id") { r throws(PackedError) in try r.number(EntityID.self) }
    let name = try list.nested("name") { r throws(MessageError) in try r.name() }
    let properties = try list.list("properties", max: Limits.columnsMax) {
      r throws(MessageError) in try PropertySchema(from: &r)
    }
    let unique = try list.nameLists("unique constraints")
    let indexes = try list.nameLists("indexes")
    reader = try list.end()
    self.init(
      id: id, name: name, properties: properties, uniqueConstraints: unique, indexes: indexes)
  }
}

extension PropertySchema {
  fileprivate func encode(into writer: inout PackedWriter) {
    writer.list(count: 6)
    writer.id(id)
    writer.text(name)
    switch kind {
    case .attribute(let type): writer.int(Int64(type.rawValue))
    case .relationship(let relationship):
      writer.list(count: 4)
      writer.text(relationship.destination)
      writer.bool(relationship.isToMany)
      writer.optional(relationship.inverse) { $0.text($1) }
      writer.int(Int64(relationship.deleteRule.rawValue))
    }
    writer.bool(isOptional)
    writer.list(count: defaultValue == nil ? 0 : 1)
    if let defaultValue { writer.value(defaultValue) }
    writer.optional(originalName) { $0.text($1) }
  }

  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a property", min: 6, max: 6)
    let id = try list.next("id") { r throws(PackedError) in try r.number(PropertyID.self) }
    let name = try list.nested("name") { r throws(MessageError) in try r.name() }
    let kind = try list.nested("kind") { r throws(MessageError) in try Kind(from: &r) }
    let isOptional = try list.next("optional") { r throws(PackedError) in try r.boolValue() }
    let defaults = try list.list("default", max: 1) { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.value() }
    }
    let originalName = try list.optional("original name") { r throws(MessageError) in
      try r.name()
    }
    reader = try list.end()
    self.init(
      id: id, name: name, kind: kind, isOptional: isOptional, defaultValue: defaults.first,
      originalName: originalName)
  }
}

extension PropertySchema.Kind {
  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    let tag = try reader.message { r throws(PackedError) in try r.peek() }
    guard tag == PackedTag.list else {
      let type = try reader.message { r throws(PackedError) in try r.raw(AttributeType.self) }
      self = .attribute(type)
      return
    }
    var list = try ListReader(reader, "a relationship", min: 4, max: 4)
    let destination = try list.nested("destination") { r throws(MessageError) in
      try r.name()
    }
    let isToMany = try list.next("to-many") { r throws(PackedError) in try r.boolValue() }
    let inverse = try list.optional("inverse") { r throws(MessageError) in try r.name() }
    let rule = try list.next("delete rule") { r throws(PackedError) in
      try r.raw(RelationshipDeleteRule.self)
    }
    reader = try list.end()
    self = .relationship(
      RelationshipSchema(
        destination: destination, isToMany: isToMany, inverse: inverse, deleteRule: rule))
  }
}

extension PackedReader {
  fileprivate mutating func name() throws(MessageError) -> String {
    let name = try message { r throws(PackedError) in try r.textValue() }
    guard !name.isEmpty, name.utf8.count <= Limits.nameBytesMax else {
      throw MessageError(.badValue, "a name of \(name.utf8.count) bytes")
    }
    return name
  }
}

extension ListReader {
  fileprivate mutating func nameLists(_ part: String) throws(MessageError) -> [[String]] {
    try list(part, max: Limits.columnsMax) { r throws(MessageError) in
      try r.items(part, max: Limits.columnsMax) { r throws(MessageError) in try r.name() }
    }
  }
}
