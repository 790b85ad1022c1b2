import RoostModel
import RoostSQLite

extension WriterCore {
  /// Deletes a row and does to others what the delete rules say.
  func delete(
    _ entity: EntityLayout, row: Int64, _ scope: inout RequestScope
  ) throws(StoreError) -> OperationResult {
    let own = RowReference(entity: entity.id, row: row)
    if scope.deleted.contains(own) { return OperationResult(row: row, outcome: .unchanged) }
    guard try exists(own) else { throw gone(entity, row) }
    keyCache.removeAll()
    // A list instead of recursion: a chain of cascades may be as long as a table.
    var waiting = [own]
    while let next = waiting.popLast() {
      guard scope.deleted.insert(next).inserted else { continue }
      let entity = try layout.entity(next.entity)
      for step in entity.deleteSteps {
        try run(step, next, entity, &waiting, &scope)
      }
      recorder.expect(entity.id)
      try run(#"DELETE FROM \#(entity.table) WHERE "_pk"=?1"#, next.row)
    }
    return OperationResult(row: row, outcome: .deleted)
  }

  private func run(
    _ step: DeleteStep, _ row: RowReference, _ entity: EntityLayout,
    _ waiting: inout [RowReference], _ scope: inout RequestScope
  ) throws(StoreError) {
    switch step {
    case .target(let column, let rule):
      try leave(entity.columns[column], rule, row, entity, &waiting, &scope)
    case .referrers(let other, let column, let rule, let property):
      try release(other, column, rule, property, row, &waiting, &scope)
    case .pairs(let join, let rule, let property):
      try unpair(join, rule, property, row, &waiting, &scope)
    }
  }

  /// A to-one of the row that goes.
  private func leave(
    _ column: ColumnLayout, _ rule: RelationshipDeleteRule, _ row: RowReference,
    _ entity: EntityLayout, _ waiting: inout [RowReference], _ scope: inout RequestScope
  ) throws(StoreError) {
    let targets = try integers(
      #"SELECT \#(column.sql) FROM \#(entity.table) WHERE "_pk"=?1 AND \#(column.sql) NOTNULL"#,
      row.row)
    guard let target = targets.first else { return }
    let reference = RowReference(entity: column.destination, row: target)
    switch rule {
    case .cascade: waiting.append(reference)
    case .deny: scope.denied.append((reference, "\(entity.name).\(column.name)", scope.operation))
    case .nullify:
      if let id = column.toOneInverse, let other = layout.find(column.destination),
        let inverse = other.column(id)
      {
        try clear(other, inverse, row, &scope)
      }
    case .noAction: break
    }
  }

  /// Rows whose to-one leads to the row that goes.
  private func release(
    _ other: EntityID, _ property: PropertyID, _ rule: RelationshipDeleteRule, _ name: String,
    _ row: RowReference, _ waiting: inout [RowReference], _ scope: inout RequestScope
  ) throws(StoreError) {
    let other = try layout.entity(other)
    guard let column = other.column(property), rule != .noAction else { return }
    if rule == .nullify { return try clear(other, column, row, &scope) }
    let rows = try integers(
      #"SELECT "_pk" FROM \#(other.table) WHERE \#(column.sql)=?1"#, row.row)
    for found in rows {
      let reference = RowReference(entity: other.id, row: found)
      if rule == .cascade {
        waiting.append(reference)
      } else {
        scope.denied.append((reference, name, scope.operation))
      }
    }
  }

  private func clear(
    _ other: EntityLayout, _ column: ColumnLayout, _ row: RowReference,
    _ scope: inout RequestScope
  ) throws(StoreError) {
    if column.isRequired {
      let rows = try integers(
        #"SELECT "_pk" FROM \#(other.table) WHERE \#(column.sql)=?1"#, row.row)
      for found in rows {
        scope.cleared.append(
          (RowReference(entity: other.id, row: found), column.id, scope.operation))
      }
    }
    recorder.expect(other.id)
    try run(
      #"UPDATE \#(other.table) SET \#(column.sql)=NULL,"_rev"=?2 WHERE \#(column.sql)=?1"#,
      row.row, Int64(bitPattern: scope.commit))
  }

  /// Pairs of the row that goes.
  private func unpair(
    _ join: JoinLayout, _ rule: RelationshipDeleteRule, _ property: String, _ row: RowReference,
    _ waiting: inout [RowReference], _ scope: inout RequestScope
  ) throws(StoreError) {
    let others = try integers(
      "SELECT \(join.otherColumn) FROM \(join.table) WHERE \(join.ownColumn)=?1", row.row)
    if others.isEmpty { return }
    for other in others {
      let reference = RowReference(entity: join.other, row: other)
      switch rule {
      case .cascade: waiting.append(reference)
      case .deny: scope.denied.append((reference, property, scope.operation))
      case .nullify, .noAction: recorder.touch(reference.entity, reference.row)
      }
    }
    recorder.expectNothing()
    try run("DELETE FROM \(join.table) WHERE \(join.ownColumn)=?1", row.row)
    if join.isSymmetric {
      try run("DELETE FROM \(join.table) WHERE \(join.otherColumn)=?1", row.row)
    }
  }
}
