import RoostModel

/// Which classes, other than the queried row's own columns, an expression looks at.
struct RelatedModels {
  let binding: SchemaBinding
  private(set) var found: Set<UInt32> = []

  init(binding: SchemaBinding) { self.binding = binding }

  /// `scopes` are the entities of the rows in scope, the innermost last.
  mutating func visit(_ expression: QueryExpression, _ scopes: [EntityID]) {
    switch expression {
    case .path(let path): follow(path, scopes)
    case .toMany(_, let path, let predicate):
      if let entity = follow(path, scopes) { visit(predicate, scopes + [entity]) }
    case .count(let path, let filter):
      if let entity = follow(path, scopes), let filter { visit(filter, scopes + [entity]) }
    default:
      for child in expression.children { visit(child, scopes) }
    }
  }

  /// The entity a way leads to, noting every class on it.
  @discardableResult
  private mutating func follow(_ path: PropertyPath, _ scopes: [EntityID]) -> EntityID? {
    let position = scopes.count - 1 - Int(path.scope)
    guard scopes.indices.contains(position) else { return nil }
    var entity: EntityID? = scopes[position]
    for property in path.properties {
      guard let current = entity, let schema = binding.schema.entity(current)?.property(property),
        let destination = binding.schema.destination(of: schema)
      else { return nil }
      if let model = binding.binding(of: destination.id) { found.insert(model.description.index) }
      entity = destination.id
    }
    return entity
  }
}
