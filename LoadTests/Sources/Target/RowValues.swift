import RoostClient
import RoostModel

/// Reads one attribute of many rows.
struct RowValues {
  let client: RoostClient
  let entity: EntityID
  let property: PropertyID

  /// The values of those rows that exist.
  func read(_ rows: [Int64]) async throws(LoadError) -> [Int64: Value] {
    var values: [Int64: Value] = [:]
    var start = 0
    while start < rows.count {
      let end = min(rows.count, start + Limits.getKeysMax)
      let part = Array(rows[start..<end])
      let batch = try await asking { () throws(ClientError) in
        try await client.get(entity, ids: part, columns: [property])
      }
      try reading { () throws(PackedError) in
        try batch.eachRow { reader throws(PackedError) in
          let row = try reader.value()
          let value = try reader.value()
          if case .int(let row) = row { values[row] = value }
        }
      }
      start = end
    }
    return values
  }
}

extension RowBatch {
  /// Gives each row's values in turn; `body` reads exactly one row.
  func eachRow(
    _ body: (inout PackedReader) throws(PackedError) -> Void
  ) throws(PackedError) {
    let outcome: Result<Void, PackedError> = self.body.withUnsafeBytes { buffer in
      Result { () throws(PackedError) in
        var reader = PackedReader(buffer)
        for _ in 0..<rowCount { try body(&reader) }
      }
    }
    try outcome.get()
  }
}
