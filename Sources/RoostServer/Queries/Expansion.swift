import RoostModel
import RoostWire

/// Brings the rows that a fetch's rows lead to: to-ones at depth 1 and the prefetch paths.
///
/// The paths form a tree. A row is looked at once for each place in the tree and sent once a
/// stream, before or with the first row that leads to it.
struct Expansion {
  /// A relationship to follow from the rows of its parent.
  private final class Node {
    let property: PropertySchema
    let destination: EntityID
    var children: [Node] = []
    var seen: Set<Int64> = []

    init(_ property: PropertySchema, _ destination: EntityID) {
      self.property = property
      self.destination = destination
    }
  }

  /// Related rows that one fetch remembers and sends; more is RESOURCE_EXHAUSTED 65.
  private static let rowsMax = 1 << 20
  /// Bytes of related rows that one step may read; more is RESOURCE_EXHAUSTED 65.
  private static let stepBytesMax = 32 << 20
  /// Above it the rows collected so far become a message of their own.
  private static let messageBytes = 64 << 10
  private static let rowsPerRead = 1_000

  private let roots: [Node]
  private var sent: [EntityID: Set<Int64>] = [:]
  private var sentCount = 0
  private var stepBytes = 0

  /// nil if the query leads nowhere.
  init?(_ query: Query, _ schema: StoreSchema) throws(StoreError) {
    guard let entity = schema.entity(query.entity) else { return nil }
    var roots: [Node] = []
    if case .all = query.selection {
      for property in entity.properties where property.relationship?.isToMany == false {
        try Expansion.add([property.id], entity, schema, &roots)
      }
    }
    for path in query.prefetch { try Expansion.add(path, entity, schema, &roots) }
    if roots.isEmpty { return nil }
    if case .expressions = query.selection {
      throw StoreError(
        .invalidArgument, .unsupportedExpression, "computed values have no rows to prefetch from")
    }
    self.roots = roots
  }

  private static func add(
    _ path: [PropertyID], _ entity: EntitySchema, _ schema: StoreSchema, _ nodes: inout [Node]
  ) throws(StoreError) {
    guard let first = path.first else { return }
    guard let property = entity.property(first), let next = schema.destination(of: property) else {
      throw StoreError(
        .invalidArgument, .unknownColumn,
        "property \(first) of \(entity.name) is not a relationship")
    }
    let node: Node
    if let known = nodes.first(where: { $0.property.id == first }) {
      node = known
    } else {
      node = Node(property, next.id)
      nodes.append(node)
    }
    try add(Array(path.dropFirst()), next, schema, &node.children)
  }

  /// Adds the messages for `batch`: what it leads to, as far as it is new, and the rows themselves.
  mutating func expand(
    _ batch: RowBatch, _ reader: any StoreReader, into messages: inout [[UInt8]]
  ) throws(StoreError) {
    stepBytes = 0
    var pending = FetchMessage(rows: batch)
    pending.rows.rowCount = 0
    pending.rows.body = []
    for node in roots { try follow(node, from: batch, reader, &pending, &messages) }
    pending.rows = batch
    messages.append(pending.bytes)
  }

  private mutating func follow(
    _ node: Node, from batch: RowBatch, _ reader: any StoreReader, _ pending: inout FetchMessage,
    _ messages: inout [[UInt8]]
  ) throws(StoreError) {
    let targets =
      node.property.isColumn
      ? try Expansion.references(batch, node.property.id)
      : try links(node, from: batch, reader, &pending)
    let fresh = targets.filter { node.seen.insert($0).inserted }
    var start = 0
    while start < fresh.count {
      let end = min(fresh.count, start + Expansion.rowsPerRead)
      let rows = try reader.rows(
        node.destination, ids: Array(fresh[start..<end]), columns: nil,
        bytesMax: Expansion.stepBytesMax - stepBytes)
      stepBytes += rows.body.count
      try send(rows, &pending, &messages)
      for child in node.children { try follow(child, from: rows, reader, &pending, &messages) }
      start = end
    }
  }

  /// Adds those rows that have not gone yet.
  private mutating func send(
    _ rows: RowBatch, _ pending: inout FetchMessage, _ messages: inout [[UInt8]]
  ) throws(StoreError) {
    var unsent = RowBatch(
      entity: rows.entity, schemaVersion: rows.schemaVersion, columns: rows.columns)
    do throws(PackedError) {
      let bounds = try rows.body.lend { bytes throws(PackedError) in
        try RowSlicer.bounds(bytes, columnCount: rows.columns.count, rowCount: rows.rowCount)
      }
      for index in 0..<rows.rowCount {
        let row = try rows.body.lend { bytes throws(PackedError) -> Int64? in
          var reader = PackedReader(bytes, offset: bounds[index])
          return try reader.peek() == PackedTag.null ? nil : try reader.intValue()
        }
        guard let row, sent[rows.entity, default: []].insert(row).inserted else { continue }
        sentCount += 1
        unsent.rowCount += 1
        unsent.body.append(contentsOf: rows.body[bounds[index]..<bounds[index + 1]])
        if unsent.body.count > Expansion.messageBytes {
          add(&unsent, &pending, &messages)
        }
      }
    } catch {
      throw StoreError(.internal, .invariant, "a row of the store is broken", cause: "\(error)")
    }
    add(&unsent, &pending, &messages)
    guard sentCount <= Expansion.rowsMax else {
      throw StoreError(
        .resourceExhausted, .resultTooLarge, "the prefetch paths lead to too many rows")
    }
  }

  /// Moves rows into the message at hand, which goes once it is long enough.
  private mutating func add(
    _ rows: inout RowBatch, _ pending: inout FetchMessage, _ messages: inout [[UInt8]]
  ) {
    guard rows.rowCount > 0 else { return }
    pending.related.append(rows)
    rows.rowCount = 0
    rows.body = []
    guard pending.related.reduce(0, { $0 + $1.body.count }) > Expansion.messageBytes else { return }
    messages.append(pending.bytes)
    pending.related = []
    pending.links = []
  }

  private mutating func links(
    _ node: Node, from batch: RowBatch, _ reader: any StoreReader, _ pending: inout FetchMessage
  ) throws(StoreError) -> [Int64] {
    var link = LinkBatch(entity: batch.entity, property: node.property.id, owners: [])
    var targets: [Int64] = []
    for owner in try Expansion.identifiers(batch) {
      let related = try reader.related(
        batch.entity, row: owner, property: node.property.id,
        rowsMax: (Expansion.stepBytesMax - stepBytes) / MemoryLayout<Int64>.size)
      stepBytes += related.count * MemoryLayout<Int64>.size
      link.owners.append(LinkBatch.Owner(row: owner, related: related))
      targets.append(contentsOf: related)
    }
    if !link.owners.isEmpty { pending.links.append(link) }
    return targets
  }

  private static func identifiers(_ batch: RowBatch) throws(StoreError) -> [Int64] {
    try column(batch, 0) { value in if case .int(let row) = value { row } else { nil } }
  }

  private static func references(
    _ batch: RowBatch, _ property: PropertyID
  ) throws(StoreError) -> [Int64] {
    try column(batch, property) { value in
      if case .reference(let reference) = value { reference.row } else { nil }
    }
  }

  /// One column's values of all rows; nothing if the batch does not have it.
  private static func column(
    _ batch: RowBatch, _ property: PropertyID, _ pick: (Value) -> Int64?
  ) throws(StoreError) -> [Int64] {
    guard let place = batch.columns.firstIndex(of: property) else { return [] }
    do throws(PackedError) {
      return try batch.body.lend { bytes throws(PackedError) in
        var reader = PackedReader(bytes)
        var picked: [Int64] = []
        for _ in 0..<batch.rowCount {
          for index in 0..<batch.columns.count {
            if index == place {
              if let row = pick(try reader.value()) { picked.append(row) }
            } else {
              try reader.skip()
            }
          }
        }
        return picked
      }
    } catch {
      throw StoreError(.internal, .invariant, "a row of the store is broken", cause: "\(error)")
    }
  }
}
