extension ExpressionBinder {
  private static let textType = ExpressionType.attribute(.text)

  /// `base.name` where the name is no property: a function without parentheses.
  func function(
    _ base: SyntaxNode, _ name: String, at node: SyntaxNode
  ) throws(QueryTextError) -> QueryExpression {
    switch name {
    case "count": return .count(try toMany(base, name).0, nil)
    case "isNil": return .isNil(try bind(base))
    case "isEmpty":
      if let path = try? toMany(base, name).0 { return .toMany(.none, path, .and([])) }
      return .compare(.equal, try bind(base, hint: Self.textType), .literal(.text("")))
    case "length": return .function(.length, [try bind(base, hint: Self.textType)])
    case "folded": return .function(.fold, [try bind(base, hint: Self.textType)])
    case "lowercased": return .function(.lowercased, [try bind(base, hint: Self.textType)])
    case "uppercased": return .function(.uppercased, [try bind(base, hint: Self.textType)])
    default:
      let nearest = suggestion(for: name, among: Self.memberNames)
      throw error("nothing is called “\(name)” here\(nearest)", at: node)
    }
  }

  private static let memberNames = [
    "count", "isNil", "isEmpty", "length", "folded", "lowercased", "uppercased", "contains",
    "startsWith", "endsWith", "allSatisfy", "none",
  ]

  func call(
    _ base: SyntaxNode?, _ name: String, _ arguments: [SyntaxNode], hint: ExpressionType?,
    at node: SyntaxNode
  ) throws(QueryTextError) -> QueryExpression {
    guard let base else { return try freeCall(name, arguments, hint: hint, at: node) }
    switch name {
    case "contains": return try textTest(.contains, base, arguments, at: node)
    case "startsWith", "hasPrefix", "starts":
      return try textTest(.startsWith, base, arguments, at: node)
    case "endsWith", "hasSuffix": return try textTest(.endsWith, base, arguments, at: node)
    case "localizedStandardContains":
      return try textTest(.contains, base, arguments, folded: true, at: node)
    case _ where arguments.isEmpty: return try function(base, name, at: node)
    default:
      let nearest = suggestion(for: name, among: Self.memberNames)
      throw error("there is no function “\(name)”\(nearest)", at: node)
    }
  }

  private func textTest(
    _ operation: TextOperator, _ base: SyntaxNode, _ arguments: [SyntaxNode],
    folded: Bool = false, at node: SyntaxNode
  ) throws(QueryTextError) -> QueryExpression {
    var isFolded = folded
    if arguments.count == 2, case .name("folded") = arguments[1].kind { isFolded = true }
    guard arguments.count == 1 || (arguments.count == 2 && isFolded && !folded) else {
      throw error("a text test takes one text, and “folded” to ignore case and accents", at: node)
    }
    if (try? toMany(base, "contains")) != nil {
      throw error("a to-many relationship is searched with braces: contains { … }", at: node)
    }
    return .textTest(
      operation, try bind(base, hint: Self.textType),
      try bind(arguments[0], hint: Self.textType), folded: isFolded)
  }

  private func freeCall(
    _ name: String, _ arguments: [SyntaxNode], hint: ExpressionType?, at node: SyntaxNode
  ) throws(QueryTextError) -> QueryExpression {
    switch name {
    case "and": return .and(try bindAll(arguments))
    case "or": return .or(try bindAll(arguments))
    default: break
    }
    guard arguments.count == 1 else {
      throw error("\(name) takes one value", at: node)
    }
    let argument = arguments[0]
    if name == "abs" { return .function(.absolute, [try bind(argument, hint: hint)]) }
    guard let type = AttributeType.allCases.first(where: { $0.name == name }) else {
      let names = ["abs"] + AttributeType.allCases.map(\.name)
      throw error(
        "there is no function “\(name)”\(suggestion(for: name, among: names))", at: node)
    }
    guard case .string(let content) = argument.kind else {
      return .cast(try bind(argument), to: type)
    }
    do throws(LiteralError) {
      return .literal(try LiteralText.value(content, of: type))
    } catch {
      throw self.error("“\(content)” \(error.reason)", at: argument)
    }
  }

  func closure(
    _ base: SyntaxNode, _ name: String, _ parameter: String?, _ body: SyntaxNode,
    at node: SyntaxNode
  ) throws(QueryTextError) -> QueryExpression {
    let names = ["contains", "allSatisfy", "none", "count"]
    guard names.contains(name) else {
      let nearest = suggestion(for: name, among: names)
      throw error("“\(name)” takes no braces\(nearest)", at: node)
    }
    let (path, entity) = try toMany(base, name)
    guard scopes.count < Limits.expressionDepthMax else {
      throw error("braces are nested too deeply", at: node)
    }
    var inner = self
    inner.scopes.append(Scope(entity: entity, parameter: parameter))
    let predicate = try inner.bind(body)
    switch name {
    case "contains": return .toMany(.any, path, predicate)
    case "allSatisfy": return .toMany(.all, path, predicate)
    case "none": return .toMany(.none, path, predicate)
    default: return .count(path, predicate)
    }
  }
}
