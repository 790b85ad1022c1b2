import RoostModel

/// Writes checked expressions as SQL, with the meaning they have in memory.
///
/// A *condition* is SQL that is true exactly when the expression is, and false or NULL otherwise:
/// good for WHERE. A *value* is exact: conditions become 0 or 1.
struct SQLGenerator {
  /// The rows of one FROM: its alias and the to-ones joined to it.
  private struct Scope {
    let alias: String
    let entity: EntityLayout
    /// Aliases by the way that leads there.
    var joins: [[PropertyID]: String] = [:]
    var joinSQL = ""
  }

  private let layout: StoreLayout
  /// The innermost last.
  private var scopes: [Scope]
  private var aliasCount = 1
  private(set) var values: [Value] = []
  /// How many values of a list are written.
  private let listMax: Int
  /// A list has more than two values.
  private(set) var hasLongList = false

  init(layout: StoreLayout, root: EntityLayout, listMax: Int) {
    self.layout = layout
    self.listMax = listMax
    scopes = [Scope(alias: "t0", entity: root)]
  }

  static let rootAlias = "t0"

  /// What stands behind FROM; ask when all expressions are written.
  func rootSource() -> String { "\(scopes[0].entity.table) AS t0\(scopes[0].joinSQL)" }

  mutating func parameter(_ value: Value) -> String {
    values.append(value)
    return "?\(values.count)"
  }

  // MARK: Conditions

  mutating func condition(_ expression: TypedExpression) throws(StoreError) -> String {
    switch expression.node {
    case .and(let parts): return try joined(parts, " AND ", empty: "1")
    case .or(let parts): return try joined(parts, " OR ", empty: "0")
    case .not(let part): return try negated(part)
    case .compare(let operation, let domain, let lhs, let rhs):
      return try compare(operation, domain, lhs, rhs)
    case .isIn(let part, _, let values): return try isIn(part, values)
    case .isNil(let part): return "(\(try value(part)) IS NULL)"
    case .textTest(let operation, let text, let part, let folded):
      return try textTest(operation, text, part, folded: folded)
    case .toMany(let quantifier, let path, let predicate):
      return try toMany(quantifier, path, predicate)
    case .literal(let value): return value == .bool(true) ? "1" : "0"
    default: return try value(expression)
    }
  }

  private mutating func joined(
    _ parts: [TypedExpression], _ word: String, empty: String
  ) throws(StoreError) -> String {
    if parts.isEmpty { return empty }
    var list: [String] = []
    for part in parts { list.append(try condition(part)) }
    return "(\(list.joined(separator: word)))"
  }

  /// True exactly when the condition is not: NULL counts as false only here.
  private mutating func negated(_ part: TypedExpression) throws(StoreError) -> String {
    switch part.node {
    case .not(let inner): return try condition(inner)
    case .isNil(let inner): return "(\(try value(inner)) IS NOT NULL)"
    case .compare(.equal, let domain, let lhs, let rhs):
      return try compare(.notEqual, domain, lhs, rhs)
    case .compare(.notEqual, let domain, let lhs, let rhs):
      return try compare(.equal, domain, lhs, rhs)
    case .toMany(let quantifier, let path, let predicate) where quantifier != .all:
      return try toMany(quantifier == .any ? .none : .any, path, predicate)
    default: return "(\(try condition(part)) IS NOT TRUE)"
    }
  }

  private mutating func compare(
    _ operation: ComparisonOperator, _ domain: ComparisonDomain, _ first: TypedExpression,
    _ second: TypedExpression
  ) throws(StoreError) -> String {
    let lhs = try value(first)
    let rhs = try value(second)
    switch operation {
    case .equal:
      // A literal that is not nil: "=" is true when IS is, and lets a join be an inner one.
      let isPlain = [first, second].contains { $0.literal.map { !$0.isNull } ?? false }
      return "(\(lhs) \(isPlain ? "=" : "IS") \(rhs))"
    case .notEqual: return "(\(lhs) IS NOT \(rhs))"
    case .less: return ordered(lhs, "<", rhs, domain)
    case .lessOrEqual: return ordered(lhs, "<=", rhs, domain)
    case .greater: return ordered(lhs, ">", rhs, domain)
    case .greaterOrEqual: return ordered(lhs, ">=", rhs, domain)
    }
  }

  private func ordered(
    _ lhs: String, _ word: String, _ rhs: String, _ domain: ComparisonDomain
  ) -> String {
    switch domain {
    case .unsigned: "((\(lhs)<0,\(lhs)) \(word) (\(rhs)<0,\(rhs)))"
    // A function: COLLATE in a part would become the collation of every comparison around it.
    case .decimal: "(\(SQLFunctions.decimalOrder)(\(lhs),\(rhs)) \(word) 0)"
    default: "(\(lhs) \(word) \(rhs))"
    }
  }

  private mutating func isIn(
    _ part: TypedExpression, _ list: [Value]
  ) throws(StoreError) -> String {
    guard list.count <= Limits.listValuesMax else {
      throw StoreError(
        .invalidArgument, .expressionTooLarge,
        "a list test has at most \(Limits.listValuesMax) values")
    }
    let operand = try value(part)
    let hasNil = list.contains(.null)
    let written = list.filter { !$0.isNull }.prefix(listMax)
    hasLongList = hasLongList || written.count > 2
    let parameters = written.map { parameter($0) }
    var sql = parameters.isEmpty ? "0" : "\(operand) IN (\(parameters.joined(separator: ",")))"
    if hasNil { sql += " OR \(operand) IS NULL" }
    return "(\(sql))"
  }

  private mutating func textTest(
    _ operation: TextOperator, _ text: TypedExpression, _ part: TypedExpression, folded: Bool
  ) throws(StoreError) -> String {
    if !folded, operation == .startsWith, case .text(let prefix)? = part.literal,
      let end = Self.end(ofPrefix: prefix)
    {
      // A range of bytes, which an index can serve. The end need not be valid UTF-8.
      let operand = try value(text)
      let first = parameter(.text(prefix))
      return "(\(operand)>=\(first) AND \(operand)<CAST(\(parameter(.blob(end))) AS TEXT))"
    }
    let operand = try value(text)
    if folded, case .text(let literal)? = part.literal {
      let part = parameter(.text(TextFolding.fold(literal)))
      return "\(SQLFunctions.name(operation, folded: true))(\(operand),\(part))"
    }
    let other = try value(part)
    if folded {
      return "\(SQLFunctions.name(operation, folded: true))(\(operand),roost_fold(\(other)))"
    }
    if operation == .contains { return "(instr(\(operand),\(other))>0)" }
    return "\(SQLFunctions.name(operation, folded: false))(\(operand),\(other))"
  }

  /// The first bytes behind all texts with the prefix; nil if there are none.
  private static func end(ofPrefix prefix: String) -> [UInt8]? {
    var bytes = [UInt8](prefix.utf8)
    while let last = bytes.popLast() {
      if last < 0xFF {
        bytes.append(last + 1)
        return bytes
      }
    }
    return nil
  }

  // MARK: To-many

  private mutating func toMany(
    _ quantifier: Quantifier, _ path: ResolvedPath, _ predicate: TypedExpression
  ) throws(StoreError) -> String {
    let rows = try related(path) { (generator) throws(StoreError) in
      quantifier == .all
        ? try generator.negated(predicate) : try generator.condition(predicate)
    }
    // In parentheses: NOT binds looser than what may stand around it.
    return quantifier == .any ? "EXISTS(SELECT 1 \(rows))" : "(NOT EXISTS(SELECT 1 \(rows)))"
  }

  /// `FROM … WHERE …` over the rows of a to-many that satisfy a condition.
  private mutating func related(
    _ path: ResolvedPath, _ filter: (inout SQLGenerator) throws(StoreError) -> String?
  ) throws(StoreError) -> String {
    let (owner, alias) = try owner(of: path)
    guard let last = path.properties.last, let toMany = owner.toMany[last] else {
      throw StoreError(.internal, .invariant, "a to-many path ends elsewhere")
    }
    let inner = nextAlias()
    let destination: EntityLayout
    let link: String
    switch toMany {
    case .inverse(let entity, let column):
      destination = try layout.entity(entity)
      link = #"\#(inner).\#(destination.column(column)?.sql ?? "NULL")=\#(alias)."_pk""#
    case .join(let join):
      destination = try layout.entity(join.other)
      link =
        #"\#(inner)."_pk" IN (SELECT \#(join.otherColumn) FROM \#(join.table) "#
        + #"WHERE \#(join.ownColumn)=\#(alias)."_pk")"#
    }
    scopes.append(Scope(alias: inner, entity: destination))
    let condition = try filter(&self)
    let scope = scopes.removeLast()
    return "FROM \(destination.table) AS \(inner)\(scope.joinSQL) WHERE \(link)"
      + (condition.map { " AND \($0)" } ?? "")
  }

  // MARK: Values

  mutating func value(_ expression: TypedExpression) throws(StoreError) -> String {
    switch expression.node {
    case .literal(let value): return value.isNull ? "NULL" : parameter(value)
    case .path(let path): return try self.path(path)
    case .coalesce(let first, let second):
      return "coalesce(\(try value(first)),\(try value(second)))"
    case .conditional(let test, let then, let other):
      return
        "CASE WHEN \(try condition(test)) THEN \(try value(then)) ELSE \(try value(other)) END"
    case .arithmetic(let operation, let domain, let lhs, let rhs):
      return "\(SQLFunctions.name(operation, domain))(\(try value(lhs)),\(try value(rhs)))"
    case .function(let function, let part):
      return "\(SQLFunctions.name(function, part.type))(\(try value(part)))"
    case .cast(let part): return try cast(part, to: expression.type)
    case .count(let path, let filter):
      let rows = try related(path) { (generator) throws(StoreError) in
        guard let filter else { return nil }
        return try generator.condition(filter)
      }
      return "(SELECT count(*) \(rows))"
    case .isNil, .toMany: return try condition(expression)
    case .compare(.notEqual, _, _, _): return try condition(expression)
    default: return "(\(try condition(expression)) IS TRUE)"
    }
  }

  private mutating func cast(
    _ part: TypedExpression, to type: ExpressionType
  ) throws(StoreError) -> String {
    guard case .attribute(let source) = part.type, case .attribute(let target) = type else {
      return "NULL"
    }
    let operand = try value(part)
    return source == target ? operand : "\(SQLFunctions.castName(source, target))(\(operand))"
  }

  // MARK: Paths

  private mutating func path(_ path: ResolvedPath) throws(StoreError) -> String {
    let (owner, alias) = try owner(of: path)
    guard let last = path.properties.last, last != 0 else { return #"\#(alias)."_pk""# }
    guard let column = owner.column(last) else {
      throw StoreError(.internal, .invariant, "a path ends at no column of \(owner.name)")
    }
    return "\(alias).\(column.sql)"
  }

  /// The entity and alias that have the path's last property, joined if need be.
  private mutating func owner(
    of path: ResolvedPath
  ) throws(StoreError) -> (EntityLayout, String) {
    let index = scopes.count - 1 - path.scope
    guard scopes.indices.contains(index) else {
      throw StoreError(.internal, .invariant, "a path begins outside all rows")
    }
    var entity = scopes[index].entity
    var alias = scopes[index].alias
    var way: [PropertyID] = []
    for property in path.properties.dropLast() {
      way.append(property)
      guard let column = entity.column(property) else {
        throw StoreError(.internal, .invariant, "a path goes over no column of \(entity.name)")
      }
      let destination = try layout.entity(column.destination)
      if let known = scopes[index].joins[way] {
        alias = known
      } else {
        let joined = nextAlias()
        scopes[index].joins[way] = joined
        scopes[index].joinSQL +=
          #" LEFT JOIN \#(destination.table) AS \#(joined) "#
          + #"ON \#(joined)."_pk"=\#(alias).\#(column.sql)"#
        alias = joined
      }
      entity = destination
    }
    return (entity, alias)
  }

  private mutating func nextAlias() -> String {
    defer { aliasCount += 1 }
    return "t\(aliasCount)"
  }
}
