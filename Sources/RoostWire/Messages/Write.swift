package import RoostModel

/// First item of an operation's list; 5 and 6 are reserved for assert and update-where.
enum OperationTag: UInt8 {
  case insert = 1
  case update = 2
  case delete = 3
  case upsert = 4
  case link = 7
  case unlink = 8
}

/// `[[operation…], schema version, author?]`
///
/// - `[1, entity, [column…], [value…]]` insert, with a fifth part for an allocated row
/// - `[2, entity, target, [column…], [value…], if revision?]` update
/// - `[3, entity, target, if revision?]` delete
/// - `[4, entity, [property…]?, [column…], [value…]]` upsert, a sixth part for an allocated row
/// - `[7, entity, target, property, value]` link, `[8, …]` unlink
///
/// A target is a row id or a result reference.
extension WriteBatch {
  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 3)
    writer.list(count: operations.count)
    for operation in operations { operation.encode(into: &writer) }
    writer.id(schemaVersion)
    writer.optional(author) { $0.text($1) }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a write", min: 3, max: 3)
    var number = 0
    let operations = try list.list("operations", max: Limits.writeOperationsMax) {
      r throws(MessageError) in
      defer { number += 1 }
      return try WriteOperation(from: &r, number: number)
    }
    let version = try list.next("schema version") { r throws(PackedError) in
      try r.number(UInt32.self)
    }
    let author = try list.optional("author") { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.textValue() }
    }
    try list.end().messageEnd()
    self.init(operations: operations, schemaVersion: version, author: author)
  }
}

extension WriteOperation {
  func encode(into writer: inout PackedWriter) {
    switch self {
    case .insert(let entity, let row, let assignments):
      writer.begin(.insert, entity, row == nil ? 2 : 3)
      writer.assignments(assignments)
      if let row { writer.int(row) }
    case .update(let entity, let target, let assignments, let revision):
      writer.begin(.update, entity, 4)
      writer.target(target)
      writer.assignments(assignments)
      writer.optional(revision) { $0.bits($1) }
    case .delete(let entity, let target, let revision):
      writer.begin(.delete, entity, 2)
      writer.target(target)
      writer.optional(revision) { $0.bits($1) }
    case .upsert(let entity, let row, let constraint, let assignments):
      writer.begin(.upsert, entity, row == nil ? 3 : 4)
      writer.optional(constraint) { $0.ids($1) }
      writer.assignments(assignments)
      if let row { writer.int(row) }
    case .link(let entity, let target, let property, let value):
      writer.begin(.link, entity, 3)
      writer.target(target)
      writer.id(property)
      writer.value(value)
    case .unlink(let entity, let target, let property, let value):
      writer.begin(.unlink, entity, 3)
      writer.target(target)
      writer.id(property)
      writer.value(value)
    }
  }

  init(from reader: inout PackedReader, number: Int) throws(MessageError) {
    var list = try ListReader(reader, "operation \(number)", min: 4, max: 6)
    let kind = try list.next("kind") { r throws(PackedError) in try r.number(UInt8.self) }
    guard let tag = OperationTag(rawValue: kind) else {
      throw MessageError(.missingCapability, "operation \(number) is of unknown kind \(kind)")
    }
    let entity = try list.next("entity") { r throws(PackedError) in
      try r.number(EntityID.self)
    }
    switch tag {
    case .insert:
      let assignments = try list.assignments()
      self = .insert(entity, row: try list.allocatedRow(), assignments)
    case .upsert:
      let constraint = try list.optional("constraint") { r throws(MessageError) in
        try r.propertyIDs()
      }
      let assignments = try list.assignments()
      self = .upsert(
        entity, row: try list.allocatedRow(), constraint: constraint, assignments)
    case .update:
      let target = try list.target()
      let assignments = try list.assignments()
      self = .update(entity, target, assignments, ifRevision: try list.revision())
    case .delete:
      let target = try list.target()
      self = .delete(entity, target, ifRevision: try list.revision())
    case .link, .unlink:
      let target = try list.target()
      let property = try list.next("property") { r throws(PackedError) in
        try r.number(PropertyID.self)
      }
      let value = try list.next("value") { r throws(PackedError) in try r.value() }
      self =
        tag == .link
        ? .link(entity, target, property, value) : .unlink(entity, target, property, value)
    }
    reader = try list.end()
  }
}

extension PackedWriter {
  fileprivate mutating func begin(_ tag: OperationTag, _ entity: EntityID, _ itemCount: Int) {
    list(count: 2 + itemCount)
    int(Int64(tag.rawValue))
    id(entity)
  }

  fileprivate mutating func target(_ target: RowTarget) {
    switch target {
    case .row(let row): int(row)
    case .result(let operation): value(.result(operation: operation))
    }
  }

  fileprivate mutating func assignments(_ assignments: [Assignment]) {
    list(count: assignments.count)
    for assignment in assignments { id(assignment.property) }
    list(count: assignments.count)
    for assignment in assignments { value(assignment.value) }
  }
}

extension ListReader {
  fileprivate mutating func target() throws(MessageError) -> RowTarget {
    try next("target") { r throws(PackedError) in
      let start = r.offset
      switch try r.value() {
      case .int(let row): return .row(row)
      case .result(let operation): return .result(operation: operation)
      default: throw .unexpectedValue(expected: "a row or a result", at: start)
      }
    }
  }

  fileprivate mutating func assignments() throws(MessageError) -> [Assignment] {
    let columns = try nested("columns") { r throws(MessageError) in try r.propertyIDs() }
    guard !columns.contains(0) else {
      throw MessageError(.badValue, "column 0 cannot be written")
    }
    let values = try list("values", max: columns.count) { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.value() }
    }
    guard values.count == columns.count else {
      throw MessageError(.badValue, "\(values.count) values for \(columns.count) columns")
    }
    return zip(columns, values).map { Assignment($0, $1) }
  }

  fileprivate mutating func allocatedRow() throws(MessageError) -> Int64? {
    guard left > 0 else { return nil }
    return try next("row") { r throws(PackedError) in try r.intValue() }
  }

  fileprivate mutating func revision() throws(MessageError) -> UInt64? {
    try optional("revision") { r throws(MessageError) in
      try r.message { r throws(PackedError) in try r.bits() }
    }
  }
}

/// `[token, [row, outcome, row, outcome…]]`, one pair for each operation.
extension WriteResult {
  package func encode(into writer: inout PackedWriter) {
    writer.list(count: 2)
    writer.bits(commit)
    writer.list(count: results.count * 2)
    for result in results {
      writer.int(result.row)
      writer.int(Int64(result.outcome.rawValue))
    }
  }

  package init(_ body: UnsafeRawBufferPointer) throws(MessageError) {
    var list = try ListReader(PackedReader(body), "a write's answer", min: 2, max: 2)
    let commit = try list.next("token") { r throws(PackedError) in try r.bits() }
    let results = try list.nested("results") { r throws(MessageError) in
      let count = try r.enterList("results")
      guard count % 2 == 0 else { throw MessageError(.badValue, "a result lacks its outcome") }
      return try r.message { r throws(PackedError) in
        var results: [OperationResult] = []
        for _ in 0..<count / 2 {
          let row = try r.intValue()
          results.append(OperationResult(row: row, outcome: try r.raw(WriteOutcome.self)))
        }
        return results
      }
    }
    try list.end().messageEnd()
    self.init(commit: commit, results: results)
  }
}
