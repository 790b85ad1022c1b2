import RoostModel
import RoostSQLite

extension WriterCore {
  /// The row that a unique key names; made with nothing but its key where that is asked for.
  func resolve(
    _ key: KeyReference, _ scope: inout RequestScope
  ) throws(StoreError) -> RowReference {
    let entity = try layout.entity(key.entity)
    guard let constraint = try constraintIndex(entity, key.constraint),
      key.values.count == key.constraint.count
    else {
      throw StoreError(
        .invalidArgument, .badValue, "a key reference to \(entity.name) is incomplete")
    }
    if key.values.contains(.null) {
      throw StoreError(
        .failedPrecondition, .validation, "a key reference to \(entity.name) has a nil part")
    }
    if let row = try lookUp(entity, constraint, key.values, &scope) {
      return RowReference(entity: entity.id, row: row)
    }
    guard key.createsMissing else {
      let name = entity.describe(entity.constraints[constraint])
      throw StoreError(.notFound, .unknownRow, "no \(entity.name) has this \(name)")
    }
    try guardMade(&scope)
    let assignments = zip(key.constraint, key.values).map { Assignment($0, $1) }
    let made = try insert(entity, row: nil, assignments, &scope, isCompleted: false)
    return RowReference(entity: entity.id, row: made.row)
  }

  // MARK: What keys made

  /// Before the first row that a key makes for one row of an import: that row may be rejected yet.
  private func guardMade(_ scope: inout RequestScope) throws(StoreError) {
    guard scope.guardsMade, scope.guardMark == nil else { return }
    scope.guardMark = recorder.mark
    try run("SAVEPOINT made")
  }

  /// Keeps what keys made for a row that went in, or takes it back with the row.
  func endGuard(_ scope: inout RequestScope, keeps: Bool) throws(StoreError) {
    guard let mark = scope.guardMark else { return }
    scope.guardMark = nil
    if !keeps {
      try run("ROLLBACK TO made")
      recorder.rewind(to: mark)
      keyCache.removeAll()
    }
    try run("RELEASE made")
  }
}
