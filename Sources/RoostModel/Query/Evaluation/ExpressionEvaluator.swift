/// Runs a checked expression on rows in memory, with the meaning it has in SQL.
///
/// Isolation: a plain value; use it where its source may be used.
package struct ExpressionEvaluator<Source: RowSource> {
  package let source: Source
  /// Arithmetic without a result so far: overflow, division by zero, a cast that does not fit.
  package private(set) var warnings = 0
  /// Rows in scope, the innermost last.
  private var rows: [Source.Row] = []

  package init(source: Source) { self.source = source }

  /// Whether a row satisfies a condition; nil is no.
  package mutating func matches(
    _ condition: TypedExpression, _ row: Source.Row
  ) throws(StoreError) -> Bool {
    try within(row) { (evaluator) throws(StoreError) in try evaluator.test(condition) }
  }

  /// What an expression gives for a row.
  package mutating func value(
    of expression: TypedExpression, for row: Source.Row
  ) throws(StoreError) -> Value {
    try within(row) { (evaluator) throws(StoreError) in try evaluator.evaluate(expression) }
  }

  private mutating func within<Result>(
    _ row: Source.Row, _ body: (inout Self) throws(StoreError) -> Result
  ) throws(StoreError) -> Result {
    rows.append(row)
    defer { rows.removeLast() }
    return try body(&self)
  }

  // MARK: Conditions

  private mutating func test(_ condition: TypedExpression) throws(StoreError) -> Bool {
    switch condition.node {
    case .and(let parts):
      for part in parts where try !test(part) { return false }
      return true
    case .or(let parts):
      for part in parts where try test(part) { return true }
      return false
    case .not(let part): return try !test(part)
    case .compare(let operation, let domain, let lhs, let rhs):
      return ComparisonRules.holds(operation, try evaluate(lhs), try evaluate(rhs), in: domain)
    case .isIn(let part, let domain, let values):
      let value = try evaluate(part)
      return values.contains { ValueOrder.compare(value, $0, in: domain) == 0 }
    case .isNil(let part): return try evaluate(part).isNull
    case .textTest(let operation, let lhs, let rhs, let folded):
      guard case .text(let text) = try evaluate(lhs), case .text(let part) = try evaluate(rhs)
      else { return false }
      return TextRules.holds(operation, text, part, folded: folded)
    case .toMany(let quantifier, let path, let predicate):
      return try test(quantifier, path, predicate)
    default: return try evaluate(condition) == .bool(true)
    }
  }

  private mutating func test(
    _ quantifier: Quantifier, _ path: ResolvedPath, _ predicate: TypedExpression
  ) throws(StoreError) -> Bool {
    // Looks for the row that decides: one that satisfies it, or for `all` one that does not.
    let decisive = quantifier != .all
    for row in try related(path) where try matches(predicate, row) == decisive {
      return quantifier == .any
    }
    return quantifier != .any
  }

  // MARK: Values

  private mutating func evaluate(_ expression: TypedExpression) throws(StoreError) -> Value {
    switch expression.node {
    case .literal(let value): return value
    case .path(let path): return try value(at: path)
    case .coalesce(let first, let second):
      let value = try evaluate(first)
      return value.isNull ? try evaluate(second) : value
    case .conditional(let condition, let then, let other):
      return try evaluate(try test(condition) ? then : other)
    case .arithmetic(let operation, let domain, let lhs, let rhs):
      let (lhs, rhs) = (try evaluate(lhs), try evaluate(rhs))
      if lhs.isNull || rhs.isNull { return .null }
      return noted(
        ArithmeticRules.apply(operation, lhs, rhs, in: domain, isDate: expression.type.isDate))
    case .function(let function, let part):
      let operand = try evaluate(part)
      return operand.isNull ? .null : noted(FunctionRules.apply(function, operand))
    case .cast(let part):
      let operand = try evaluate(part)
      guard !operand.isNull, case .attribute(let source) = part.type,
        case .attribute(let target) = expression.type
      else { return .null }
      return noted(ValueCast.apply(operand, from: source, to: target))
    case .count(let path, let filter):
      let related = try related(path)
      guard let filter else { return .int(Int64(related.count)) }
      var count: Int64 = 0
      for row in related where try matches(filter, row) { count += 1 }
      return .int(count)
    default: return .bool(try test(expression))
    }
  }

  private mutating func noted(_ result: Value) -> Value {
    if result.isNull { warnings += 1 }
    return result
  }

  private func value(at path: ResolvedPath) throws(StoreError) -> Value {
    guard let last = path.properties.last else {
      return .reference(source.reference(of: start(path)))
    }
    guard let row = try owner(of: path) else { return .null }
    return try source.value(of: last, in: row)
  }

  private func related(_ path: ResolvedPath) throws(StoreError) -> [Source.Row] {
    guard let last = path.properties.last, let row = try owner(of: path) else { return [] }
    return try source.related(last, of: row)
  }

  /// The row that has the path's last property; nil if a to-one on the way is nil or dangling.
  private func owner(of path: ResolvedPath) throws(StoreError) -> Source.Row? {
    var row = start(path)
    for property in path.properties.dropLast() {
      guard case .reference(let reference) = try source.value(of: property, in: row),
        let next = try source.row(reference)
      else { return nil }
      row = next
    }
    return row
  }

  private func start(_ path: ResolvedPath) -> Source.Row { rows[rows.count - 1 - path.scope] }
}

extension ExpressionType {
  var isDate: Bool { self == .attribute(.date) }
}
