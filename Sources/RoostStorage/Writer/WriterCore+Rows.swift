import RoostModel
import RoostSQLite

extension WriterCore {
  func insert(
    _ entity: EntityLayout, row: Int64?, _ assignments: [Assignment], _ scope: inout RequestScope,
    isCompleted: Bool = true
  ) throws(StoreError) -> OperationResult {
    let plan = try plan(.insert, entity, assignments.map(\.property))
    if isCompleted, let missing = plan.missingRequired { throw required(entity, missing) }
    let row = try identifier(entity, row, scope)
    try bind(plan, row, assignments, &scope)
    recorder.expect(entity.id)
    try runRow(plan)
    try keepInverses(plan, row, assignments, &scope)
    return OperationResult(row: row, outcome: .inserted)
  }

  func update(
    _ entity: EntityLayout, row: Int64, _ assignments: [Assignment], _ scope: inout RequestScope
  ) throws(StoreError) -> OperationResult {
    if assignments.isEmpty {
      guard try exists(RowReference(entity: entity.id, row: row)) else { throw gone(entity, row) }
      return OperationResult(row: row, outcome: .unchanged)
    }
    let plan = try plan(.update, entity, assignments.map(\.property))
    try bind(plan, row, assignments, &scope)
    recorder.expect(entity.id)
    try runRow(plan)
    if recorder.lastChange == nil { throw gone(entity, row) }
    if plan.changesOtherKeys { keyCache.removeAll() }
    try keepInverses(plan, row, assignments, &scope)
    return OperationResult(row: row, outcome: .updated)
  }

  func upsert(
    _ entity: EntityLayout, row: Int64?, constraint ids: [PropertyID]?,
    _ assignments: [Assignment], _ scope: inout RequestScope
  ) throws(StoreError) -> OperationResult {
    let target = try constraintIndex(entity, ids)
    if ids != nil, let target { try checkKey(entity, entity.constraints[target], assignments) }
    let plan = try plan(.upsert(target), entity, assignments.map(\.property))
    if let missing = plan.missingRequired {
      // The row may be there: then what it lacks here is not missing.
      guard let found = try find(entity, target, assignments, &scope) else {
        throw required(entity, missing)
      }
      return try update(entity, row: found, assignments, &scope)
    }
    let row = try identifier(entity, row, scope)
    try bind(plan, row, assignments, &scope)
    recorder.expect(entity.id)
    try runRow(plan)
    let outcome = recorder.lastChange
    let survivor = recorder.lastRow
    switch outcome {
    case .insert:
      try keepInverses(plan, row, assignments, &scope)
      return OperationResult(row: row, outcome: .inserted)
    case .update:
      if plan.changesOtherKeys { keyCache.removeAll() }
      try keepInverses(plan, survivor, assignments, &scope)
      return OperationResult(row: survivor, outcome: .updated)
    case .delete, nil:
      let found = try find(entity, target, assignments, &scope)
      return OperationResult(row: found ?? row, outcome: .unchanged)
    }
  }

  /// The row that a constraint's values in these assignments name.
  func find(
    _ entity: EntityLayout, _ target: Int?, _ assignments: [Assignment],
    _ scope: inout RequestScope
  ) throws(StoreError) -> Int64? {
    for index in entity.constraints.indices where target == nil || target == index {
      var values: [Value] = []
      for id in entity.constraints[index].ids {
        guard let value = assignments.first(where: { $0.property == id })?.value, !value.isNull
        else { break }
        values.append(value)
      }
      guard values.count == entity.constraints[index].ids.count else { continue }
      if let row = try lookUp(entity, index, values, &scope) { return row }
    }
    return nil
  }

  func lookUp(
    _ entity: EntityLayout, _ constraint: Int, _ values: [Value], _ scope: inout RequestScope
  ) throws(StoreError) -> Int64? {
    let plan = try plan(.lookup(constraint), entity, [])
    let columns = entity.constraints[constraint].columns.map { entity.columns[$0] }
    // All of them first: a key inside the key may run this very statement.
    var found: [Value] = []
    for (value, column) in zip(values, columns) {
      found.append(try resolved(value, column, &scope))
    }
    for (index, column) in columns.enumerated() {
      try ValueBinding.bind(found[index], to: plan.statement, index + 1, column)
    }
    defer { plan.statement.reset() }
    return try sqlite { () throws(SQLiteError) in
      try plan.statement.step() ? plan.statement.int64(0) : nil
    }
  }

  // MARK: Parts

  /// A row that this write deleted does not come back: its change set could not say what became
  /// of it, and whoever keeps rows would keep the old one.
  private func identifier(
    _ entity: EntityLayout, _ row: Int64?, _ scope: RequestScope
  ) throws(StoreError) -> Int64 {
    guard let row else { return try allocate(entity) }
    if scope.deleted.contains(RowReference(entity: entity.id, row: row)) {
      throw StoreError(
        .invalidArgument, .badValue, "\(entity.name) #\(row) is deleted by the same write")
    }
    guard shared.allocator.isAllocated(entity.id, row) else {
      throw StoreError(
        .invalidArgument, .badValue, "\(entity.name) #\(row) is not an allocated identifier")
    }
    return row
  }

  private func bind(
    _ plan: WritePlan, _ row: Int64, _ assignments: [Assignment], _ scope: inout RequestScope
  ) throws(StoreError) {
    // All of them first: making what a key misses may run this very statement.
    var values: [Value] = []
    values.reserveCapacity(assignments.count)
    for (index, assignment) in assignments.enumerated() {
      values.append(try resolved(assignment.value, plan.columns[index], &scope))
    }
    plan.statement.bind(1, row)
    plan.statement.bind(2, Int64(bitPattern: scope.commit))
    for (index, value) in values.enumerated() {
      let column = plan.columns[index]
      if value.isNull, column.isRequired { throw required(plan.entity, column) }
      if case .double(let number) = value, number.isNaN, isKeyPart(plan.entity, column) {
        throw StoreError(
          .invalidArgument, .badValue, "\(plan.entity.name).\(column.name) is unique: no NaN")
      }
      do {
        try ValueBinding.bind(value, to: plan.statement, index + 3, column)
      } catch {
        throw StoreError(error.status, error.detail, "\(plan.entity.name): \(error.message)")
      }
    }
  }

  func isKeyPart(_ entity: EntityLayout, _ column: ColumnLayout) -> Bool {
    entity.constraints.contains { $0.ids.contains(column.id) }
  }

  /// To-ones as references to rows.
  func resolved(
    _ value: Value, _ column: ColumnLayout, _ scope: inout RequestScope
  ) throws(StoreError) -> Value {
    guard column.kind == .reference else { return value }
    switch value {
    case .reference(let reference):
      scope.refer(to: reference)
      return value
    case .result(let operation): return .reference(try scope.result(operation))
    case .key(let key): return .reference(try resolve(key, &scope))
    default: return value
    }
  }

  private func runRow(_ plan: WritePlan) throws(StoreError) {
    do {
      try plan.statement.run()
    } catch {
      throw error.isUniqueConflict ? conflict(plan.entity, error) : StoreError(error)
    }
  }

  func constraintIndex(
    _ entity: EntityLayout, _ ids: [PropertyID]?
  ) throws(StoreError) -> Int? {
    guard let ids else {
      // One constraint is the one that conflicts.
      return entity.constraints.count == 1 ? 0 : nil
    }
    guard let index = entity.constraints.firstIndex(where: { $0.ids == ids }) else {
      throw StoreError(
        .invalidArgument, .unknownColumn, "\(entity.name) has no such unique constraint")
    }
    return index
  }

  private func checkKey(
    _ entity: EntityLayout, _ constraint: ConstraintLayout, _ assignments: [Assignment]
  ) throws(StoreError) {
    for id in constraint.ids {
      let value = assignments.first { $0.property == id }?.value
      if value?.isNull ?? true {
        let name = entity.column(id)?.name ?? ""
        throw StoreError(
          .failedPrecondition, .validation, "\(entity.name).\(name) is part of the key: not nil")
      }
    }
  }

  // MARK: Errors

  func required(_ entity: EntityLayout, _ column: ColumnLayout) -> StoreError {
    StoreError(.failedPrecondition, .validation, "\(entity.name).\(column.name) is required")
  }

  func gone(_ entity: EntityLayout, _ row: Int64) -> StoreError {
    StoreError(.notFound, .unknownRow, "there is no \(entity.name) #\(row)")
  }

  /// Names the constraint that SQLite's message lists by columns.
  func conflict(_ entity: EntityLayout, _ error: SQLiteError) -> StoreError {
    let list = error.message.split(separator: ": ", maxSplits: 1).last ?? ""
    let names = list.components(separatedBy: ", ").compactMap { part -> String? in
      let column = part.split(separator: ".").last.map { Names.quoted(String($0)) }
      return entity.columns.first { $0.sql == column }?.name
    }
    let what = names.isEmpty ? "identifier" : names.joined(separator: ", ")
    return StoreError(
      .alreadyExists, .uniqueKey, "another \(entity.name) has the same \(what)",
      cause: error.message)
  }
}

extension Substring {
  /// Foundation's method, without Foundation.
  func components(separatedBy separator: String) -> [Substring] {
    split(separator: separator, omittingEmptySubsequences: true)
  }
}
