import RoostModel
import RoostSQLite

extension SQLiteReader {
  func count(_ query: Query) throws(StoreError) -> Int {
    let begun = shared.clock.now()
    cost = nil
    let compiled = try QueryCompiler.compile(query, layout, isCount: true)
    let statement = try bound(compiled)
    defer { connection.giveBack(statement) }
    var cost = QueryCost(shape: try shape(of: query, compiled, statement))
    defer {
      cost.add(statement.takeWork())
      cost.nanoseconds = shared.clock.now() &- begun
      self.cost = cost
    }
    cost.rows = try sqlite { () throws(SQLiteError) in
      try statement.step() ? Int(statement.int64(0)) : 0
    }
    return cost.rows
  }

  func cursor(_ query: Query) throws(StoreError) -> any RowCursor {
    let begun = shared.clock.now()
    let compiled = try QueryCompiler.compile(query, layout, isCount: false)
    let statement = try bound(compiled)
    let shape = try shape(of: query, compiled, statement)
    let cursor = SQLiteCursor(
      statement, connection, compiled, layout.schema.version, shape, shared.clock, begun: begun)
    add(cursor)
    return cursor
  }

  private func bound(_ compiled: CompiledQuery) throws(StoreError) -> Statement {
    let statement: Statement
    do {
      statement = try connection.take(compiled.sql)
    } catch  where error.isOverLimits {
      // The compiler writes sound SQL, so what is refused is its size.
      throw StoreError(
        .invalidArgument, .expressionTooLarge, "the query is too large for the engine",
        cause: error.description)
    } catch {
      throw StoreError(error)
    }
    do {
      for (index, value) in compiled.values.enumerated() {
        try ValueBinding.bind(literal: value, to: statement, index + 1)
      }
    } catch {
      throw StoreError(error)
    }
    return statement
  }

  // MARK: Shapes

  /// The query's shape: with the statement, or looked for and kept with it.
  ///
  /// Statements are dropped when the schema changes, so that none has a shape of an older one.
  private func shape(
    of query: Query, _ compiled: CompiledQuery, _ statement: Statement
  ) throws(StoreError) -> QueryShape {
    if let shape = statement.note as? QueryShape { return shape }
    let sql =
      compiled.hasLongList
      ? try QueryCompiler.compile(query, layout, isCount: compiled.isCount, listMax: 2).sql
      : compiled.sql
    let kind: QueryShape.Kind = compiled.isCount ? .count : .fetch
    let version = layout.schema.version
    let shape: QueryShape
    switch shared.shapes.find(sql, kind, schemaVersion: version) {
    case .shape(let known): shape = known
    case .room: shape = shared.shapes.keep(try makeShape(query, kind, compiled, sql), for: sql)
    }
    statement.note = shape
    return shape
  }

  /// Asks for the plan of the SQL that is about to run: of a shape's lists, the length met first.
  private func makeShape(
    _ query: Query, _ kind: QueryShape.Kind, _ compiled: CompiledQuery, _ sql: String
  ) throws(StoreError) -> QueryShape {
    var shown = query
    shown.prefetch = []
    if kind == .count {
      // Not part of what a count runs.
      shown.sort = []
      shown.selection = .all
    }
    var plan: QueryPlan?
    do throws(SQLiteError) {
      plan = try connection.plan(of: compiled.sql)
    } catch  where error.isInterrupt {
      // It was meant for the query.
      throw StoreError(error)
    } catch {
      // The query itself is none the worse for it.
      plan = nil
    }
    return QueryShape(
      entity: query.entity, kind: kind, text: QueryText.shape(shown, schema: layout.schema),
      sql: sql, plan: plan?.lines ?? [], isFullScan: plan?.isFullScan ?? false,
      schemaVersion: layout.schema.version)
  }
}

extension QueryCost {
  mutating func add(_ work: StatementWork) {
    rowsScanned += work.scanSteps
    sorts += work.sorts
    autoIndexes += work.autoIndexRows
  }
}
