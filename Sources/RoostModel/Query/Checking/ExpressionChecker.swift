/// Checks queries against a schema before anything is run.
///
/// An unknown property is INVALID_ARGUMENT 11, a tree beyond the limits 12, an operation on types
/// it is not made for 15; each message quotes the expression as text.
package struct ExpressionChecker {
  private var paths: PathResolver
  private var schema: StoreSchema { paths.schema }

  package init(schema: StoreSchema, entity: EntityID) {
    paths = PathResolver(schema: schema, scopes: [entity])
  }

  /// Checks a whole query.
  package static func check(
    _ query: Query, schema: StoreSchema
  ) throws(StoreError) -> TypedQuery {
    guard let entity = schema.entity(query.entity) else {
      throw StoreError(.notFound, .unknownEntity, "there is no entity \(query.entity)")
    }
    let checker = ExpressionChecker(schema: schema, entity: query.entity)
    var typed = TypedQuery(entity: entity, predicate: nil, sort: [], selected: [])
    if let predicate = query.predicate { typed.predicate = try checker.condition(predicate) }
    for key in query.sort { typed.sort.append(try checker.sortKey(key)) }
    switch query.selection {
    case .all: break
    case .properties(let ids): try checker.checkColumns(ids, of: entity)
    case .expressions(let expressions):
      for expression in expressions { typed.selected.append(try checker.value(expression)) }
    }
    guard query.offset >= 0, query.limit ?? 0 >= 0 else {
      throw StoreError(.invalidArgument, .badValue, "limit and offset are not negative")
    }
    return typed
  }

  /// Checks an expression that must be true or false.
  package func condition(_ expression: QueryExpression) throws(StoreError) -> TypedExpression {
    try ExpressionSize.check(expression)
    return try typedCondition(expression)
  }

  /// Checks an expression of any type.
  package func value(_ expression: QueryExpression) throws(StoreError) -> TypedExpression {
    try ExpressionSize.check(expression)
    return try typed(expression)
  }

  package func sortKey(_ key: SortKey) throws(StoreError) -> TypedSortKey {
    let expression = try value(key.expression)
    let domain = ComparisonDomain(expression.type)
    guard domain.isOrdered else {
      throw unsupported(key.expression, "\(name(expression.type)) has no order to sort by")
    }
    return TypedSortKey(
      expression: expression, domain: domain, isDescending: key.isDescending)
  }

  private func checkColumns(
    _ ids: [PropertyID], of entity: EntitySchema
  ) throws(StoreError) {
    for id in ids where id != 0 {
      guard let property = entity.property(id) else {
        throw StoreError(
          .invalidArgument, .unknownColumn, "\(entity.name) has no property \(id)")
      }
      guard property.isColumn else {
        throw StoreError(
          .invalidArgument, .unsupportedExpression,
          "\(entity.name).\(property.name) is a to-many relationship, not a column")
      }
    }
  }
}

// MARK: Cases

extension ExpressionChecker {
  func typedCondition(_ expression: QueryExpression) throws(StoreError) -> TypedExpression {
    let checked = try typed(expression)
    if checked.type == .null { return .condition(.literal(.bool(false))) }
    guard checked.type.isBool else {
      throw unsupported(expression, "is \(name(checked.type)), not a condition")
    }
    return checked
  }

  func typed(_ expression: QueryExpression) throws(StoreError) -> TypedExpression {
    switch expression {
    case .literal(let value): return try literal(value, in: expression)
    case .path(let path): return try self.path(path, in: expression)
    case .compare(let operation, let lhs, let rhs):
      return try compare(operation, lhs, rhs, in: expression)
    case .and(let parts): return .condition(.and(try conditions(parts)))
    case .or(let parts): return .condition(.or(try conditions(parts)))
    case .not(let part): return .condition(.not(try typedCondition(part)))
    case .isIn(let part, let values): return try isIn(part, values, in: expression)
    case .isNil(let part): return .condition(.isNil(try typed(part)))
    case .coalesce(let first, let second):
      let (lhs, rhs, type) = try unified(first, second, in: expression)
      return TypedExpression(type, .coalesce(lhs, rhs))
    case .conditional(let test, let then, let other):
      let test = try typedCondition(test)
      let (lhs, rhs, type) = try unified(then, other, in: expression)
      return TypedExpression(type, .conditional(test, then: lhs, else: rhs))
    case .arithmetic(let operation, let lhs, let rhs):
      return try arithmetic(operation, lhs, rhs, in: expression)
    case .textTest(let operation, let lhs, let rhs, let folded):
      let node = TypedNode.textTest(operation, try text(lhs), try text(rhs), folded: folded)
      return .condition(node)
    case .function(let function, let arguments):
      return try call(function, arguments, in: expression)
    case .cast(let part, let type): return try cast(part, to: type, in: expression)
    case .toMany(let quantifier, let path, let predicate):
      let (resolved, inner) = try toMany(path, in: expression)
      return .condition(.toMany(quantifier, resolved, try inner.typedCondition(predicate)))
    case .count(let path, let filter):
      let (resolved, inner) = try toMany(path, in: expression)
      var condition: TypedExpression?
      if let filter { condition = try inner.typedCondition(filter) }
      return TypedExpression(.attribute(.int), .count(resolved, condition))
    }
  }

  private func conditions(_ parts: [QueryExpression]) throws(StoreError) -> [TypedExpression] {
    var checked: [TypedExpression] = []
    for part in parts { checked.append(try typedCondition(part)) }
    return checked
  }

  private func literal(
    _ value: Value, in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    guard let type = ExpressionType(natural: value) else {
      throw unsupported(expression, "is not a value that queries compare")
    }
    if case .decimal(let text) = value, DecimalText.canonical(text) != text {
      throw StoreError(.invalidArgument, .badValue, "a decimal literal is not in canonical form")
    }
    return TypedExpression(type, .literal(value))
  }

  private func path(
    _ path: PropertyPath, in expression: QueryExpression
  ) throws(StoreError) -> TypedExpression {
    let (resolved, last) = try resolve(path, in: expression)
    guard let last else {
      // The row itself or its identifier.
      let type: ExpressionType =
        resolved.properties.isEmpty ? .reference(resolved.root) : .attribute(.int)
      return TypedExpression(type, .path(resolved))
    }
    switch last.kind {
    case .attribute(let type): return TypedExpression(.attribute(type), .path(resolved))
    case .relationship(let relationship):
      guard !relationship.isToMany else {
        throw unsupported(
          expression, "is a to-many relationship: ask for its count, or what it contains")
      }
      let entity = try destination(relationship, in: expression)
      return TypedExpression(.reference(entity), .path(resolved))
    }
  }

  private func toMany(
    _ path: PropertyPath, in expression: QueryExpression
  ) throws(StoreError) -> (ResolvedPath, ExpressionChecker) {
    let (resolved, last) = try resolve(path, in: expression)
    guard let relationship = last?.relationship, relationship.isToMany else {
      throw unsupported(expression, "needs a to-many relationship")
    }
    var inner = self
    inner.paths.scopes.append(try destination(relationship, in: expression))
    return (resolved, inner)
  }

  private func resolve(
    _ path: PropertyPath, in expression: QueryExpression
  ) throws(StoreError) -> (path: ResolvedPath, last: PropertySchema?) {
    do throws(PathResolver.Failure) {
      return try paths.resolve(path)
    } catch {
      switch error {
      case .noScope: throw unsupported(expression, "names a row that is not in scope")
      case .unknownProperty(let id, let owner):
        let owner = schema.entity(owner)?.name ?? "entity \(owner)"
        throw StoreError(
          .invalidArgument, .unknownColumn,
          "\(quoted(expression)): \(owner) has no property \(id)")
      case .unknownEntity(let name):
        throw StoreError(
          .invalidArgument, .unknownColumn, "\(quoted(expression)): there is no entity \(name)")
      case .notToOne(let property):
        throw unsupported(expression, "goes through \(property.name), which is not a to-one")
      }
    }
  }

  private func destination(
    _ relationship: RelationshipSchema, in expression: QueryExpression
  ) throws(StoreError) -> EntityID {
    do throws(PathResolver.Failure) {
      return try paths.destination(relationship)
    } catch {
      throw StoreError(
        .invalidArgument, .unknownColumn,
        "\(quoted(expression)): there is no entity \(relationship.destination)")
    }
  }

  // MARK: Errors

  func unsupported(_ expression: QueryExpression, _ reason: String) -> StoreError {
    StoreError(.invalidArgument, .unsupportedExpression, "\(quoted(expression)) \(reason)")
  }

  func name(_ type: ExpressionType) -> String { type.name(in: schema) }

  private func quoted(_ expression: QueryExpression) -> String {
    let text = ExpressionPrinter(schema: schema, scopes: paths.scopes).text(expression)
    return text.utf8.count <= 200 ? "`\(text)`" : "`\(text.prefix(200))…`"
  }
}
