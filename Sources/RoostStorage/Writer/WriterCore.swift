import RoostModel
import RoostSQLite

/// The one connection that writes, and all it keeps between requests.
///
/// Made by whoever opens the store, then handed whole to the writer's thread; never shared.
final class WriterCore {
  let connection: Connection
  let shared: StoreShared
  var layout: StoreLayout
  let recorder = ChangeRecorder()
  var keyCache = KeyCache()
  private var plans: [PlanKey: WritePlan] = [:]
  /// Rows of one kind come one after the other: comparing a key costs less than hashing it.
  private var lastPlan: (key: PlanKey, plan: WritePlan)?
  private var statements: [String: Statement] = [:]
  /// Statements that were ready, since they were last counted.
  private var statementHits = 0
  /// Why later chunks of an import are not taken; imports that ended by a bad row.
  var endedImports: [[UInt8]: String] = [:]

  init(_ connection: Connection, _ shared: StoreShared, _ layout: StoreLayout) {
    self.connection = connection
    self.shared = shared
    self.layout = layout
    let recorder = recorder
    connection.onRowChange { change, row in recorder.note(change, row) }
  }

  func use(_ layout: StoreLayout) {
    self.layout = layout
    dropStatements()
  }

  func dropStatements() {
    plans.removeAll()
    lastPlan = nil
    statements.removeAll()
    keyCache.removeAll()
    connection.dropStatements()
  }

  func plan(
    _ kind: PlanKey.Kind, _ entity: EntityLayout, _ columns: [PropertyID]
  ) throws(StoreError) -> WritePlan {
    let key = PlanKey(kind: kind, entity: entity.id, columns: columns)
    if let lastPlan, lastPlan.key == key {
      statementHits += 1
      return lastPlan.plan
    }
    if let plan = plans[key] {
      statementHits += 1
      lastPlan = (key, plan)
      return plan
    }
    if plans.count >= StorageLimits.plansMax { plans.removeAll() }
    let plan = try WritePlan(key, entity, connection)
    plans[key] = plan
    lastPlan = (key, plan)
    return plan
  }

  /// A statement of fixed text; the caller resets it by running it to its end.
  func statement(_ sql: String) throws(StoreError) -> Statement {
    if let statement = statements[sql] {
      statementHits += 1
      return statement
    }
    if statements.count >= StorageLimits.plansMax { statements.removeAll() }
    let statement = try sqlite { () throws(SQLiteError) in try connection.take(sql) }
    statements[sql] = statement
    return statement
  }

  /// Statements that were ready and that were prepared since the last call.
  func takeStatementFigures() -> (hits: Int, misses: Int) {
    let taken = connection.statementFigures
    connection.forgetStatementFigures()
    defer { statementHits = 0 }
    return (statementHits + taken.hits, taken.misses)
  }

  func run(_ sql: String, _ values: Int64?...) throws(StoreError) {
    let statement = try statement(sql)
    for (index, value) in values.enumerated() {
      if let value { statement.bind(index + 1, value) } else { statement.bindNull(index + 1) }
    }
    try sqlite { () throws(SQLiteError) in try statement.run() }
  }

  /// All rows of a statement whose only column is an integer.
  func integers(_ sql: String, _ values: Int64...) throws(StoreError) -> [Int64] {
    let statement = try statement(sql)
    for (index, value) in values.enumerated() { statement.bind(index + 1, value) }
    defer { statement.reset() }
    return try sqlite { () throws(SQLiteError) in
      var result: [Int64] = []
      while try statement.step() { result.append(statement.int64(0)) }
      return result
    }
  }

  func exists(_ reference: RowReference) throws(StoreError) -> Bool {
    let entity = try layout.entity(reference.entity)
    return try !integers(#"SELECT 1 FROM \#(entity.table) WHERE "_pk"=?1"#, reference.row).isEmpty
  }

  func allocate(_ entity: EntityLayout) throws(StoreError) -> Int64 {
    guard let rows = shared.allocator.allocateUncommitted(entity.id, 1) else {
      throw StoreError(.internal, .invariant, "\(entity.name) has no row identifiers left")
    }
    return rows.lowerBound
  }
}
