package import RoostModel

/// `[query, rows?, bytes?]`: a query, and how large its messages should be at most.
package struct FetchRequest: Hashable, Sendable {
  package var query: Query
  package var chunkRows: Int?
  package var chunkBytes: Int?

  package init(_ query: Query, chunkRows: Int? = nil, chunkBytes: Int? = nil) {
    self.query = query
    self.chunkRows = chunkRows
    self.chunkBytes = chunkBytes
  }

  package func encode(into writer: inout PackedWriter) throws(MessageError) {
    writer.list(count: 3)
    try query.encode(into: &writer)
    writer.optional(chunkRows) { $0.int(Int64($1)) }
    writer.optional(chunkBytes) { $0.int(Int64($1)) }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a fetch", min: 3, max: 3)
    query = try list.nested("query") { r throws(MessageError) in try Query(from: &r) }
    chunkRows = try list.optional("rows") { r throws(MessageError) in try positive(&r) }
    chunkBytes = try list.optional("bytes") { r throws(MessageError) in try positive(&r) }
    try list.end().messageEnd()
  }
}

private func positive(_ reader: inout PackedReader) throws(MessageError) -> Int {
  let number = try reader.message { r throws(PackedError) in try r.number(Int.self) }
  guard number > 0 else { throw MessageError(.badValue, "a chunk of \(number)") }
  return number
}

/// The body of a count: a query, whose limit and offset count too. The answer is one integer.
package enum CountRequest {
  package static func encode(
    _ query: Query, into writer: inout PackedWriter
  ) throws(MessageError) {
    try query.encode(into: &writer)
  }

  package static func decode(_ body: UnsafeRawBufferPointer) throws(MessageError) -> Query {
    var reader = PackedReader(body)
    let query = try Query(from: &reader)
    try reader.messageEnd()
    return query
  }

  package static func encodeReply(_ count: Int, into writer: inout PackedWriter) {
    writer.int(Int64(count))
  }

  package static func decodeReply(_ body: UnsafeRawBufferPointer) throws(MessageError) -> Int {
    var reader = PackedReader(body)
    let count = try reader.message { r throws(PackedError) in try r.number(Int.self) }
    try reader.messageEnd()
    return count
  }
}

/// Which rows a to-many relationship of some rows holds, in its order.
///
/// `16 | entity | property | n | n × (row, k, k × row)`, all numbers varints, rows zigzag.
package struct LinkBatch: Hashable, Sendable {
  package static let tag: UInt8 = 0x16

  package struct Owner: Hashable, Sendable {
    package var row: Int64
    package var related: [Int64]

    package init(row: Int64, related: [Int64]) {
      self.row = row
      self.related = related
    }
  }

  /// The entity that owns the relationship.
  package var entity: EntityID
  package var property: PropertyID
  package var owners: [Owner]

  package init(entity: EntityID, property: PropertyID, owners: [Owner]) {
    self.entity = entity
    self.property = property
    self.owners = owners
  }

  package func encode(into writer: inout PackedWriter) {
    writer.byte(LinkBatch.tag)
    writer.varint(UInt64(entity))
    writer.varint(UInt64(property))
    writer.count(owners.count)
    for owner in owners {
      writer.varint(PackedWriter.zigzag(owner.row))
      writer.count(owner.related.count)
      for row in owner.related { writer.varint(PackedWriter.zigzag(row)) }
    }
  }

  package init(from reader: inout PackedReader) throws(PackedError) {
    let start = reader.offset
    guard try reader.byte() == LinkBatch.tag else {
      throw .unexpectedValue(expected: "a link batch", at: start)
    }
    entity = try reader.identifier()
    property = try reader.identifier()
    owners = []
    for _ in 0..<(try reader.count(bytesEach: 2)) {
      let row = try reader.zigzag()
      var related: [Int64] = []
      for _ in 0..<(try reader.count()) { related.append(try reader.zigzag()) }
      owners.append(Owner(row: row, related: related))
    }
  }
}

/// One message of a fetch's answer: rows of the query, then rows and links they lead to.
///
/// A related row is sent at most once a stream; it may come in any message up to that of the
/// first row that leads to it.
package struct FetchMessage: Hashable, Sendable {
  package var rows: RowBatch
  package var related: [RowBatch]
  package var links: [LinkBatch]

  package init(rows: RowBatch, related: [RowBatch] = [], links: [LinkBatch] = []) {
    self.rows = rows
    self.related = related
    self.links = links
  }

  package func encode(into writer: inout PackedWriter) {
    rows.encode(into: &writer)
    for batch in related { batch.encode(into: &writer) }
    for batch in links { batch.encode(into: &writer) }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var reader = PackedReader(body)
    do throws(PackedError) {
      rows = try RowBatch(from: &reader)
      related = []
      links = []
      while !reader.isAtEnd {
        if try reader.peek() == LinkBatch.tag {
          links.append(try LinkBatch(from: &reader))
        } else if links.isEmpty {
          related.append(try RowBatch(from: &reader))
        } else {
          throw .unexpectedValue(expected: "links after rows", at: reader.offset)
        }
      }
    } catch {
      throw MessageError(error)
    }
  }
}

/// The trailers of a fetch's END.
package struct FetchEnd: Hashable, Sendable {
  package var rows: Int
  /// The last commit in the fetch's snapshot.
  package var token: UInt64

  package init(rows: Int, token: UInt64) {
    self.rows = rows
    self.token = token
  }

  package var status: EndStatus {
    EndStatus(trailers: [("rows", .int(Int64(rows))), ("token", .int(Int64(bitPattern: token)))])
  }

  package init?(_ status: EndStatus) {
    guard status.isOK, case .int(let rows)? = status["rows"], let count = Int(exactly: rows),
      case .int(let token)? = status["token"]
    else { return nil }
    self.init(rows: count, token: UInt64(bitPattern: token))
  }
}
