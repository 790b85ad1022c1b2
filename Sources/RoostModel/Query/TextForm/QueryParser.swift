/// Reads whole queries, clause by clause, and checks them.
struct QueryParser {
  private static let clauses = ["where", "sort", "limit", "offset", "select", "prefetch"]

  private var syntax: SyntaxParser
  private let schema: StoreSchema

  init(_ text: String, schema: StoreSchema) throws(QueryTextError) {
    syntax = try SyntaxParser(text)
    self.schema = schema
  }

  mutating func query() throws(QueryTextError) -> Query {
    let entity = try entityName()
    var query = Query(entity: entity.id)
    var seen: Set<String> = []
    while !syntax.isAtEnd {
      let offset = syntax.current.range.lowerBound
      let clause = try clauseName()
      guard seen.insert(clause).inserted else {
        throw syntax.error("there are two “\(clause)”", at: offset)
      }
      try read(clause, of: entity, into: &query)
    }
    return query
  }

  mutating func wholeCondition(
    of entity: EntitySchema
  ) throws(QueryTextError) -> QueryExpression {
    let condition = try condition(of: entity)
    guard syntax.isAtEnd else { throw syntax.error("the condition should end here") }
    return condition
  }

  // MARK: Clauses

  private mutating func entityName() throws(QueryTextError) -> EntitySchema {
    let token = syntax.current
    let name: String
    switch token.kind {
    case .identifier(let word), .quotedIdentifier(let word): name = word
    default: throw syntax.error("a query begins with an entity: \(entityList)")
    }
    guard let entity = schema.entity(named: name) else {
      let nearest = NearestName.suggestion(for: name, among: schema.entityNames)
      let advice = nearest.map { "did you mean “\($0)”?" } ?? "there are: \(entityList)"
      throw syntax.error("there is no entity “\(name)”; \(advice)")
    }
    syntax.advance()
    return entity
  }

  private var entityList: String {
    schema.entities.isEmpty ? "none yet" : schema.entityNames.joined(separator: ", ")
  }

  private mutating func clauseName() throws(QueryTextError) -> String {
    guard case .identifier(let word) = syntax.current.kind else {
      throw syntax.error("expected an operator, or one of \(Self.clauses.joined(separator: ", "))")
    }
    let clause = word.lowercased()
    guard Self.clauses.contains(clause) else {
      let nearest = NearestName.suggestion(for: clause, among: Self.clauses)
      let advice = nearest.map { "; did you mean “\($0)”?" } ?? ""
      throw syntax.error("“\(word)” is no part of a query\(advice)")
    }
    syntax.advance()
    return clause
  }

  private mutating func read(
    _ clause: String, of entity: EntitySchema, into query: inout Query
  ) throws(QueryTextError) {
    switch clause {
    case "where": query.predicate = try condition(of: entity)
    case "sort": query.sort = try sortKeys(of: entity)
    case "limit": query.limit = try wholeNumber(after: clause)
    case "offset": query.offset = try wholeNumber(after: clause)
    case "select": query.selection = try selection(of: entity)
    default: query.prefetch = try prefetch(of: entity)
    }
  }

  private mutating func wholeNumber(after clause: String) throws(QueryTextError) -> Int {
    guard case .integer(let digits) = syntax.current.kind, let number = Int(digits) else {
      throw syntax.error("\(clause) takes a whole number")
    }
    syntax.advance()
    return number
  }

  private mutating func condition(
    of entity: EntitySchema
  ) throws(QueryTextError) -> QueryExpression {
    let node = try syntax.expression()
    let bound = try binder(of: entity).bind(node)
    let checker = ExpressionChecker(schema: schema, entity: entity.id)
    do throws(StoreError) {
      _ = try checker.condition(bound)
    } catch {
      throw located(error, in: node, of: entity)
    }
    return bound
  }

  private mutating func sortKeys(of entity: EntitySchema) throws(QueryTextError) -> [SortKey] {
    _ = syntax.take(word: "by")
    var keys: [SortKey] = []
    repeat {
      let node = try syntax.expression()
      var key = SortKey(try binder(of: entity).bind(node))
      if syntax.take(word: "desc") { key.isDescending = true } else { _ = syntax.take(word: "asc") }
      do throws(StoreError) {
        _ = try ExpressionChecker(schema: schema, entity: entity.id).sortKey(key)
      } catch {
        throw located(error, in: node, of: entity)
      }
      keys.append(key)
    } while syntax.take(",")
    return keys
  }

  private mutating func selection(of entity: EntitySchema) throws(QueryTextError) -> Selection {
    var expressions: [QueryExpression] = []
    var areColumns = true
    repeat {
      let node = try syntax.expression()
      let bound = try binder(of: entity).bind(node)
      do throws(StoreError) {
        _ = try ExpressionChecker(schema: schema, entity: entity.id).value(bound)
      } catch {
        throw located(error, in: node, of: entity)
      }
      if case .parenthesized = node.kind { areColumns = false }
      if bound.columnOfRow == nil { areColumns = false }
      expressions.append(bound)
    } while syntax.take(",")
    guard areColumns else { return .expressions(expressions) }
    return .properties(expressions.compactMap(\.columnOfRow).filter { $0 != 0 })
  }

  private mutating func prefetch(
    of entity: EntitySchema
  ) throws(QueryTextError) -> [[PropertyID]] {
    var ways: [[PropertyID]] = []
    repeat {
      let node = try syntax.expression()
      ways.append(try binder(of: entity).relationships(node))
    } while syntax.take(",")
    return ways
  }

  private func binder(of entity: EntitySchema) -> ExpressionBinder {
    ExpressionBinder(schema: schema, entity: entity, text: syntax.text)
  }

  /// The checker's word with the place of the innermost part it does not accept.
  private func located(
    _ error: StoreError, in node: SyntaxNode, of entity: EntitySchema
  ) -> QueryTextError {
    syntax.error(error.message, at: ErrorLocator(binder: binder(of: entity)).offset(in: node))
  }
}

/// Finds which part of a written expression the checker refuses.
private struct ErrorLocator {
  let binder: ExpressionBinder

  func offset(in node: SyntaxNode) -> Int {
    for part in node.parts where isRefused(part) { return offset(in: part) }
    return node.offset
  }

  /// Parts that stand alone only; what a literal lacks here is a hint, not a reason to blame it.
  private func isRefused(_ node: SyntaxNode) -> Bool {
    guard !node.isOpen, let bound = try? binder.bind(node), let scope = binder.scopes.last else {
      return false
    }
    let checker = ExpressionChecker(schema: binder.schema, entity: scope.entity.id)
    return (try? checker.value(bound)) == nil
  }
}

extension SyntaxNode {
  /// The parts that are in the same scope.
  var parts: [SyntaxNode] {
    switch kind {
    case .null, .bool, .integer, .number, .string, .row, .name, .rowIdentifier, .scope: []
    case .member(let part, _), .rowIdentifierMember(let part), .not(let part), .negate(let part),
      .parenthesized(let part), .closureCall(let part, _, _, _), .isIn(let part, _):
      [part]
    case .call(let base, _, let arguments): (base.map { [$0] } ?? []) + arguments
    case .compare(_, let lhs, let rhs), .containsFolded(let lhs, let rhs),
      .coalesce(let lhs, let rhs), .arithmetic(_, let lhs, let rhs):
      [lhs, rhs]
    case .and(let parts), .or(let parts): parts
    case .conditional(let test, let then, let other): [test, then, other]
    }
  }
}
