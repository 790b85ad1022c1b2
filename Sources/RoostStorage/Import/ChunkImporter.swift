import RoostModel
import RoostSQLite

/// Takes one chunk of an import inside the caller's savepoint: bytes in, rows in the table.
///
/// Cells go to SQLite where they lie; a row that cannot go in is reported and undoes only itself.
struct ChunkImporter {
  let core: WriterCore
  let entity: EntityLayout
  let plan: WritePlan
  /// For each column, whether it belongs to the constraint that finds rows.
  let isTargetKey: [Bool]
  /// For each column, whether it holds doubles that belong to a constraint: no NaN then.
  private let refusesNaN: [Bool]
  private let kinds: [ColumnKind]
  var scope: RequestScope
  private(set) var accepted = 0
  private(set) var rejected = 0
  private(set) var errors: [RowError] = []
  private let stopsAtError: Bool

  init(
    core: WriterCore, entity: EntityLayout, plan: WritePlan, target: ConstraintLayout?,
    commit: UInt64, stopsAtError: Bool
  ) {
    self.core = core
    self.entity = entity
    self.plan = plan
    self.stopsAtError = stopsAtError
    let target = Set(target?.ids ?? [])
    isTargetKey = plan.columns.map { target.contains($0.id) }
    refusesNaN = plan.columns.map { $0.kind == .double && core.isKeyPart(entity, $0) }
    kinds = plan.columns.map(\.kind)
    scope = RequestScope(commit: commit)
    scope.guardsMade = true
  }

  var hasFailed: Bool { stopsAtError && rejected > 0 }

  mutating func run(_ rows: RowBatch) throws(StoreError) {
    let failure = rows.body.withUnsafeBytes { buffer -> StoreError? in
      do throws(StoreError) {
        try run(buffer, rowCount: rows.rowCount)
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private mutating func run(
    _ buffer: UnsafeRawBufferPointer, rowCount: Int
  ) throws(StoreError) {
    var reader = PackedReader(buffer)
    guard
      let block = core.shared.allocator.allocateUncommitted(entity.id, rowCount)
    else {
      throw StoreError(.internal, .invariant, "\(entity.name) has no row identifiers left")
    }
    var next = block.lowerBound
    plan.statement.bind(2, Int64(bitPattern: scope.commit))
    core.recorder.expect(entity.id)
    for row in 0..<rowCount {
      let rejectedBefore = rejected
      if try bindRow(&reader, row) {
        plan.statement.bind(1, next)
        if try step(row) { next += 1 }
      }
      if scope.guardMark != nil {
        try core.endGuard(&scope, keeps: rejected == rejectedBefore)
        core.recorder.expect(entity.id)
      }
      if hasFailed { break }
    }
    core.shared.allocator.giveBack(entity.id, next..<block.upperBound)
    if hasFailed { return }
    if !reader.isAtEnd { throw malformed(.trailingBytes(at: reader.offset)) }
  }

  /// Binds the cells of a row; false if one of them was refused, which is then reported.
  private mutating func bindRow(
    _ reader: inout PackedReader, _ row: Int
  ) throws(StoreError) -> Bool {
    let binder = CellBinder(statement: plan.statement)
    var problem: (CellProblem, ColumnLayout)?
    do throws(PackedError) {
      for index in kinds.indices {
        if problem != nil {
          try reader.skip()
          continue
        }
        let before = reader
        let isNull = try reader.peek() == PackedTag.null
        let found: CellProblem?
        if isNull, let refused = refusesNull(index) {
          found = refused
        } else if kinds[index] == .reference {
          found = try reference(&reader, index)
        } else if refusesNaN[index], isNaN(reader) {
          found = .keyIsNaN
        } else {
          found = try binder.bind(&reader, index + 3, kinds[index])
        }
        if let found {
          problem = (found, plan.columns[index])
          reader = before
          try reader.skip()
        }
      }
    } catch {
      throw malformed(error)
    }
    guard let (found, column) = problem else { return true }
    reject(row, found.detail, column.id, found.message(column))
    return false
  }

  private func refusesNull(_ index: Int) -> CellProblem? {
    if isTargetKey[index] { return .keyIsNull }
    return plan.columns[index].isRequired ? .required : nil
  }

  private func isNaN(_ cell: PackedReader) -> Bool {
    var reader = cell
    if case .double(let number) = try? reader.value() { return number.isNaN }
    return false
  }

  // MARK: To-ones

  private mutating func reference(
    _ reader: inout PackedReader, _ index: Int
  ) throws(PackedError) -> CellProblem? {
    let column = plan.columns[index]
    let tag = try reader.peek()
    if tag == PackedTag.null {
      _ = try reader.byte()
      plan.statement.bindNull(index + 3)
      return nil
    }
    guard tag == PackedTag.key || tag == PackedTag.reference else { return .mismatch(tag) }
    let start = reader.offset
    var probe = reader
    try skipReference(&probe, tag)
    let cell = try reader.raw(count: probe.offset - start)
    if let row = core.keyCache.find(cell) {
      plan.statement.bind(index + 3, row)
      return nil
    }
    var single = PackedReader(cell)
    let value = try single.value()
    do throws(StoreError) {
      let row = try resolve(value, column)
      core.keyCache.add(cell, row)
      plan.statement.bind(index + 3, row)
      return nil
    } catch {
      return .reference(error)
    }
  }

  /// Steps over a key or a reference without making it.
  private func skipReference(
    _ reader: inout PackedReader, _ tag: UInt8
  ) throws(PackedError) {
    guard tag == PackedTag.key else { return try reader.skip() }
    _ = try reader.byte()
    _ = try reader.identifier()
    let parts = try reader.count(bytesEach: 2)
    for _ in 0..<parts { _ = try reader.identifier() }
    for _ in 0..<parts { try reader.skip() }
    _ = try reader.byte()
  }

  private mutating func resolve(
    _ value: Value, _ column: ColumnLayout
  ) throws(StoreError) -> Int64 {
    let row: RowReference
    switch value {
    case .key(let key) where key.entity == column.destination:
      row = try core.resolve(key, &scope)
      core.recorder.expect(entity.id)
    case .reference(let reference) where reference.entity == column.destination:
      row = reference
      guard try core.exists(reference) else {
        throw StoreError(
          .notFound, .unknownRow,
          "there is no \(core.layout.describe(reference.entity, reference.row))")
      }
    default:
      throw StoreError(.invalidArgument, .badValue, "a reference to another entity")
    }
    return row.row
  }

  // MARK: Rows

  /// Runs the bound row; true if it used the identifier.
  private mutating func step(_ row: Int) throws(StoreError) -> Bool {
    core.recorder.forgetLast()
    do {
      try plan.statement.run()
    } catch {
      guard error.isUniqueConflict else { throw StoreError(error) }
      let conflict = core.conflict(entity, error)
      reject(row, conflict.detail, nil, conflict.message)
      return false
    }
    accepted += 1
    switch core.recorder.lastChange {
    case .insert: return true
    case .update:
      if plan.changesOtherKeys { core.keyCache.removeAll() }
      return false
    case .delete, nil: return false
    }
  }

  private mutating func reject(
    _ row: Int, _ detail: StatusDetail, _ property: PropertyID?, _ message: String
  ) {
    rejected += 1
    if errors.count < StorageLimits.rowErrorsMax {
      errors.append(RowError(row: row, detail: detail, property: property, message: message))
    }
  }

  private func malformed(_ error: PackedError) -> StoreError {
    StoreError(.invalidArgument, .badValue, "the chunk is malformed: \(error)")
  }

  // MARK: One by one

  /// The slow way, for what one statement cannot do: rows that lack required columns unless they
  /// exist already, and one-to-ones, whose other side changes too.
  mutating func runOneByOne(
    _ rows: RowBatch, _ descriptor: ImportDescriptor
  ) throws(StoreError) {
    let values: [[Value]]
    do {
      values = try rows.rows()
    } catch {
      throw malformed(error)
    }
    for (row, cells) in values.enumerated() {
      let assignments = zip(rows.columns, cells).map { Assignment($0, $1) }
      if let column = plan.columns.indices.first(where: { isTargetKey[$0] && cells[$0].isNull }) {
        let message = CellProblem.keyIsNull.message(plan.columns[column])
        reject(row, .validation, rows.columns[column], message)
      } else {
        try runOne(row, assignments, descriptor)
      }
      if hasFailed { return }
    }
  }

  private mutating func runOne(
    _ row: Int, _ assignments: [Assignment], _ descriptor: ImportDescriptor
  ) throws(StoreError) {
    var rowScope = RequestScope(commit: scope.commit)
    let mark = core.recorder.mark
    try core.run("SAVEPOINT one_row")
    do throws(StoreError) {
      try write(assignments, descriptor, &rowScope)
      try core.finish(&rowScope)
      try core.run("RELEASE one_row")
      accepted += 1
    } catch {
      guard core.connection.isInTransaction else { throw error }
      try core.run("ROLLBACK TO one_row")
      try core.run("RELEASE one_row")
      core.recorder.rewind(to: mark)
      core.keyCache.removeAll()
      switch error.status {
      case .invalidArgument, .failedPrecondition, .alreadyExists, .notFound:
        reject(row, error.detail, nil, error.message)
      default: throw error
      }
    }
  }

  private func write(
    _ assignments: [Assignment], _ descriptor: ImportDescriptor, _ scope: inout RequestScope
  ) throws(StoreError) {
    switch descriptor.conflict {
    case .update where !entity.constraints.isEmpty:
      _ = try core.upsert(
        entity, row: nil, constraint: descriptor.constraint, assignments, &scope)
    case .ignore:
      let target = try core.constraintIndex(entity, descriptor.constraint)
      if try core.find(entity, target, assignments, &scope) == nil {
        _ = try core.insert(entity, row: nil, assignments, &scope)
      }
    case .fail, .update: _ = try core.insert(entity, row: nil, assignments, &scope)
    }
  }
}
