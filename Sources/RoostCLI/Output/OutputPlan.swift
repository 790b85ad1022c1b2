import RoostModel

/// A query made ready for printing: what to ask for and how its columns are called.
///
/// A row's to-ones are shown by their single-attribute key, as `put` and `import` take them; a row
/// without such a key is shown by its number, `#7`. So what was printed can be read in again.
struct OutputPlan: Hashable {
  var query: Query
  var columns: [OutputColumn]
  /// The expressions of the columns, each of one row of the query's entity.
  private var expressions: [QueryExpression]

  init(_ query: Query, schema: StoreSchema) throws(CommandFault) {
    guard let entity = schema.entity(query.entity) else {
      throw CommandFault("the query's entity is not in the schema")
    }
    self.query = query
    columns = []
    expressions = []
    switch query.selection {
    case .all: addAll(entity, schema)
    case .properties(let ids):
      for property in entity.properties where ids.contains(property.id) { add(property, schema) }
    case .expressions(let selected):
      for expression in selected { add(expression, entity, schema) }
    }
    self.query.selection = .expressions(expressions)
    try findTypes(entity, schema)
  }

  private mutating func addAll(_ entity: EntitySchema, _ schema: StoreSchema) {
    if !entity.uniqueConstraints.contains(where: { $0.count == 1 }) {
      add("id", .path(PropertyPath([0])))
    }
    for property in entity.properties where property.isColumn { add(property, schema) }
  }

  private mutating func add(_ property: PropertySchema, _ schema: StoreSchema) {
    var path = PropertyPath([property.id])
    if let key = OutputPlan.keyProperty(of: property, schema) { path.properties.append(key.id) }
    add(property.name, .path(path))
  }

  private mutating func add(
    _ expression: QueryExpression, _ entity: EntitySchema, _ schema: StoreSchema
  ) {
    let name = QueryText.text(expression, of: entity.id, schema: schema)
    if case .path(let path) = expression, path.scope == 0,
      let key = OutputPlan.keyProperty(endOf: path, entity, schema)
    {
      add(name, .path(PropertyPath(path.properties + [key.id])))
    } else {
      add(name, expression)
    }
  }

  private mutating func add(_ name: String, _ expression: QueryExpression) {
    columns.append(OutputColumn(name: name, type: nil))
    expressions.append(expression)
  }

  private mutating func findTypes(
    _ entity: EntitySchema, _ schema: StoreSchema
  ) throws(CommandFault) {
    do throws(StoreError) {
      let typed = try ExpressionChecker.check(query, schema: schema)
      for (index, expression) in typed.selected.enumerated() {
        if case .attribute(let type) = expression.type { columns[index].type = type }
      }
    } catch {
      throw CommandFault(error.message)
    }
  }

  /// The attribute that names a to-one's destination: its first unique constraint of one.
  static func keyProperty(of property: PropertySchema, _ schema: StoreSchema) -> PropertySchema? {
    guard let destination = schema.destination(of: property),
      let name = destination.uniqueConstraints.first(where: { $0.count == 1 })?.first,
      let key = destination.property(named: name), key.attributeType != nil
    else { return nil }
    return key
  }

  /// The same for a path that ends at a to-one.
  private static func keyProperty(
    endOf path: PropertyPath, _ entity: EntitySchema, _ schema: StoreSchema
  ) -> PropertySchema? {
    var owner = entity
    for (index, id) in path.properties.enumerated() {
      guard let property = owner.property(id), property.relationship != nil else { return nil }
      if index == path.properties.count - 1 { return keyProperty(of: property, schema) }
      guard let next = schema.destination(of: property) else { return nil }
      owner = next
    }
    return nil
  }
}
