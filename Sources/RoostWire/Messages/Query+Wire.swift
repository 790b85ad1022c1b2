package import RoostModel

/// `[entity, predicate?, [[expression, descending]…], limit?, offset, selection, [[property…]…]]`
///
/// A selection is null for all, `[0, [property…]]` or `[1, [expression…]]`.
extension Query {
  package func encode(into writer: inout PackedWriter) throws(MessageError) {
    writer.list(count: 7)
    writer.id(entity)
    if let predicate { try predicate.encode(into: &writer) } else { writer.null() }
    writer.list(count: sort.count)
    for key in sort {
      writer.list(count: 2)
      try key.expression.encode(into: &writer)
      writer.bool(key.isDescending)
    }
    writer.optional(limit) { $0.int(Int64($1)) }
    writer.int(Int64(offset))
    try encodeSelection(into: &writer)
    writer.list(count: prefetch.count)
    for path in prefetch { writer.ids(path) }
  }

  private func encodeSelection(into writer: inout PackedWriter) throws(MessageError) {
    switch selection {
    case .all: writer.null()
    case .properties(let properties):
      writer.list(count: 2)
      writer.int(0)
      writer.ids(properties)
    case .expressions(let expressions):
      writer.list(count: 2)
      writer.int(1)
      writer.list(count: expressions.count)
      for expression in expressions { try expression.encode(into: &writer) }
    }
  }

  package init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a query", min: 7, max: 7)
    self.init(
      entity: try list.next("entity") { r throws(PackedError) in try r.number(EntityID.self) })
    predicate = try list.optional("predicate") { r throws(MessageError) in
      try QueryExpression(from: &r)
    }
    sort = try list.list("sort", max: WireLimits.sortKeysMax) { r throws(MessageError) in
      try SortKey(from: &r)
    }
    limit = try list.optional("limit") { r throws(MessageError) in try Query.size(&r) }
    offset = try list.nested("offset") { r throws(MessageError) in try Query.size(&r) }
    selection =
      try list.optional("selection") { r throws(MessageError) in try Selection(from: &r) }
      ?? .all
    prefetch = try list.list("prefetch", max: WireLimits.prefetchPathsMax) {
      r throws(MessageError) in
      let path = try r.propertyIDs()
      guard !path.isEmpty, path.count <= WireLimits.pathPropertiesMax else {
        throw MessageError(.badValue, "a prefetch path of \(path.count) properties")
      }
      return path
    }
    reader = try list.end()
  }

  private static func size(_ reader: inout PackedReader) throws(MessageError) -> Int {
    try reader.message { r throws(PackedError) in
      let start = r.offset
      let number = try r.number(Int.self)
      guard number >= 0 else { throw .unexpectedValue(expected: "0 or more", at: start) }
      return number
    }
  }
}

extension SortKey {
  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a sort key", min: 2, max: 2)
    let expression = try list.nested("expression") { r throws(MessageError) in
      try QueryExpression(from: &r)
    }
    let isDescending = try list.next("descending") { r throws(PackedError) in
      try r.boolValue()
    }
    self.init(expression, isDescending: isDescending)
    reader = try list.end()
  }
}

extension Selection {
  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a selection", min: 2, max: 2)
    switch try list.next("kind", { r throws(PackedError) in try r.number(UInt8.self) }) {
    case 0:
      self = .properties(
        try list.nested("properties") { r throws(MessageError) in try r.propertyIDs() })
    case 1:
      self = .expressions(
        try list.list("expressions", max: Limits.columnsMax) { r throws(MessageError) in
          try QueryExpression(from: &r)
        })
    case let kind: throw MessageError(.badValue, "selection \(kind) is unknown")
    }
    reader = try list.end()
  }
}
