package import RoostModel

/// One key of a get.
package enum GetKey: Hashable, Sendable {
  case row(Int64)
  /// The row that a unique constraint names, one value a property.
  case constraint([PropertyID], [Value])
}

/// `[entity, [key…], columns?]`, a key being a row id or `[[property…], value…]`.
///
/// The answer is one row batch in the order of the keys, a missing row null throughout.
package struct GetRequest: Hashable, Sendable {
  package var entity: EntityID
  package var keys: [GetKey]
  /// nil for every column property; column 0 comes always.
  package var columns: [PropertyID]?

  package init(entity: EntityID, keys: [GetKey], columns: [PropertyID]? = nil) {
    self.entity = entity
    self.keys = keys
    self.columns = columns
  }

  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 3)
    writer.id(entity)
    writer.list(count: keys.count)
    for key in keys {
      switch key {
      case .row(let row): writer.int(row)
      case .constraint(let properties, let values):
        writer.list(count: 1 + values.count)
        writer.ids(properties)
        for value in values { writer.value(value) }
      }
    }
    writer.optional(columns) { $0.ids($1) }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a get", min: 3, max: 3)
    entity = try list.next("entity") { r throws(PackedError) in try r.number(EntityID.self) }
    keys = try list.list("keys", max: Limits.getKeysMax) { r throws(MessageError) in
      try GetKey(from: &r)
    }
    columns = try list.optional("columns") { r throws(MessageError) in try r.propertyIDs() }
    try list.end().messageEnd()
  }

  // MARK: One row by id, the hot way

  /// A get of one row by its id and all its columns, made without an array.
  package static func encode(
    entity: EntityID, row: Int64, into writer: inout PackedWriter
  ) {
    writer.list(count: 3)
    writer.id(entity)
    writer.list(count: 1)
    writer.int(row)
    writer.null()
  }

  /// Entity and row when the body asks for all columns of exactly one row by id.
  ///
  /// nil for every other get, broken ones too: read those with ``init(_:)``.
  package static func oneRow(
    _ body: UnsafeRawBufferPointer
  ) -> (entity: EntityID, row: Int64)? {
    var reader = PackedReader(body)
    do throws(PackedError) {
      guard try reader.byte() == PackedTag.list, try reader.byte() == 3 else { return nil }
      let entity = try reader.number(EntityID.self)
      guard try reader.byte() == PackedTag.list, try reader.byte() == 1 else { return nil }
      let row = try reader.intValue()
      guard try reader.byte() == PackedTag.null, reader.isAtEnd else { return nil }
      return (entity, row)
    } catch {
      return nil
    }
  }

  /// Calls `body` for each row id; false, having called it for none, when a key is not an id.
  package static func eachRow(
    _ buffer: UnsafeRawBufferPointer, _ body: (EntityID, Int64) -> Void
  ) -> Bool {
    var reader = PackedReader(buffer)
    do throws(PackedError) {
      guard try reader.byte() == PackedTag.list, try reader.byte() == 3 else { return false }
      let entity = try reader.number(EntityID.self)
      guard try reader.byte() == PackedTag.list else { return false }
      let count = try reader.count()
      guard count <= Limits.getKeysMax else { return false }
      var probe = reader
      for _ in 0..<count { _ = try probe.intValue() }
      guard try probe.byte() == PackedTag.null, probe.isAtEnd else { return false }
      for _ in 0..<count { body(entity, try reader.intValue()) }
      return true
    } catch {
      return false
    }
  }
}

extension GetKey {
  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    let tag = try reader.message { r throws(PackedError) in try r.peek() }
    guard tag == PackedTag.list else {
      self = .row(try reader.message { r throws(PackedError) in try r.intValue() })
      return
    }
    var list = try ListReader(reader, "a key", min: 2, max: 1 + Limits.keyPartsMax)
    let properties = try list.nested("properties") { r throws(MessageError) in
      try r.propertyIDs()
    }
    guard properties.count == list.left else {
      throw MessageError(.badValue, "a key has \(list.left) values for \(properties.count) parts")
    }
    var values: [Value] = []
    for _ in properties {
      values.append(try list.next("value") { r throws(PackedError) in try r.value() })
    }
    self = .constraint(properties, values)
    reader = try list.end()
  }
}
