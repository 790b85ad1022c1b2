import RoostModel

/// What one write has done so far, and what must hold when it ends.
///
/// References, required columns and deny rules are looked at when all operations have run, so that
/// the order of operations inside a write does not matter.
struct RequestScope {
  /// A to-one whose other side must be set once that row exists.
  struct PendingInverse {
    let entity: EntityID
    let column: PropertyID
    let row: Int64
    let target: Int64
  }

  let commit: UInt64
  /// The operation that runs, for errors.
  var operation: Int?
  var results: [OperationResult] = []
  var resultEntities: [EntityID] = []
  /// Rows that to-ones of this write lead to, with the first operation that said so.
  var references: [RowReference: Int?] = [:]
  /// Rows whose required to-one was cleared by a delete of its target or a change of its inverse.
  var cleared: [(row: RowReference, column: PropertyID, operation: Int?)] = []
  /// Rows that may not be deleted while these still exist.
  var denied: [(row: RowReference, property: String, operation: Int?)] = []
  var inverses: [PendingInverse] = []
  var deleted: Set<RowReference> = []
  /// Operations whose row was unchanged when the write began.
  var unchanged: Set<Int> = []
  /// Whether a row that a key makes is to be guarded by a savepoint, and if there is one.
  var guardsMade = false
  var guardMark: ChangeRecorder.Mark?

  init(commit: UInt64) { self.commit = commit }

  mutating func refer(to reference: RowReference) {
    if references[reference] == nil { references[reference] = .some(operation) }
  }

  /// The row an earlier operation made.
  func result(_ operation: UInt32) throws(StoreError) -> RowReference {
    guard operation < results.count else {
      throw StoreError(
        .invalidArgument, .badValue, "the operation refers to the result of a later one")
    }
    let index = Int(operation)
    return RowReference(entity: resultEntities[index], row: results[index].row)
  }
}
