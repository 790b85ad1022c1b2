import RoostModel
import RoostSQLite

/// Compares a schema with the store's, and applies what only adds.
struct SchemaRegistrar {
  let connection: Connection
  let layout: StoreLayout

  /// What applying would change; throws with every difference that can never be applied.
  static func check(_ schema: StoreSchema, against layout: StoreLayout) throws(StoreError)
    -> SchemaMerge
  {
    let next = (layout.schema.entities.map(\.id).max() ?? 0) + 1
    let merge = SchemaMerge(store: layout.schema, nextEntity: next, given: schema)
    guard merge.refusals.isEmpty else {
      throw StoreError(
        .failedPrecondition, .schemaChanged,
        "the schema differs in what cannot be changed:\n"
          + merge.refusals.map { "- \($0)" }.joined(separator: "\n"))
    }
    return merge
  }

  /// Applies it inside the caller's transaction.
  func apply(
    _ schema: StoreSchema
  ) throws(StoreError) -> (layout: StoreLayout, registration: SchemaRegistration) {
    let merge = try Self.check(schema, against: layout)
    if merge.differences.isEmpty {
      return (layout, SchemaRegistration(schema: layout.schema, differences: []))
    }
    connection.dropStatements()
    let after = try SchemaApply(connection: connection, old: layout, merge: merge).run()
    return (after, SchemaRegistration(schema: after.schema, differences: merge.differences))
  }
}
