package import RoostModel

/// The first message of an import: `[id, entity, conflict, [property…]?, on row error]`,
/// and perhaps a sixth part, the source: `[name, bytes?]`.
extension ImportDescriptor {
  package func encode(into writer: inout PackedWriter) {
    writer.list(count: source == nil ? 5 : 6)
    writer.uuid(id)
    writer.id(entity)
    writer.int(Int64(conflict.rawValue))
    writer.optional(constraint) { $0.ids($1) }
    writer.int(Int64(onRowError.rawValue))
    source?.encode(into: &writer)
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "an import", min: 5, max: 6)
    let id = try list.next("id") { r throws(PackedError) in
      let start = r.offset
      guard case .uuid(let id) = try r.value() else {
        throw .unexpectedValue(expected: "a UUID", at: start)
      }
      return id
    }
    let entity = try list.next("entity") { r throws(PackedError) in
      try r.number(EntityID.self)
    }
    let conflict = try list.next("conflict") { r throws(PackedError) in
      try r.raw(ImportConflict.self)
    }
    let constraint = try list.optional("constraint") { r throws(MessageError) in
      try r.propertyIDs()
    }
    let policy = try list.next("row errors") { r throws(PackedError) in
      try r.raw(RowErrorPolicy.self)
    }
    var source: ImportDescriptor.Source?
    if list.left > 0 {
      source = try list.nested("source") { r throws(MessageError) in
        try ImportDescriptor.Source(from: &r)
      }
    }
    try list.end().messageEnd()
    self.init(
      id: id, entity: entity, conflict: conflict, constraint: constraint, onRowError: policy,
      source: source)
  }
}

extension ImportDescriptor.Source {
  /// A name that is too long loses its beginning: the end of a path says more.
  fileprivate func encode(into writer: inout PackedWriter) {
    writer.list(count: 2)
    var short = Substring(name)
    while short.utf8.count > WireLimits.sourceNameBytesMax { short = short.dropFirst() }
    writer.text(String(short))
    writer.optional(byteCount) { $0.bits($1) }
  }

  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a source", min: 2, max: 2)
    let name = try list.next("name") { r throws(PackedError) in try r.textValue() }
    guard name.utf8.count <= WireLimits.sourceNameBytesMax else {
      throw MessageError(
        .badValue, "a source's name is over \(WireLimits.sourceNameBytesMax) bytes")
    }
    let byteCount = try list.optional("bytes") { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.bits() }
    }
    reader = try list.end()
    self.init(name: name, byteCount: byteCount)
  }
}

/// Every further message of an import: the chunk's number as an integer, then a row batch,
/// and perhaps how many bytes of the source have been read.
///
/// The client finishes with END; an import without its END is not complete, but what was
/// acknowledged stays.
extension ImportChunk {
  package func encode(into writer: inout PackedWriter) {
    writer.bits(number)
    rows.encode(into: &writer)
    if let sourceOffset { writer.bits(sourceOffset) }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var reader = PackedReader(body)
    let number = try reader.message { r throws(PackedError) in try r.bits() }
    let rows = try reader.message { r throws(PackedError) in try RowBatch(from: &r) }
    guard rows.rowCount <= Limits.chunkRowsMax else {
      throw MessageError(.badValue, "a chunk has more than \(Limits.chunkRowsMax) rows")
    }
    var offset: UInt64?
    if !reader.isAtEnd {
      offset = try reader.message { r throws(PackedError) in try r.bits() }
    }
    try reader.messageEnd()
    self.init(number: number, rows: rows, sourceOffset: offset)
  }
}

/// The server's first message: `[next]`, the number of the chunk it expects.
package enum ImportStarted {
  package static func encode(next: UInt64, into writer: inout PackedWriter) {
    writer.list(count: 1)
    writer.bits(next)
  }

  package static func decode(_ body: UnsafeRawBufferPointer) throws(MessageError) -> UInt64 {
    var list = try ListReader(PackedReader(body), "an import's start", min: 1, max: 1)
    let next = try list.next("next") { r throws(PackedError) in try r.bits() }
    try list.end().messageEnd()
    return next
  }
}

/// The server's further messages: one or more acknowledgements one behind the other, each
/// `[number, accepted, rejected, commit, duplicate, [[row, detail, property?, message]…]]`.
extension ImportAcknowledgement {
  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 6)
    writer.bits(number)
    writer.int(Int64(accepted))
    writer.int(Int64(rejected))
    writer.bits(commit)
    writer.bool(isDuplicate)
    let reported = errors.prefix(WireLimits.importErrorsMax)
    writer.list(count: reported.count)
    for error in reported {
      writer.list(count: 4)
      writer.int(Int64(error.row))
      writer.int(Int64(error.detail.rawValue))
      writer.optional(error.property) { $0.id($1) }
      writer.text(error.message)
    }
  }

  package static func list(
    _ body: UnsafeRawBufferPointer
  ) throws(MessageError) -> [ImportAcknowledgement] {
    var reader = PackedReader(body)
    var acknowledgements: [ImportAcknowledgement] = []
    repeat {
      acknowledgements.append(try ImportAcknowledgement(from: &reader))
    } while !reader
      .isAtEnd
    return acknowledgements
  }

  private init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "an acknowledgement", min: 6, max: 6)
    let number = try list.next("number") { r throws(PackedError) in try r.bits() }
    let accepted = try list.next("accepted") { r throws(PackedError) in try r.number(Int.self) }
    let rejected = try list.next("rejected") { r throws(PackedError) in try r.number(Int.self) }
    let commit = try list.next("commit") { r throws(PackedError) in try r.bits() }
    let isDuplicate = try list.next("duplicate") { r throws(PackedError) in
      try r.boolValue()
    }
    let errors = try list.list("errors", max: WireLimits.importErrorsMax) {
      r throws(MessageError) in try RowError(from: &r)
    }
    reader = try list.end()
    self.init(
      number: number, accepted: accepted, rejected: rejected, commit: commit, errors: errors,
      isDuplicate: isDuplicate)
  }
}

extension RowError {
  fileprivate init(from reader: inout PackedReader) throws(MessageError) {
    var list = try ListReader(reader, "a row error", min: 4, max: 4)
    let row = try list.next("row") { r throws(PackedError) in try r.number(Int.self) }
    let detail = try list.next("detail") { r throws(PackedError) in try r.number(UInt16.self) }
    let property = try list.optional("property") { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.number(PropertyID.self) }
    }
    let message = try list.next("message") { r throws(PackedError) in try r.textValue() }
    reader = try list.end()
    self.init(
      row: row, detail: StatusDetail(rawValue: detail), property: property, message: message)
  }
}
