/// Finds the properties that a path names, from the entities of the rows in scope.
struct PathResolver {
  let schema: StoreSchema
  /// The innermost last.
  var scopes: [EntityID]

  enum Failure: Error {
    case noScope
    case unknownProperty(PropertyID, of: EntityID)
    case unknownEntity(String)
    /// A property in mid-path that leads to no single row.
    case notToOne(PropertySchema)
  }

  /// The resolved path and the schema of its last property; nil for the row and its identifier.
  func resolve(
    _ path: PropertyPath
  ) throws(Failure) -> (path: ResolvedPath, last: PropertySchema?) {
    guard Int(path.scope) < scopes.count else { throw .noScope }
    let root = scopes[scopes.count - 1 - Int(path.scope)]
    var resolved = ResolvedPath(
      scope: Int(path.scope), root: root, properties: path.properties, owners: [])
    var owner = root
    var last: PropertySchema?
    for (index, id) in path.properties.enumerated() {
      resolved.owners.append(owner)
      let isLast = index == path.properties.count - 1
      if id == 0, isLast { return (resolved, nil) }
      guard let property = schema.entity(owner)?.property(id), id != 0 else {
        throw .unknownProperty(id, of: owner)
      }
      last = property
      if isLast { break }
      guard let relationship = property.relationship, !relationship.isToMany else {
        throw .notToOne(property)
      }
      owner = try destination(relationship)
    }
    return (resolved, last)
  }

  func destination(_ relationship: RelationshipSchema) throws(Failure) -> EntityID {
    guard let entity = schema.entity(named: relationship.destination) else {
      throw .unknownEntity(relationship.destination)
    }
    return entity.id
  }
}
