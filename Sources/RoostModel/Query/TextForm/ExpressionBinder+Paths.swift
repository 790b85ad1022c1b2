extension ExpressionBinder {
  /// How far a chain of names has come.
  private struct Way {
    var path: PropertyPath
    /// The entity whose properties may follow; nil behind an attribute or a to-many.
    var entity: EntitySchema?
    /// The last property's entity, for messages.
    var toMany: EntitySchema?
  }

  /// A chain of names that starts at a row, with a function at its end perhaps.
  func way(_ node: SyntaxNode) throws(QueryTextError) -> QueryExpression {
    if case .member(let base, let name) = node.kind {
      if let way = try step(base, name, at: node) { return try finished(way, at: node) }
      return try function(base, name, at: node)
    }
    guard let way = try partial(node) else {
      throw error("this is not a row of the query", at: node)
    }
    return try finished(way, at: node)
  }

  /// The to-many that a closure or a count is about, and the entity of its rows.
  func toMany(
    _ node: SyntaxNode, _ name: String
  ) throws(QueryTextError) -> (PropertyPath, EntitySchema) {
    guard let way = try partial(node), let entity = way.toMany else {
      throw error("“\(name)” needs a to-many relationship before it", at: node)
    }
    return (way.path, entity)
  }

  private func finished(_ way: Way, at node: SyntaxNode) throws(QueryTextError) -> QueryExpression {
    guard way.toMany == nil else {
      throw error(
        "a to-many relationship is no value: ask for .count, .isEmpty or .contains { … }", at: node)
    }
    return .path(way.path)
  }

  /// nil if the node is no chain of names.
  private func partial(_ node: SyntaxNode) throws(QueryTextError) -> Way? {
    switch node.kind {
    case .scope(let scope):
      guard scope < scopes.count else {
        throw error("there is no row $\(scope) here: the innermost is $0", at: node)
      }
      return start(scope)
    case .rowIdentifier: return identified(start(0))
    case .name(let name): return try first(name, at: node)
    case .member(let base, let name): return try step(base, name, at: node)
    case .rowIdentifierMember(let base):
      guard let way = try partial(base), way.entity != nil else {
        throw error("only a row has an #id", at: node)
      }
      return identified(way)
    default: return nil
    }
  }

  private func start(_ scope: Int) -> Way {
    let entity = scopes[scopes.count - 1 - scope].entity
    return Way(path: PropertyPath(scope: UInt8(truncatingIfNeeded: scope), []), entity: entity)
  }

  private func identified(_ way: Way) -> Way {
    var way = way
    way.path.properties.append(0)
    way.entity = nil
    return way
  }

  /// A bare name is a property of the innermost row that has it, or a closure's row.
  private func first(_ name: String, at node: SyntaxNode) throws(QueryTextError) -> Way {
    for scope in 0..<scopes.count {
      let candidate = scopes[scopes.count - 1 - scope]
      if candidate.parameter == name { return start(scope) }
      if let property = candidate.entity.property(named: name) {
        return try appended(property, to: start(scope), at: node)
      }
    }
    if name == "id" { return identified(start(0)) }
    throw unknown(name, in: scopes[scopes.count - 1].entity, at: node)
  }

  /// nil if the base is no chain, or has no property of that name but ends it for a function.
  private func step(
    _ base: SyntaxNode, _ name: String, at node: SyntaxNode
  ) throws(QueryTextError) -> Way? {
    guard let way = try partial(base), let entity = way.entity else { return nil }
    if let property = entity.property(named: name) {
      return try appended(property, to: way, at: node)
    }
    if name == "id" { return identified(way) }
    if name == "isNil" { return nil }
    throw unknown(name, in: entity, at: node)
  }

  private func appended(
    _ property: PropertySchema, to way: Way, at node: SyntaxNode
  ) throws(QueryTextError) -> Way {
    var way = way
    way.path.properties.append(property.id)
    way.entity = nil
    guard let relationship = property.relationship else { return way }
    guard let destination = schema.entity(named: relationship.destination) else {
      throw error("\(property.name) leads to an entity that is not in the schema", at: node)
    }
    if relationship.isToMany { way.toMany = destination } else { way.entity = destination }
    return way
  }

  private func unknown(
    _ name: String, in entity: EntitySchema, at node: SyntaxNode
  ) -> QueryTextError {
    let names = entity.properties.map(\.name)
    let nearest = suggestion(for: name, among: names)
    return error("\(entity.name) has no property “\(name)”\(nearest)", at: node)
  }
}

extension ExpressionBinder {
  /// A way over relationships, to-many ones included; what `prefetch` names.
  func relationships(_ node: SyntaxNode) throws(QueryTextError) -> [PropertyID] {
    switch node.kind {
    case .name(let name): return [try relationship(name, of: scopes[0].entity, at: node).id]
    case .member(let base, let name):
      let way = try relationships(base)
      var entity: EntitySchema? = scopes[0].entity
      for id in way { entity = entity?.property(id).flatMap { schema.destination(of: $0) } }
      guard let entity else { throw error("this leads nowhere", at: node) }
      return way + [try relationship(name, of: entity, at: node).id]
    default: throw error("prefetch takes names of relationships", at: node)
    }
  }

  private func relationship(
    _ name: String, of entity: EntitySchema, at node: SyntaxNode
  ) throws(QueryTextError) -> PropertySchema {
    let relationships = entity.properties.filter { $0.relationship != nil }
    guard let property = relationships.first(where: { $0.name == name }) else {
      let nearest = suggestion(for: name, among: relationships.map(\.name))
      throw error("\(entity.name) has no relationship “\(name)”\(nearest)", at: node)
    }
    return property
  }
}
