/// Queries as text: `Flight where origin.icao == "KSFO" sort actualOff desc limit 10`.
///
/// `ENTITY [where CONDITION] [sort VALUE [asc|desc], …] [limit N] [offset N] [select VALUE, …]
/// [prefetch WAY, …]`. Values read like Swift; a literal takes the type of what it stands beside.
/// Inside the braces of `contains { … }` a bare name is the related row's, `$0` that row and `$1`
/// the one around it.
public enum QueryText {
  /// Reads a query and binds it to a schema.
  ///
  /// - Throws: ``QueryTextError`` with the place and, for a mistyped name, the nearest one.
  public static func query(
    _ text: String, schema: StoreSchema
  ) throws(QueryTextError) -> Query {
    var parser = try QueryParser(text, schema: schema)
    return try parser.query()
  }

  /// Reads a condition on the rows of one entity: what stands behind `where`.
  ///
  /// - Throws: ``QueryTextError`` with the place and, for a mistyped name, the nearest one.
  public static func condition(
    _ text: String, of entity: EntitySchema, schema: StoreSchema
  ) throws(QueryTextError) -> QueryExpression {
    var parser = try QueryParser(text, schema: schema)
    return try parser.wholeCondition(of: entity)
  }

  /// Writes a query; reading it again gives the same one.
  public static func text(_ query: Query, schema: StoreSchema) -> String {
    QueryPrinter(schema: schema).text(query)
  }

  /// Writes what queries that differ only in their literals have in common.
  ///
  /// `?` stands for each literal but nil, for the limit and the offset; a list of any length is
  /// `[?]`, or `[?, nil]`. It is for people: it does not read back.
  public static func shape(_ query: Query, schema: StoreSchema) -> String {
    QueryPrinter(schema: schema, hidesLiterals: true).text(query)
  }

  /// Writes an expression on the rows of an entity; reading it again gives the same one.
  public static func text(
    _ expression: QueryExpression, of entity: EntityID, schema: StoreSchema
  ) -> String {
    ExpressionPrinter(schema: schema, scopes: [entity]).text(expression)
  }
}
