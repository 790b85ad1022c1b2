/// Looks up the names of a written expression and gives its literals their types.
struct ExpressionBinder {
  struct Scope {
    var entity: EntitySchema
    /// The name a closure gives its row.
    var parameter: String?
  }

  let schema: StoreSchema
  let text: String
  /// The innermost last.
  var scopes: [Scope]

  init(schema: StoreSchema, entity: EntitySchema, text: String) {
    self.schema = schema
    self.text = text
    scopes = [Scope(entity: entity)]
  }

  var typing: ExpressionTyping {
    ExpressionTyping(paths: PathResolver(schema: schema, scopes: scopes.map(\.entity.id)))
  }

  func error(_ message: String, at node: SyntaxNode) -> QueryTextError {
    QueryTextError(message, in: text, at: node.offset)
  }

  /// Binds a node; `hint` is the type a literal takes here, nil where nothing around it says one.
  func bind(
    _ node: SyntaxNode, hint: ExpressionType? = nil
  ) throws(QueryTextError) -> QueryExpression {
    switch node.kind {
    case .null: return .literal(.null)
    case .bool(let flag): return .literal(.bool(flag))
    case .integer, .number, .string, .row: return .literal(try literal(node, hint: hint))
    case .name, .rowIdentifier, .scope, .member, .rowIdentifierMember:
      return try way(node)
    case .call(let base, let name, let arguments):
      return try call(base, name, arguments, hint: hint, at: node)
    case .closureCall(let base, let name, let parameter, let body):
      return try closure(base, name, parameter, body, at: node)
    case .not(let part): return .not(try bind(part))
    case .negate(let part): return .function(.negate, [try bind(part, hint: hint)])
    case .and(let parts): return .and(try bindAll(parts))
    case .or(let parts): return .or(try bindAll(parts))
    case .compare(let operation, let lhs, let rhs):
      let (lhs, rhs) = try bindPair(lhs, rhs, hint: nil)
      return .compare(operation, lhs, rhs)
    case .containsFolded(let lhs, let rhs):
      let text = ExpressionType.attribute(.text)
      return .textTest(
        .contains, try bind(lhs, hint: text), try bind(rhs, hint: text), folded: true)
    case .isIn(let part, let items): return try isIn(part, items)
    case .coalesce(let lhs, let rhs):
      let (lhs, rhs) = try bindPair(lhs, rhs, hint: hint)
      return .coalesce(lhs, rhs)
    case .arithmetic(let operation, let lhs, let rhs):
      let (lhs, rhs) = try bindPair(lhs, rhs, hint: hint)
      return .arithmetic(operation, lhs, rhs)
    case .conditional(let test, let then, let other):
      let test = try bind(test)
      let (then, other) = try bindPair(then, other, hint: hint)
      return .conditional(test, then: then, else: other)
    case .parenthesized(let inner): return try bind(inner, hint: hint)
    }
  }

  func bindAll(_ nodes: [SyntaxNode]) throws(QueryTextError) -> [QueryExpression] {
    var bound: [QueryExpression] = []
    bound.reserveCapacity(nodes.count)
    for node in nodes { bound.append(try bind(node)) }
    return bound
  }

  /// Two operands of which each gives the literals of the other their type.
  private func bindPair(
    _ lhs: SyntaxNode, _ rhs: SyntaxNode, hint: ExpressionType?
  ) throws(QueryTextError) -> (QueryExpression, QueryExpression) {
    if lhs.isOpen {
      let second = try bind(rhs, hint: hint)
      return (try bind(lhs, hint: typing.type(of: second) ?? hint), second)
    }
    let first = try bind(lhs, hint: hint)
    return (first, try bind(rhs, hint: typing.type(of: first) ?? hint))
  }

  private func isIn(
    _ part: SyntaxNode, _ items: [SyntaxNode]
  ) throws(QueryTextError) -> QueryExpression {
    let bound = try bind(part)
    let type = typing.type(of: bound)
    var values: [Value] = []
    values.reserveCapacity(items.count)
    for item in items {
      guard case .literal(let value) = try bind(item, hint: type) else {
        throw error("a list holds literals only", at: item)
      }
      values.append(value)
    }
    return .isIn(bound, values)
  }

  func literal(
    _ node: SyntaxNode, hint: ExpressionType?
  ) throws(QueryTextError) -> Value {
    do throws(LiteralError) {
      switch node.kind {
      case .string(let string): return try LiteralText.value(string: string, expecting: hint)
      case .integer(let digits): return try LiteralText.value(integer: digits, expecting: hint)
      case .number(let digits): return try LiteralText.value(number: digits, expecting: hint)
      case .row(let row, let entity): return try rowLiteral(row, entity, hint: hint)
      default: return .null
      }
    } catch {
      throw self.error(describe(node) + " " + error.reason, at: node)
    }
  }

  private func rowLiteral(
    _ row: Int64, _ entity: String?, hint: ExpressionType?
  ) throws(LiteralError) -> Value {
    if let entity {
      guard let named = schema.entity(named: entity) else {
        throw LiteralError("names no entity" + suggestion(for: entity, among: schema.entityNames))
      }
      return .reference(RowReference(entity: named.id, row: row))
    }
    switch hint {
    case .reference(let entity): return .reference(RowReference(entity: entity, row: row))
    case .attribute(.int): return .int(row)
    default: throw LiteralError("stands beside no row: write id == #7, origin == #7 or Airport#7")
    }
  }

  private func describe(_ node: SyntaxNode) -> String {
    switch node.kind {
    case .string(let content), .integer(let content), .number(let content): "“\(content)”"
    case .row(let row, let entity): "“\(entity ?? "")#\(row)”"
    default: "this"
    }
  }

  func suggestion(for name: String, among names: [String]) -> String {
    NearestName.suggestion(for: name, among: names).map { "; did you mean “\($0)”?" } ?? ""
  }
}

extension SyntaxNode {
  /// Whether only literals decide its type.
  var isOpen: Bool {
    switch kind {
    case .null, .bool, .integer, .number, .string, .row: true
    case .negate(let part), .parenthesized(let part): part.isOpen
    case .coalesce(let lhs, let rhs), .arithmetic(_, let lhs, let rhs),
      .conditional(_, let lhs, let rhs):
      lhs.isOpen && rhs.isOpen
    case .call(nil, "abs", let arguments): arguments.allSatisfy(\.isOpen)
    case .call(nil, "and", _), .call(nil, "or", _): false
    case .call(nil, _, let arguments): arguments.first?.isString == true
    default: false
    }
  }

  private var isString: Bool { if case .string = kind { true } else { false } }
}

extension StoreSchema {
  var entityNames: [String] { entities.map(\.name) }
}
