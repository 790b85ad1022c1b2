/// Turns tokens into expressions, with Swift's precedence.
struct SyntaxParser {
  let text: String
  private let tokens: [QueryToken]
  private var index = 0
  private var depth = 0

  init(_ text: String) throws(QueryTextError) {
    self.text = text
    tokens = try QueryLexer.tokens(text)
  }

  // MARK: Tokens

  var current: QueryToken { tokens[min(index, tokens.count - 1)] }
  var isAtEnd: Bool { current.kind == .end }

  mutating func advance() { index += 1 }

  mutating func take(_ symbol: String) -> Bool {
    guard current.kind == .symbol(symbol) else { return false }
    advance()
    return true
  }

  mutating func expect(_ symbol: String) throws(QueryTextError) {
    guard take(symbol) else { throw error("expected “\(symbol)” here") }
  }

  /// Takes an unquoted word, in whatever case.
  mutating func take(word: String) -> Bool {
    guard case .identifier(let name) = current.kind, name.lowercased() == word else {
      return false
    }
    advance()
    return true
  }

  func error(_ message: String, at offset: Int? = nil) -> QueryTextError {
    QueryTextError(message, in: text, at: offset ?? current.range.lowerBound)
  }

  /// Chains nest, too, and whoever walks them does so on the stack.
  private func checkDepth(of node: SyntaxNode) throws(QueryTextError) {
    guard node.depth < Limits.queryTextDepthMax else { throw error("this is nested too deeply") }
  }

  // MARK: Levels, the loosest first

  mutating func expression() throws(QueryTextError) -> SyntaxNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Limits.queryTextDepthMax else { throw error("this is nested too deeply") }
    let condition = try disjunction()
    let offset = current.range.lowerBound
    guard take("?") else { return condition }
    let then = try expression()
    try expect(":")
    return SyntaxNode(.conditional(condition, then, try expression()), at: offset)
  }

  private mutating func disjunction() throws(QueryTextError) -> SyntaxNode {
    let offset = current.range.lowerBound
    var parts = [try conjunction()]
    while take("||") { parts.append(try conjunction()) }
    try refuseWord("or", written: "||")
    return parts.count == 1 ? parts[0] : SyntaxNode(.or(parts), at: offset)
  }

  private mutating func conjunction() throws(QueryTextError) -> SyntaxNode {
    let offset = current.range.lowerBound
    var parts = [try comparison()]
    while take("&&") { parts.append(try comparison()) }
    try refuseWord("and", written: "&&")
    return parts.count == 1 ? parts[0] : SyntaxNode(.and(parts), at: offset)
  }

  private mutating func comparison() throws(QueryTextError) -> SyntaxNode {
    let lhs = try coalescence()
    let offset = current.range.lowerBound
    let kind: SyntaxNode.Kind
    if let operation = comparisonOperator() {
      kind = .compare(operation, lhs, try coalescence())
    } else if take("~=") {
      kind = .containsFolded(lhs, try coalescence())
    } else if take(word: "in") {
      kind = .isIn(lhs, try list())
    } else {
      return lhs
    }
    let next = current.range.lowerBound
    if comparisonOperator() != nil || take("~=") {
      throw error("comparisons do not chain: join them with &&", at: next)
    }
    return SyntaxNode(kind, at: offset)
  }

  private mutating func comparisonOperator() -> ComparisonOperator? {
    guard case .symbol(let symbol) = current.kind,
      let operation = ComparisonOperator.allCases.first(where: { $0.symbol == symbol })
    else { return nil }
    advance()
    return operation
  }

  private mutating func list() throws(QueryTextError) -> [SyntaxNode] {
    try expect("[")
    var items: [SyntaxNode] = []
    if take("]") { return items }
    repeat {
      if items.count == Limits.listValuesMax {
        throw error("a list has at most \(Limits.listValuesMax) values")
      }
      items.append(try prefixed())
    } while take(",")
    try expect("]")
    return items
  }

  private mutating func coalescence() throws(QueryTextError) -> SyntaxNode {
    var parts = [try sum()]
    var offsets: [Int] = []
    while current.kind == .symbol("??") {
      offsets.append(current.range.lowerBound)
      advance()
      parts.append(try sum())
    }
    var node = parts.removeLast()
    while let lhs = parts.popLast(), let offset = offsets.popLast() {
      try checkDepth(of: node)
      node = SyntaxNode(.coalesce(lhs, node), at: offset)
    }
    return node
  }

  private mutating func sum() throws(QueryTextError) -> SyntaxNode {
    var node = try product()
    while let (operation, offset) = arithmeticOperator([.add, .subtract]) {
      try checkDepth(of: node)
      node = SyntaxNode(.arithmetic(operation, node, try product()), at: offset)
    }
    return node
  }

  private mutating func product() throws(QueryTextError) -> SyntaxNode {
    var node = try prefixed()
    while let (operation, offset) = arithmeticOperator([.multiply, .divide, .remainder]) {
      try checkDepth(of: node)
      node = SyntaxNode(.arithmetic(operation, node, try prefixed()), at: offset)
    }
    return node
  }

  private mutating func arithmeticOperator(
    _ operations: [ArithmeticOperator]
  ) -> (ArithmeticOperator, Int)? {
    guard case .symbol(let symbol) = current.kind,
      let operation = operations.first(where: { $0.symbol == symbol })
    else { return nil }
    defer { advance() }
    return (operation, current.range.lowerBound)
  }

  /// SQL's words are a likely slip: say what is meant instead.
  private func refuseWord(_ word: String, written symbol: String) throws(QueryTextError) {
    guard case .identifier(let name) = current.kind, name.lowercased() == word else { return }
    throw error("“\(name)” is written \(symbol)")
  }

  mutating func prefixed() throws(QueryTextError) -> SyntaxNode {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Limits.queryTextDepthMax else { throw error("this is nested too deeply") }
    let offset = current.range.lowerBound
    if take("!") { return SyntaxNode(.not(try prefixed()), at: offset) }
    guard take("-") else { return try postfixed() }
    switch current.kind {
    case .integer(let digits):
      advance()
      return SyntaxNode(.integer("-" + digits), at: offset)
    case .number(let digits):
      advance()
      return SyntaxNode(.number("-" + digits), at: offset)
    default: return SyntaxNode(.negate(try prefixed()), at: offset)
    }
  }
}

extension SyntaxParser {
  private mutating func postfixed() throws(QueryTextError) -> SyntaxNode {
    var node = try primary()
    while take(".") {
      try checkDepth(of: node)
      node = try member(of: node)
    }
    return node
  }

  private mutating func member(of base: SyntaxNode) throws(QueryTextError) -> SyntaxNode {
    let offset = current.range.lowerBound
    let name: String
    switch current.kind {
    case .identifier(let word): name = word
    case .quotedIdentifier(let word):
      advance()
      return SyntaxNode(.member(base, word), at: offset)
    case .rowIdentifier:
      advance()
      return SyntaxNode(.rowIdentifierMember(base), at: offset)
    default: throw error("expected a property's name after the point")
    }
    advance()
    if current.kind == .symbol("("), current.range.lowerBound == offset + name.utf8.count {
      return SyntaxNode(.call(base, name, try arguments()), at: offset)
    }
    if take("{") { return try closure(base, name, at: offset) }
    return SyntaxNode(.member(base, name), at: offset)
  }

  private mutating func closure(
    _ base: SyntaxNode, _ name: String, at offset: Int
  ) throws(QueryTextError) -> SyntaxNode {
    var parameter: String?
    if case .identifier(let word) = current.kind, index + 1 < tokens.count,
      tokens[index + 1].kind == .identifier("in"), !isListNext(after: index + 2)
    {
      parameter = word
      index += 2
    }
    let body = try expression()
    try expect("}")
    return SyntaxNode(.closureCall(base, name, parameter: parameter, body), at: offset)
  }

  /// `{ a in [1, 2] }` tests a property, `{ a in a.b > 1 }` names the row.
  private func isListNext(after position: Int) -> Bool {
    position < tokens.count && tokens[position].kind == .symbol("[")
  }

  private mutating func arguments() throws(QueryTextError) -> [SyntaxNode] {
    try expect("(")
    var arguments: [SyntaxNode] = []
    if take(")") { return arguments }
    repeat { arguments.append(try expression()) } while take(",")
    try expect(")")
    return arguments
  }

  private mutating func primary() throws(QueryTextError) -> SyntaxNode {
    let token = current
    let offset = token.range.lowerBound
    if token.kind == .symbol("(") {
      advance()
      let inner = try expression()
      try expect(")")
      return SyntaxNode(.parenthesized(inner), at: offset)
    }
    advance()
    switch token.kind {
    case .integer(let digits): return SyntaxNode(.integer(digits), at: offset)
    case .number(let digits): return SyntaxNode(.number(digits), at: offset)
    case .string(let content): return SyntaxNode(.string(content), at: offset)
    case .row(let row): return SyntaxNode(.row(row, entity: nil), at: offset)
    case .rowIdentifier: return SyntaxNode(.rowIdentifier, at: offset)
    case .scope(let scope): return SyntaxNode(.scope(scope), at: offset)
    case .quotedIdentifier(let name): return try named(name, token, isQuoted: true)
    case .identifier(let name): return try named(name, token, isQuoted: false)
    case .end: throw error("the query ends where a value is expected", at: offset)
    case .symbol(let symbol):
      throw error("“\(symbol)” stands where a value is expected", at: offset)
    }
  }

  private mutating func named(
    _ name: String, _ token: QueryToken, isQuoted: Bool
  ) throws(QueryTextError) -> SyntaxNode {
    let offset = token.range.lowerBound
    let isAdjacent = current.range.lowerBound == token.range.upperBound
    if isAdjacent, case .row(let row) = current.kind {
      advance()
      return SyntaxNode(.row(row, entity: name), at: offset)
    }
    if isQuoted { return SyntaxNode(.name(name), at: offset) }
    if isAdjacent, current.kind == .symbol("(") {
      return SyntaxNode(.call(nil, name, try arguments()), at: offset)
    }
    switch name {
    case "nil", "null", "NULL": return SyntaxNode(.null, at: offset)
    case "true": return SyntaxNode(.bool(true), at: offset)
    case "false": return SyntaxNode(.bool(false), at: offset)
    default: return SyntaxNode(.name(name), at: offset)
    }
  }
}

extension ComparisonOperator {
  var symbol: String {
    switch self {
    case .equal: "=="
    case .notEqual: "!="
    case .less: "<"
    case .lessOrEqual: "<="
    case .greater: ">"
    case .greaterOrEqual: ">="
    }
  }
}

extension ArithmeticOperator {
  var symbol: String {
    switch self {
    case .add: "+"
    case .subtract: "-"
    case .multiply: "*"
    case .divide: "/"
    case .remainder: "%"
    }
  }
}
