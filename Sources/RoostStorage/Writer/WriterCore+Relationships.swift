import RoostModel
import RoostSQLite

extension WriterCore {
  /// Brings the other side of one-to-ones in step with what was written.
  func keepInverses(
    _ plan: WritePlan, _ row: Int64, _ assignments: [Assignment], _ scope: inout RequestScope
  ) throws(StoreError) {
    guard plan.hasOneToOne else { return }
    for (index, assignment) in assignments.enumerated() {
      let column = plan.columns[index]
      guard let inverse = column.toOneInverse,
        let other = layout.find(column.destination)?.column(inverse)
      else { continue }
      var target: Int64?
      if case .reference(let reference) = try resolved(assignment.value, column, &scope) {
        target = reference.row
      }
      try keepInverse(plan.entity, column, other, row, target, &scope)
    }
  }

  private func keepInverse(
    _ entity: EntityLayout, _ column: ColumnLayout, _ inverse: ColumnLayout, _ row: Int64,
    _ target: Int64?, _ scope: inout RequestScope
  ) throws(StoreError) {
    let other = try layout.entity(column.destination)
    let commit = Int64(bitPattern: scope.commit)
    try noteCleared(other, inverse, row, keeping: target, &scope)
    recorder.expect(other.id)
    try run(
      #"UPDATE \#(other.table) SET \#(inverse.sql)=NULL,"_rev"=?3 WHERE \#(inverse.sql)=?1 "#
        + #"AND "_pk" IS NOT ?2"#, row, target, commit)
    guard let target else { return }
    try noteCleared(entity, column, target, keeping: row, &scope)
    recorder.expect(entity.id)
    try run(
      #"UPDATE \#(entity.table) SET \#(column.sql)=NULL,"_rev"=?3 WHERE \#(column.sql)=?2 "#
        + #"AND "_pk"<>?1"#, row, target, commit)
    try setInverse(other, inverse, row, target, commit)
    if recorder.lastChange == nil, try !exists(RowReference(entity: other.id, row: target)) {
      scope.inverses.append(
        RequestScope.PendingInverse(
          entity: entity.id, column: column.id, row: row, target: target))
    }
  }

  /// Rows that a one-to-one is about to be taken from must have another when the write ends, if
  /// they require one.
  private func noteCleared(
    _ entity: EntityLayout, _ column: ColumnLayout, _ value: Int64, keeping kept: Int64?,
    _ scope: inout RequestScope
  ) throws(StoreError) {
    guard column.isRequired else { return }
    let sql = #"SELECT "_pk" FROM \#(entity.table) WHERE \#(column.sql)=?1"#
    for row in try integers(sql, value) where row != kept {
      scope.cleared.append(
        (RowReference(entity: entity.id, row: row), column.id, scope.operation))
    }
  }

  private func setInverse(
    _ other: EntityLayout, _ inverse: ColumnLayout, _ row: Int64, _ target: Int64, _ commit: Int64
  ) throws(StoreError) {
    recorder.expect(other.id)
    try run(
      #"UPDATE \#(other.table) SET \#(inverse.sql)=?1,"_rev"=?3 WHERE "_pk"=?2 "#
        + #"AND \#(inverse.sql) IS NOT ?1"#, row, target, commit)
  }

  /// Sets the other sides that did not exist yet when their to-one was written.
  func finishInverses(_ scope: inout RequestScope) throws(StoreError) {
    for pending in scope.inverses {
      let entity = try layout.entity(pending.entity)
      guard let column = entity.column(pending.column), let id = column.toOneInverse,
        let other = layout.find(column.destination), let inverse = other.column(id)
      else { continue }
      let holds = try integers(
        #"SELECT 1 FROM \#(entity.table) WHERE "_pk"=?1 AND \#(column.sql)=?2"#, pending.row,
        pending.target)
      if !holds.isEmpty {
        try setInverse(
          other, inverse, pending.row, pending.target, Int64(bitPattern: scope.commit))
      }
    }
  }

  // MARK: To-many

  func link(
    _ entity: EntityLayout, row: Int64, _ property: PropertyID, _ value: Value,
    isLinked: Bool, _ scope: inout RequestScope
  ) throws(StoreError) -> OperationResult {
    guard let layout = entity.toMany[property] else {
      throw StoreError(
        .invalidArgument, .unknownColumn,
        "\(entity.name): property \(property) is not a to-many relationship")
    }
    let own = RowReference(entity: entity.id, row: row)
    scope.refer(to: own)
    switch layout {
    case .inverse(let other, let column):
      let target = try target(value, in: other, &scope)
      return try setToOne(other, column, of: target, to: own, isLinked: isLinked, &scope)
    case .join(let join):
      let target = try target(value, in: join.other, &scope)
      return try pair(join, own, target, isLinked: isLinked)
    }
  }

  private func target(
    _ value: Value, in entity: EntityID, _ scope: inout RequestScope
  ) throws(StoreError) -> RowReference {
    var found: RowReference?
    switch value {
    case .reference(let reference): found = reference
    case .result(let operation): found = try scope.result(operation)
    case .key(let key): found = try resolve(key, &scope)
    default: break
    }
    guard let found, found.entity == entity else {
      let name = layout.find(entity)?.name ?? ""
      throw StoreError(.invalidArgument, .badValue, "a reference to \(name) is needed here")
    }
    scope.refer(to: found)
    return found
  }

  private func setToOne(
    _ entity: EntityID, _ property: PropertyID, of target: RowReference, to own: RowReference,
    isLinked: Bool, _ scope: inout RequestScope
  ) throws(StoreError) -> OperationResult {
    let other = try layout.entity(entity)
    guard let column = other.column(property) else {
      throw StoreError(.internal, .invariant, "\(other.name) lacks its side of a relationship")
    }
    let now = try integers(
      #"SELECT 1 FROM \#(other.table) WHERE "_pk"=?1 AND \#(column.sql)=?2"#, target.row, own.row)
    if now.isEmpty != isLinked { return OperationResult(row: own.row, outcome: .unchanged) }
    let value: Value = isLinked ? .reference(own) : .null
    _ = try update(other, row: target.row, [Assignment(property, value)], &scope)
    return OperationResult(row: own.row, outcome: isLinked ? .linked : .unlinked)
  }

  private func pair(
    _ join: JoinLayout, _ own: RowReference, _ target: RowReference, isLinked: Bool
  ) throws(StoreError) -> OperationResult {
    recorder.expectNothing()
    let sql =
      isLinked
      ? "INSERT OR IGNORE INTO \(join.table)(\(join.ownColumn),\(join.otherColumn)) VALUES(?1,?2)"
      : "DELETE FROM \(join.table) WHERE \(join.ownColumn)=?1 AND \(join.otherColumn)=?2"
    try run(sql, own.row, target.row)
    let isChanged = connection.changes > 0
    if join.isSymmetric { try run(sql, target.row, own.row) }
    guard isChanged else { return OperationResult(row: own.row, outcome: .unchanged) }
    recorder.touch(own.entity, own.row)
    recorder.touch(target.entity, target.row)
    return OperationResult(row: own.row, outcome: isLinked ? .linked : .unlinked)
  }
}
