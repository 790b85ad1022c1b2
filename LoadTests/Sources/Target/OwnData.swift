import FoundationEssentials
import RoostClient
import RoostModel

/// Rows a run makes: puts them in before, judges them afterwards, takes them out again.
struct OwnData {
  let client: RoostClient
  let entity: EntitySchema
  let schemaVersion: UInt32
  let maker: RowMaker
  private static let deleteBatch = 2_000
  private static let chunkRows = 2_000

  /// The entity scenarios make when none is named.
  static let itemSchema = EntitySchema(
    name: DataPlan.ownEntity,
    properties: [
      PropertySchema(name: "key", kind: .attribute(.text), isOptional: false),
      PropertySchema(name: "number", kind: .attribute(.int), isOptional: false),
      PropertySchema(name: "amount", kind: .attribute(.double), isOptional: false),
      PropertySchema(name: "date", kind: .attribute(.date), isOptional: false),
      PropertySchema(name: "isOpen", kind: .attribute(.bool), isOptional: false),
      PropertySchema(name: "note", kind: .attribute(.text), isOptional: false),
    ], uniqueConstraints: [["key"]])

  /// Makes rows 0..<`count`; rows that are there already stay as they are.
  func fill(_ count: Int) async throws(LoadError) {
    let writer = client.openImport(descriptor)
    do throws(ClientError) {
      var first = 0
      while first < count, !Interruption.hasCome {
        let end = min(count, first + OwnData.chunkRows)
        try await writer.send(batch(.data, UInt64(first)..<UInt64(end)))
        first = end
      }
      let progress = try await writer.finish()
      if progress.rejected > 0 {
        throw ClientError(
          .invalidArgument, .local,
          "the server refused \(progress.rejected) rows made from the "
            + "schema of \(entity.name): name another entity or none")
      }
    } catch {
      writer.abort()
      throw LoadError(error)
    }
  }

  var descriptor: ImportDescriptor {
    ImportDescriptor(
      id: UUID(), entity: entity.id, conflict: .ignore, constraint: maker.constraint,
      onRowError: .skip)
  }

  func batch(_ kind: RowMaker.Kind, _ numbers: Range<UInt64>) -> RowBatch {
    var writer = PackedWriter()
    for number in numbers {
      for value in maker.values(kind, number) { writer.value(value) }
    }
    return RowBatch(
      entity: entity.id, schemaVersion: schemaVersion, columns: maker.properties,
      rowCount: numbers.count, body: writer.bytes)
  }

  /// How many rows of this run there are.
  func count() async throws(LoadError) -> Int {
    try await asking { () throws(ClientError) in
      try await client.count(Query(entity: entity.id, predicate: maker.ownRows))
    }
  }

  /// Deletes all rows of this run.
  ///
  /// - Returns: How many there were.
  func remove() async throws(LoadError) -> Int {
    var ids: [Int64] = []
    let query = Query(
      entity: entity.id, predicate: maker.ownRows, selection: .properties([]))
    var batches = client.fetch(query).makeAsyncIterator()
    while let batch = try await next(&batches) {
      try reading { () throws(PackedError) in
        try batch.eachRow { reader throws(PackedError) in
          if case .int(let row) = try reader.value() { ids.append(row) }
        }
      }
    }
    var rest = ids[...]
    while !rest.isEmpty {
      let part = rest.prefix(OwnData.deleteBatch)
      rest = rest.dropFirst(part.count)
      let deletes = part.map { WriteOperation.delete(entity.id, .row($0), ifRevision: nil) }
      _ = try await asking { () throws(ClientError) in
        try await client.write(
          WriteBatch(operations: deletes, schemaVersion: schemaVersion))
      }
    }
    return ids.count
  }

  private func next(_ batches: inout RowStream.Iterator) async throws(LoadError) -> RowBatch? {
    do throws(ClientError) {
      return try await batches.next()
    } catch {
      throw LoadError(error)
    }
  }

  /// The stored values of rows, nil for those that are not there, in the order asked for.
  func read(_ ids: [Int64]) async throws(LoadError) -> [[Value]?] {
    var rows: [[Value]?] = []
    var start = 0
    while start < ids.count {
      let part = Array(ids[start..<min(ids.count, start + Limits.getKeysMax)])
      start += part.count
      let batch = try await asking { () throws(ClientError) in
        try await client.get(entity.id, ids: part, columns: maker.properties)
      }
      try reading { () throws(PackedError) in
        try batch.eachRow { reader throws(PackedError) in
          let isThere = try reader.value() != .null
          var values: [Value] = []
          for _ in maker.properties { values.append(try reader.value()) }
          rows.append(isThere ? values : nil)
        }
      }
    }
    return rows
  }
}
