import RoostModel

/// A query as SQLite runs it.
struct CompiledQuery {
  var sql: String
  var isCount: Bool
  /// Whether a list in it has more than two values, so that queries of its shape have other SQL.
  var hasLongList: Bool
  /// Bound from 1 on.
  var values: [Value]
  var columns: [ResultColumn]
  /// What the batches say: the entity, or 0 and 1…n for computed values.
  var entity: EntityID
  var properties: [PropertyID]
}

/// Turns checked queries into SQL.
///
/// Literals are parameters, so that queries of one shape share a statement.
struct QueryCompiler {
  private var generator: SQLGenerator
  private let typed: TypedQuery
  private let query: Query
  private let entity: EntityLayout

  /// At most `listMax` values of a list are written; fewer than it has give SQL that shows a shape.
  static func compile(
    _ query: Query, _ layout: StoreLayout, isCount: Bool, listMax: Int = .max
  ) throws(StoreError) -> CompiledQuery {
    let typed = try ExpressionChecker.check(query, schema: layout.schema)
    let entity = try layout.entity(query.entity)
    var compiler = QueryCompiler(
      generator: SQLGenerator(layout: layout, root: entity, listMax: listMax), typed: typed,
      query: query, entity: entity)
    return isCount ? try compiler.count() : try compiler.select()
  }

  private mutating func select() throws(StoreError) -> CompiledQuery {
    var compiled = CompiledQuery(
      sql: "", isCount: false, hasLongList: false, values: [], columns: [], entity: entity.id,
      properties: [])
    let list = try selection(&compiled)
    var tail = try condition()
    tail += try order()
    tail += limits()
    compiled.sql = "SELECT \(list) FROM \(generator.rootSource())\(tail)"
    compiled.hasLongList = generator.hasLongList
    compiled.values = generator.values
    return compiled
  }

  private mutating func count() throws(StoreError) -> CompiledQuery {
    var tail = try condition()
    let isBounded = query.limit != nil || query.offset > 0
    if isBounded { tail += limits() }
    let source = generator.rootSource()
    let sql =
      isBounded
      ? "SELECT count(*) FROM (SELECT 1 FROM \(source)\(tail))"
      : "SELECT count(*) FROM \(source)\(tail)"
    return CompiledQuery(
      sql: sql, isCount: true, hasLongList: generator.hasLongList, values: generator.values,
      columns: [.rowID], entity: 0, properties: [1])
  }

  private mutating func selection(
    _ compiled: inout CompiledQuery
  ) throws(StoreError) -> String {
    switch query.selection {
    case .all:
      compiled.properties = entity.allProperties
      compiled.columns = entity.allColumns
      return entity.allColumnsSQL
    case .properties(let ids):
      compiled.properties = [0] + ids.filter { $0 != 0 }
    case .expressions:
      guard !typed.selected.isEmpty else {
        throw StoreError(.invalidArgument, .unknownColumn, "a selection names one value at least")
      }
      var list: [String] = []
      for (index, expression) in typed.selected.enumerated() {
        list.append(try generator.value(expression))
        compiled.columns.append(ResultColumn(expression.type))
        compiled.properties.append(PropertyID(index + 1))
      }
      compiled.entity = 0
      return list.joined(separator: ",")
    }
    let selection = try ColumnSelection(entity, compiled.properties)
    compiled.columns = selection.columns
    return selection.sql(alias: SQLGenerator.rootAlias)
  }

  private mutating func condition() throws(StoreError) -> String {
    guard let predicate = typed.predicate else { return "" }
    return " WHERE \(try generator.condition(predicate))"
  }

  private mutating func order() throws(StoreError) -> String {
    var keys: [String] = []
    for key in typed.sort {
      let sql = try generator.value(key.expression)
      let direction = key.isDescending ? " DESC" : ""
      switch key.domain {
      case .unsigned: keys += ["(\(sql))<0\(direction)", sql + direction]
      case .decimal: keys.append("\(sql) COLLATE roost_decimal\(direction)")
      default: keys.append(sql + direction)
      }
    }
    return " ORDER BY " + (keys + [#"\#(SQLGenerator.rootAlias)."_pk""#]).joined(separator: ",")
  }

  private mutating func limits() -> String {
    if query.limit == nil, query.offset == 0 { return "" }
    let limit = generator.parameter(.int(Int64(query.limit ?? -1)))
    if query.offset == 0 { return " LIMIT \(limit)" }
    return " LIMIT \(limit) OFFSET \(generator.parameter(.int(Int64(query.offset))))"
  }
}

extension ResultColumn {
  init(_ type: ExpressionType) {
    switch type {
    case .null: self.init(.int)
    case .attribute(let type): self.init(ColumnKind(type))
    case .reference(let entity): self.init(.reference, destination: entity)
    }
  }
}
