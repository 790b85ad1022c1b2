import FoundationEssentials
import RoostModel
import RoostSQLite

/// What became of a chunk: in the transaction, or to be taken back.
struct ChunkOutcome {
  var acknowledgement: ImportAcknowledgement
  /// The chunk must be rolled back; its acknowledgement says why.
  var isRefused = false
}

extension WriterCore {
  /// Starts an import or finds where it stands.
  func beginImport(_ descriptor: ImportDescriptor) throws(StoreError) -> UInt64 {
    let entity = try layout.entity(descriptor.entity)
    _ = try constraintIndex(entity, descriptor.constraint)
    let id = Self.bytes(descriptor.id)
    if let (next, known) = try importState(id) {
      guard known == descriptor.entity else {
        throw StoreError(
          .invalidArgument, .unknownImport, "this import goes into another entity")
      }
      endedImports[id] = nil
      return next
    }
    try forgetOldImports()
    let statement = try statement(
      #"INSERT INTO "_imports"(id, next, entity, touched) VALUES(?1, 0, ?2, unixepoch())"#)
    try sqlite { () throws(SQLiteError) in
      try statement.bind(1, id)
      statement.bind(2, Int64(descriptor.entity))
      try statement.run()
    }
    return 0
  }

  /// The oldest are dropped: whoever resumes one of them starts again.
  private func forgetOldImports() throws(StoreError) {
    try forgetOldReports()
    recorder.expectNothing()
    try run(
      """
      DELETE FROM "_imports" WHERE id IN
        (SELECT id FROM "_imports" ORDER BY touched DESC LIMIT -1 OFFSET ?1)
      """, Int64(StorageLimits.importsMax))
  }

  private func importState(_ id: [UInt8]) throws(StoreError) -> (UInt64, EntityID)? {
    let statement = try statement(#"SELECT next, entity FROM "_imports" WHERE id=?1"#)
    defer { statement.reset() }
    return try sqlite { () throws(SQLiteError) in
      try statement.bind(1, id)
      guard try statement.step() else { return nil }
      return (
        UInt64(bitPattern: statement.int64(0)), EntityID(truncatingIfNeeded: statement.int64(1))
      )
    }
  }

  /// Takes a chunk inside the caller's savepoint.
  func take(
    _ chunk: ImportChunk, of descriptor: ImportDescriptor, commit: UInt64, lastCommit: UInt64
  ) throws(StoreError) -> ChunkOutcome {
    let id = Self.bytes(descriptor.id)
    guard let (next, known) = try importState(id), known == descriptor.entity else {
      throw StoreError(.notFound, .unknownImport, "the import has not begun, or long ago")
    }
    if chunk.number < next {
      return ChunkOutcome(
        acknowledgement: try duplicate(chunk.number, of: id, lastCommit: lastCommit))
    }
    if let reason = endedImports[id] {
      throw StoreError(.failedPrecondition, .validation, reason)
    }
    guard chunk.number == next else {
      throw StoreError(
        .outOfRange, .chunkGap, "chunk \(chunk.number) came, chunk \(next) is expected")
    }
    let outcome = try write(chunk, descriptor, commit: commit)
    if outcome.isRefused { return outcome }
    try keepReport(outcome.acknowledgement, of: id)
    try advance(id, to: next + 1)
    return outcome
  }

  /// Takes no more chunks of an import until it begins anew.
  func end(_ descriptor: ImportDescriptor, at number: UInt64) {
    if endedImports.count >= StorageLimits.importsMax { endedImports.removeAll() }
    endedImports[Self.bytes(descriptor.id)] = "the import ended with a row of chunk \(number)"
  }

  private func advance(_ id: [UInt8], to next: UInt64) throws(StoreError) {
    recorder.expectNothing()
    let statement = try statement(
      #"UPDATE "_imports" SET next=?2, touched=unixepoch() WHERE id=?1"#)
    try sqlite { () throws(SQLiteError) in
      try statement.bind(1, id)
      statement.bind(2, Int64(bitPattern: next))
      try statement.run()
    }
  }

  private func write(
    _ chunk: ImportChunk, _ descriptor: ImportDescriptor, commit: UInt64
  ) throws(StoreError) -> ChunkOutcome {
    let rows = chunk.rows
    let entity = try layout.entity(descriptor.entity)
    try check(rows, descriptor, entity)
    let target = try constraintIndex(entity, descriptor.constraint)
    let plan = try plan(kind(descriptor, entity, target), entity, rows.columns)
    if descriptor.constraint != nil, let target { try checkKeyIsNamed(entity, target, rows) }
    // Who names no key may leave it nil: such a row is a new one.
    let key = descriptor.constraint == nil ? nil : target.map { entity.constraints[$0] }
    var importer = ChunkImporter(
      core: self, entity: entity, plan: plan, target: key,
      commit: commit, stopsAtError: descriptor.onRowError == .fail)
    if plan.missingRequired != nil || plan.hasOneToOne {
      try importer.runOneByOne(rows, descriptor)
    } else {
      try importer.run(rows)
    }
    var acknowledgement = ImportAcknowledgement(
      number: chunk.number, accepted: importer.accepted, rejected: importer.rejected,
      commit: commit, errors: importer.errors)
    if importer.hasFailed { acknowledgement.accepted = 0 }
    return ChunkOutcome(acknowledgement: acknowledgement, isRefused: importer.hasFailed)
  }

  private func kind(
    _ descriptor: ImportDescriptor, _ entity: EntityLayout, _ target: Int?
  ) -> PlanKey.Kind {
    if entity.constraints.isEmpty { return .insert }
    return switch descriptor.conflict {
    case .update: .upsert(target)
    case .ignore: .ignore(target)
    case .fail: .insert
    }
  }

  private func check(
    _ rows: RowBatch, _ descriptor: ImportDescriptor, _ entity: EntityLayout
  ) throws(StoreError) {
    guard rows.entity == descriptor.entity else {
      throw StoreError(.invalidArgument, .unknownEntity, "the chunk's rows are of another entity")
    }
    guard rows.rowCount <= Limits.chunkRowsMax else {
      throw StoreError(
        .resourceExhausted, .messageSize, "a chunk has at most \(Limits.chunkRowsMax) rows")
    }
    guard rows.schemaVersion <= layout.schema.version else {
      throw StoreError(
        .failedPrecondition, .schemaChanged,
        "the chunk is made for schema version \(rows.schemaVersion), the store has "
          + "\(layout.schema.version)")
    }
    guard !rows.columns.isEmpty, rows.rowCount >= 0, rows.rowCount <= rows.body.count else {
      throw StoreError(.invalidArgument, .badValue, "the chunk has no columns, or too few bytes")
    }
  }

  private func checkKeyIsNamed(
    _ entity: EntityLayout, _ target: Int, _ rows: RowBatch
  ) throws(StoreError) {
    for index in entity.constraints[target].columns {
      let column = entity.columns[index]
      if !rows.columns.contains(column.id) {
        throw StoreError(
          .invalidArgument, .unknownColumn,
          "\(entity.name).\(column.name) is part of the key and must be among the columns")
      }
    }
  }

  static func bytes(_ id: UUID) -> [UInt8] { withUnsafeBytes(of: id.uuid) { [UInt8]($0) } }
}
