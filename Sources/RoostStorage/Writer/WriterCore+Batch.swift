import RoostModel

extension WriterCore {
  /// Runs all operations of a write inside the caller's savepoint.
  ///
  /// ``Limits/writeOperationsMax`` bounds what travels, and the wire checks it; a context in the
  /// same process saves all it holds in one transaction.
  func apply(_ batch: WriteBatch, commit: UInt64) throws(StoreError) -> [OperationResult] {
    guard batch.schemaVersion <= layout.schema.version else {
      throw StoreError(
        .failedPrecondition, .schemaChanged,
        "the write is made for schema version \(batch.schemaVersion), the store has "
          + "\(layout.schema.version)")
    }
    var scope = RequestScope(commit: commit)
    scope.results.reserveCapacity(batch.operations.count)
    scope.unchanged = try unchangedRows(batch)
    for (index, operation) in batch.operations.enumerated() {
      scope.operation = index
      do {
        let (entity, result) = try apply(operation, &scope)
        scope.results.append(result)
        scope.resultEntities.append(entity)
      } catch {
        throw error.at(operation: index)
      }
    }
    scope.operation = nil
    try finish(&scope)
    return scope.results
  }

  private func apply(
    _ operation: WriteOperation, _ scope: inout RequestScope
  ) throws(StoreError) -> (EntityID, OperationResult) {
    switch operation {
    case .insert(let id, let row, let assignments):
      let entity = try layout.entity(id)
      return (id, try insert(entity, row: row, assignments, &scope))
    case .update(let id, let target, let assignments, let revision):
      let entity = try layout.entity(id)
      let row = try self.row(target, in: entity, scope)
      try check(revision, entity, row, scope)
      return (id, try update(entity, row: row, assignments, &scope))
    case .delete(let id, let target, let revision):
      let entity = try layout.entity(id)
      let row = try self.row(target, in: entity, scope)
      try check(revision, entity, row, scope)
      return (id, try delete(entity, row: row, &scope))
    case .upsert(let id, let row, let constraint, let assignments):
      let entity = try layout.entity(id)
      return (
        id, try upsert(entity, row: row, constraint: constraint, assignments, &scope)
      )
    case .link(let id, let target, let property, let value):
      return try link(id, target, property, value, isLinked: true, &scope)
    case .unlink(let id, let target, let property, let value):
      return try link(id, target, property, value, isLinked: false, &scope)
    }
  }

  private func link(
    _ id: EntityID, _ target: RowTarget, _ property: PropertyID, _ value: Value, isLinked: Bool,
    _ scope: inout RequestScope
  ) throws(StoreError) -> (EntityID, OperationResult) {
    let entity = try layout.entity(id)
    let row = try self.row(target, in: entity, scope)
    return (id, try link(entity, row: row, property, value, isLinked: isLinked, &scope))
  }

  private func row(
    _ target: RowTarget, in entity: EntityLayout, _ scope: RequestScope
  ) throws(StoreError) -> Int64 {
    switch target {
    case .row(let row): return row
    case .result(let operation):
      let reference = try scope.result(operation)
      guard reference.entity == entity.id else {
        throw StoreError(
          .invalidArgument, .badValue, "operation \(operation) did not give a \(entity.name)")
      }
      return reference.row
    }
  }

  /// Operations that ask for a revision and find it, before any of the write has run: what the
  /// write itself changes is no change by others.
  private func unchangedRows(_ batch: WriteBatch) throws(StoreError) -> Set<Int> {
    var unchanged: Set<Int> = []
    for (index, operation) in batch.operations.enumerated() {
      switch operation {
      case .update(let id, .row(let row), _, let revision?),
        .delete(let id, .row(let row), let revision?):
        guard let entity = layout.find(id), let now = try self.revision(entity, row) else {
          continue
        }
        if now <= revision { unchanged.insert(index) }
      default: break
      }
    }
    return unchanged
  }

  private func revision(_ entity: EntityLayout, _ row: Int64) throws(StoreError) -> UInt64? {
    try integers(#"SELECT coalesce("_rev", 0) FROM \#(entity.table) WHERE "_pk"=?1"#, row).first
      .map { UInt64(bitPattern: $0) }
  }

  /// Refuses if the row changed after the commit the caller knows.
  private func check(
    _ revision: UInt64?, _ entity: EntityLayout, _ row: Int64, _ scope: RequestScope
  ) throws(StoreError) {
    guard let revision else { return }
    if let operation = scope.operation, scope.unchanged.contains(operation) { return }
    guard let now = try self.revision(entity, row) else { throw gone(entity, row) }
    if now > revision {
      throw StoreError(
        .failedPrecondition, .revisionMismatch,
        "\(entity.name) #\(row) has changed since commit \(revision)")
    }
  }
}

extension StoreError {
  func at(operation: Int) -> StoreError {
    if self.operation != nil { return self }
    var error = self
    error.operation = operation
    return error
  }
}
