/// Temporary.
struct ExpressionPrinter {
  let schema: StoreSchema
  let scopes: [EntityID]
  func text(_ expression: QueryExpression) -> String { "\(expression)" }
}
