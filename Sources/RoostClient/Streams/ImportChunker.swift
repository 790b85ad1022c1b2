import RoostModel

/// Cuts and joins batches of rows to chunks of a good size, bytes untouched.
struct ImportChunker {
  private(set) var pending: RowBatch?
  let rowsMax: Int
  let bytesMax: Int

  init(rowsMax: Int = ClientLimits.importChunkRows, bytesMax: Int = ClientLimits.importChunkBytes) {
    self.rowsMax = rowsMax
    self.bytesMax = bytesMax
  }

  /// Takes a batch and gives the chunks that are full.
  ///
  /// - Complexity: O(1) and no copy for a batch that has the right size already and the same
  ///   columns as the others.
  mutating func add(_ batch: RowBatch) throws(ClientError) -> [RowBatch] {
    guard batch.rowCount > 0 else { return [] }
    if isFull(batch), !isOver(batch) {
      if let last = flush() { return [last, batch] }
      return [batch]
    }
    var chunks: [RowBatch] = []
    for piece in isOver(batch) ? try cut(batch) : [batch] {
      if let chunk = join(piece) { chunks.append(chunk) }
    }
    return chunks
  }

  /// What is left, however small.
  mutating func flush() -> RowBatch? {
    defer { pending = nil }
    return pending
  }

  private func isFull(_ batch: RowBatch) -> Bool {
    batch.rowCount >= rowsMax || batch.body.count >= bytesMax
  }

  /// Twice the wished size is still taken as it is.
  private func isOver(_ batch: RowBatch) -> Bool {
    batch.rowCount > 1 && (batch.rowCount > 2 * rowsMax || batch.body.count > 2 * bytesMax)
  }

  private mutating func join(_ batch: RowBatch) -> RowBatch? {
    guard let head = pending else {
      if isFull(batch) { return batch }
      pending = batch
      return nil
    }
    guard head.columns == batch.columns, head.entity == batch.entity,
      head.schemaVersion == batch.schemaVersion
    else {
      pending = batch
      return head
    }
    pending?.rowCount += batch.rowCount
    pending?.body.append(contentsOf: batch.body)
    if let pending, isFull(pending) { return flush() }
    return nil
  }

  /// Finds the borders of rows by skipping over their values.
  private func cut(_ batch: RowBatch) throws(ClientError) -> [RowBatch] {
    let result: Result<[RowBatch], PackedError> = batch.body.withUnsafeBytes { buffer in
      Result { () throws(PackedError) in
        var reader = PackedReader(buffer)
        var pieces: [RowBatch] = []
        var start = 0
        var rows = 0
        func piece(_ end: Int) -> RowBatch {
          RowBatch(
            entity: batch.entity, schemaVersion: batch.schemaVersion, columns: batch.columns,
            rowCount: rows, body: [UInt8](buffer[start..<end]))
        }
        for _ in 0..<batch.rowCount {
          for _ in batch.columns { try reader.skip() }
          rows += 1
          if rows >= rowsMax || reader.offset - start >= bytesMax {
            pieces.append(piece(reader.offset))
            start = reader.offset
            rows = 0
          }
        }
        try reader.finish()
        if rows > 0 { pieces.append(piece(reader.offset)) }
        return pieces
      }
    }
    switch result {
    case .success(let pieces): return pieces
    case .failure(let error):
      throw ClientError(
        .invalidArgument, .local, "the rows to import are not well formed: \(error)")
    }
  }
}
