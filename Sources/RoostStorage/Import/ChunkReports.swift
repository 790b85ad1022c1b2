import RoostModel
import RoostSQLite

/// What became of the last chunks of each import: for a client that lost the connection between
/// the commit and its word of it, and sends them again.
///
/// A ring of rows for each import, so that keeping a report deletes the one it takes the place of.
extension WriterCore {
  /// What a chunk that was taken before is answered; without counts when too many came since.
  func duplicate(
    _ number: UInt64, of id: [UInt8], lastCommit: UInt64
  ) throws(StoreError) -> ImportAcknowledgement {
    var reply = ImportAcknowledgement(
      number: number, accepted: 0, rejected: 0, commit: lastCommit, isDuplicate: true)
    let statement = try statement(
      """
      SELECT accepted, rejected, errors FROM "_import_chunks"
      WHERE import=?1 AND slot=?2 AND number=?3
      """)
    defer { statement.reset() }
    return try sqlite { () throws(SQLiteError) in
      try bind(statement, id, number)
      guard try statement.step() else { return reply }
      reply.accepted = Int(statement.int64(0))
      reply.rejected = Int(statement.int64(1))
      if !statement.isNull(2) { reply.errors = PackedRowErrors.read(statement.blob(2)) }
      return reply
    }
  }

  /// Keeps a chunk's report, in the transaction of its rows.
  func keepReport(
    _ acknowledgement: ImportAcknowledgement, of id: [UInt8]
  ) throws(StoreError) {
    recorder.expectNothing()
    let statement = try statement(
      """
      INSERT OR REPLACE INTO "_import_chunks"(import, slot, number, accepted, rejected, errors)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      """)
    try sqlite { () throws(SQLiteError) in
      try bind(statement, id, acknowledgement.number)
      statement.bind(4, Int64(acknowledgement.accepted))
      statement.bind(5, Int64(acknowledgement.rejected))
      if acknowledgement.errors.isEmpty {
        statement.bindNull(6)
      } else {
        try statement.bind(6, PackedRowErrors.bytes(acknowledgement.errors))
      }
      try statement.run()
    }
  }

  /// Drops the reports of imports that are long over. Looks for them by key, before the imports
  /// themselves are forgotten.
  func forgetOldReports() throws(StoreError) {
    recorder.expectNothing()
    try run(
      """
      DELETE FROM "_import_chunks" WHERE import IN
        (SELECT id FROM "_imports" ORDER BY touched DESC LIMIT -1 OFFSET ?1)
      """, Int64(StorageLimits.reportedImportsMax))
  }

  private func bind(
    _ statement: Statement, _ id: [UInt8], _ number: UInt64
  ) throws(SQLiteError) {
    try statement.bind(1, id)
    statement.bind(2, Int64(number % UInt64(StorageLimits.chunkReportsMax)))
    statement.bind(3, Int64(bitPattern: number))
  }
}

/// Row errors as they are kept: for each its row, detail, property or null, and text.
private enum PackedRowErrors {
  /// As many of the first ones as ``StorageLimits/reportBytesMax`` holds.
  static func bytes(_ errors: [RowError]) -> [UInt8] {
    var writer = PackedWriter()
    for error in errors {
      let before = writer.bytes.count
      writer.int(Int64(error.row))
      writer.int(Int64(error.detail.rawValue))
      if let property = error.property { writer.int(Int64(property)) } else { writer.null() }
      writer.text(error.message)
      if writer.bytes.count > StorageLimits.reportBytesMax {
        return Array(writer.bytes.prefix(before))
      }
    }
    return writer.bytes
  }

  /// What can be read of them: the counts hold whatever a foreign program did to the rest.
  static func read(_ bytes: UnsafeRawBufferPointer) -> [RowError] {
    var reader = PackedReader(bytes)
    var errors: [RowError] = []
    while !reader.isAtEnd, errors.count < StorageLimits.rowErrorsMax,
      let error = try? next(&reader)
    {
      errors.append(error)
    }
    return errors
  }

  private static func next(_ reader: inout PackedReader) throws(PackedError) -> RowError? {
    guard case .int(let row) = try reader.value(), case .int(let detail) = try reader.value()
    else { return nil }
    let property = try reader.value()
    guard case .text(let message) = try reader.value() else { return nil }
    var named: PropertyID?
    if case .int(let id) = property { named = PropertyID(truncatingIfNeeded: id) }
    return RowError(
      row: Int(row), detail: StatusDetail(rawValue: UInt16(truncatingIfNeeded: detail)),
      property: named, message: message)
  }
}
