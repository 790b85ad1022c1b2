import RoostModel

extension WriterCore {
  /// What must hold when all operations of a write have run.
  func finish(_ scope: inout RequestScope) throws(StoreError) {
    try finishInverses(&scope)
    try checkReferences(scope)
    try checkDenied(scope)
    try checkCleared(scope)
  }

  private func checkReferences(_ scope: RequestScope) throws(StoreError) {
    for (reference, operation) in scope.references where try !exists(reference) {
      // A row that this write deleted took the references to it along.
      if scope.deleted.contains(reference), try !isReferred(reference, scope) { continue }
      throw StoreError(
        .notFound, .unknownRow, "there is no \(layout.describe(reference.entity, reference.row))",
        operation: operation)
    }
  }

  private func isReferred(
    _ reference: RowReference, _ scope: RequestScope
  ) throws(StoreError) -> Bool {
    for entity in layout.all {
      for column in entity.columns where column.destination == reference.entity {
        let rows = try integers(
          "SELECT 1 FROM \(entity.table) WHERE \(column.sql)=?1 LIMIT 1", reference.row)
        if !rows.isEmpty { return true }
      }
      if try isPaired(reference, entity) { return true }
    }
    return false
  }

  /// Whether a pair of one of the entity's relationships has the row on either side.
  private func isPaired(
    _ reference: RowReference, _ entity: EntityLayout
  ) throws(StoreError) -> Bool {
    for case .join(let join) in entity.toMany.values {
      var columns: [String] = []
      if entity.id == reference.entity { columns.append(join.ownColumn) }
      if join.other == reference.entity { columns.append(join.otherColumn) }
      for column in columns {
        let rows = try integers(
          "SELECT 1 FROM \(join.table) WHERE \(column)=?1 LIMIT 1", reference.row)
        if !rows.isEmpty { return true }
      }
    }
    return false
  }

  private func checkDenied(_ scope: RequestScope) throws(StoreError) {
    for denied in scope.denied where try exists(denied.row) {
      throw StoreError(
        .failedPrecondition, .relationshipRule,
        "the delete is denied: \(layout.describe(denied.row.entity, denied.row.row)) is still "
          + "related (\(denied.property))", operation: denied.operation)
    }
  }

  private func checkCleared(_ scope: RequestScope) throws(StoreError) {
    for cleared in scope.cleared {
      let entity = try layout.entity(cleared.row.entity)
      guard let column = entity.column(cleared.column) else { continue }
      let rows = try integers(
        #"SELECT 1 FROM \#(entity.table) WHERE "_pk"=?1 AND \#(column.sql) IS NULL"#,
        cleared.row.row)
      if !rows.isEmpty {
        throw StoreError(
          .failedPrecondition, .validation,
          "\(entity.name).\(column.name) is required, and this write takes what it leads to away",
          operation: cleared.operation)
      }
    }
  }
}
