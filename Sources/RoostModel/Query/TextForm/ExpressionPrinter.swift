/// Writes an expression as text that reads back as the same expression.
///
/// It also writes what no schema knows, for messages: `property(9)`.
struct ExpressionPrinter {
  let schema: StoreSchema
  /// The innermost last.
  var scopes: [EntityID]
  /// Whether `?` stands for every literal but nil.
  var hidesLiterals = false

  /// How tightly an expression holds together; looser ones need parentheses inside tighter ones.
  enum Level: Int, Comparable {
    case conditional, or, and, comparison, coalesce, sum, product, prefix, postfix

    static func < (lhs: Level, rhs: Level) -> Bool { lhs.rawValue < rhs.rawValue }
    var tighter: Level { Level(rawValue: rawValue + 1) ?? .postfix }
  }

  func text(_ expression: QueryExpression) -> String {
    text(expression, hint: nil, within: .conditional)
  }

  private var typing: ExpressionTyping {
    ExpressionTyping(paths: PathResolver(schema: schema, scopes: scopes))
  }

  private func text(
    _ expression: QueryExpression, hint: ExpressionType? = nil, within level: Level
  ) -> String {
    let (text, own) = bare(expression, hint: hint)
    return own < level ? "(\(text))" : text
  }

  private func bare(
    _ expression: QueryExpression, hint: ExpressionType?
  ) -> (String, Level) {
    switch expression {
    case .literal(let value):
      let text = literal(value, hint: hint)
      return (text, text.hasPrefix("-") ? .prefix : .postfix)
    case .path(let path): return (PathPrinter(typing.paths).text(path), .postfix)
    case .compare(let operation, let lhs, let rhs):
      return (pair(lhs, operation.symbol, rhs, hint: nil, .coalesce, .coalesce), .comparison)
    case .and(let parts): return junction("and", "&&", parts, .and)
    case .or(let parts): return junction("or", "||", parts, .or)
    case .not(let part): return ("!" + text(part, within: .prefix), .prefix)
    case .isIn(let part, let values): return (isIn(part, values), .comparison)
    case .isNil(let part): return (self.part(of: part) + ".isNil", .postfix)
    case .coalesce(let lhs, let rhs):
      return (pair(lhs, "??", rhs, hint: hint, .sum, .coalesce), .coalesce)
    case .conditional(let test, let then, let other):
      return (conditional(test, then, other, hint: hint), .conditional)
    case .arithmetic(let operation, let lhs, let rhs):
      let level: Level = operation == .add || operation == .subtract ? .sum : .product
      return (pair(lhs, operation.symbol, rhs, hint: hint, level, level.tighter), level)
    case .textTest(let operation, let lhs, let rhs, let folded):
      return textTest(operation, lhs, rhs, folded: folded)
    case .function(let function, let arguments): return call(function, arguments, hint: hint)
    case .cast(let part, let type): return ("\(type.name)(\(castPart(part)))", .postfix)
    case .toMany(let quantifier, let path, let predicate):
      return (toMany(quantifier, path, predicate), .postfix)
    case .count(let path, let filter):
      let base = PathPrinter(typing.paths).text(path)
      guard let filter else { return (base + ".count", .postfix) }
      return ("\(base).count { \(inner(path).text(filter)) }", .postfix)
    }
  }

  private func pair(
    _ lhs: QueryExpression, _ symbol: String, _ rhs: QueryExpression, hint: ExpressionType?,
    _ left: Level, _ right: Level
  ) -> String {
    let (leftHint, rightHint) = hints(lhs, rhs, hint)
    return text(lhs, hint: leftHint, within: left) + " \(symbol) "
      + text(rhs, hint: rightHint, within: right)
  }

  /// As ``ExpressionBinder`` has them: a side gives the other its type.
  private func hints(
    _ lhs: QueryExpression, _ rhs: QueryExpression, _ hint: ExpressionType?
  ) -> (ExpressionType?, ExpressionType?) {
    let typing = typing
    let (left, right) = (typing.type(of: lhs), typing.type(of: rhs))
    return (left == nil ? right ?? hint : hint, left == nil ? hint : left)
  }

  private func junction(
    _ name: String, _ symbol: String, _ parts: [QueryExpression], _ level: Level
  ) -> (String, Level) {
    guard parts.count > 1 else {
      return ("\(name)(\(parts.map { text($0) }.joined(separator: ", ")))", .postfix)
    }
    let texts = parts.map { text($0, within: level.tighter) }
    return (texts.joined(separator: " \(symbol) "), level)
  }

  private func isIn(_ part: QueryExpression, _ values: [Value]) -> String {
    let type = typing.type(of: part)
    let items = hidesLiterals ? Self.kinds(values) : values.map { literal($0, hint: type) }
    return text(part, within: .coalesce) + " in [" + items.joined(separator: ", ") + "]"
  }

  private func literal(_ value: Value, hint: ExpressionType?) -> String {
    hidesLiterals && !value.isNull ? "?" : LiteralText.text(value, expecting: hint, in: schema)
  }

  /// What a list holds, whatever its length.
  private static func kinds(_ values: [Value]) -> [String] {
    let hasNil = values.contains { $0.isNull }
    let hasOther = values.contains { !$0.isNull }
    return (hasOther ? ["?"] : []) + (hasNil ? ["nil"] : [])
  }

  private func conditional(
    _ test: QueryExpression, _ then: QueryExpression, _ other: QueryExpression,
    hint: ExpressionType?
  ) -> String {
    let (left, right) = hints(then, other, hint)
    return text(test, within: .or) + " ? " + text(then, hint: left, within: .or) + " : "
      + text(other, hint: right, within: .conditional)
  }
}

extension ExpressionPrinter {
  private func textTest(
    _ operation: TextOperator, _ lhs: QueryExpression, _ rhs: QueryExpression, folded: Bool
  ) -> (String, Level) {
    let hint = ExpressionType.attribute(.text)
    if operation == .contains, folded {
      let left = text(lhs, hint: hint, within: .coalesce)
      return (left + " ~= " + text(rhs, hint: hint, within: .coalesce), .comparison)
    }
    let base = part(of: lhs, hint: hint)
    let argument = text(rhs, hint: hint, within: .conditional)
    return ("\(base).\(operation.name)(\(argument)\(folded ? ", folded" : ""))", .postfix)
  }

  private func call(
    _ function: QueryFunction, _ arguments: [QueryExpression], hint: ExpressionType?
  ) -> (String, Level) {
    guard arguments.count == 1, let argument = arguments.first else {
      return ("\(function)(\(arguments.map { text($0) }.joined(separator: ", ")))", .postfix)
    }
    let textType = ExpressionType.attribute(.text)
    switch function {
    case .fold: return (part(of: argument, hint: textType) + ".folded", .postfix)
    case .lowercased: return (part(of: argument, hint: textType) + ".lowercased", .postfix)
    case .uppercased: return (part(of: argument, hint: textType) + ".uppercased", .postfix)
    case .length: return (part(of: argument, hint: textType) + ".length", .postfix)
    case .absolute: return ("abs(\(text(argument, hint: hint, within: .conditional)))", .postfix)
    case .negate: return (negated(argument, hint: hint), .prefix)
    }
  }

  /// A minus before bare digits would become their sign.
  private func negated(_ argument: QueryExpression, hint: ExpressionType?) -> String {
    let operand = text(argument, hint: hint, within: .prefix)
    let startsWithDigit = operand.utf8.first?.isDigit == true
    return startsWithDigit ? "-(\(operand))" : "-" + operand
  }

  /// A quoted text in parentheses would be a literal of the type.
  private func castPart(_ part: QueryExpression) -> String {
    let operand = text(part)
    return operand.hasPrefix("\"") ? "(\(operand))" : operand
  }

  /// What stands before a point. A row in parentheses, so that what follows is no property of it.
  private func part(of expression: QueryExpression, hint: ExpressionType? = nil) -> String {
    let text = text(expression, hint: hint, within: .postfix)
    if case .path = expression, case .reference = typing.type(of: expression) { return "(\(text))" }
    return text
  }

  private func toMany(
    _ quantifier: Quantifier, _ path: PropertyPath, _ predicate: QueryExpression
  ) -> String {
    let base = PathPrinter(typing.paths).text(path)
    if quantifier == .none, predicate == .and([]) { return base + ".isEmpty" }
    let name =
      switch quantifier {
      case .any: "contains"
      case .all: "allSatisfy"
      case .none: "none"
      }
    return "\(base).\(name) { \(inner(path).text(predicate)) }"
  }

  private func inner(_ path: PropertyPath) -> ExpressionPrinter {
    let paths = typing.paths
    var inner = self
    let relationship = (try? paths.resolve(path))?.last?.relationship
    inner.scopes.append(relationship.flatMap { try? paths.destination($0) } ?? 0)
    return inner
  }
}

extension TextOperator {
  var name: String {
    switch self {
    case .contains: "contains"
    case .startsWith: "startsWith"
    case .endsWith: "endsWith"
    }
  }
}

/// Writes a path: bare at the outermost row, from `$0` inside braces.
struct PathPrinter {
  private let paths: PathResolver

  init(_ paths: PathResolver) { self.paths = paths }

  func text(_ path: PropertyPath) -> String {
    let scope = Int(path.scope)
    let isBare = paths.scopes.count == 1 && scope == 0 && !path.properties.isEmpty
    var parts = isBare ? [] : ["$\(scope)"]
    var owner = scope < paths.scopes.count ? paths.scopes[paths.scopes.count - 1 - scope] : nil
    for id in path.properties {
      let entity = owner.flatMap { paths.schema.entity($0) }
      owner = nil
      if id == 0 {
        parts.append(entity?.property(named: "id") == nil ? "id" : "#id")
      } else if let property = entity?.property(id) {
        parts.append(NameText.text(property.name))
        owner = property.relationship.flatMap { try? paths.destination($0) }
      } else {
        parts.append("property(\(id))")
      }
    }
    return parts.joined(separator: ".")
  }
}
