/// Writes whole queries, clause by clause.
struct QueryPrinter {
  let schema: StoreSchema
  /// Whether `?` stands for literals, limit and offset.
  var hidesLiterals = false

  func text(_ query: Query) -> String {
    let printer = ExpressionPrinter(
      schema: schema, scopes: [query.entity], hidesLiterals: hidesLiterals)
    var clauses = [NameText.text(schema.entity(query.entity)?.name ?? "entity \(query.entity)")]
    if let predicate = query.predicate { clauses.append("where " + printer.text(predicate)) }
    if !query.sort.isEmpty {
      let keys = query.sort.map { printer.text($0.expression) + ($0.isDescending ? " desc" : "") }
      clauses.append("sort " + keys.joined(separator: ", "))
    }
    if let limit = query.limit { clauses.append("limit " + number(limit)) }
    if query.offset != 0 { clauses.append("offset " + number(query.offset)) }
    if let selection = selection(query.selection, printer) { clauses.append(selection) }
    if !query.prefetch.isEmpty {
      let ways = query.prefetch.map { printer.text(.path(PropertyPath($0))) }
      clauses.append("prefetch " + ways.joined(separator: ", "))
    }
    return clauses.joined(separator: " ")
  }

  private func number(_ number: Int) -> String { hidesLiterals ? "?" : String(number) }

  private func selection(_ selection: Selection, _ printer: ExpressionPrinter) -> String? {
    switch selection {
    case .all: return nil
    case .properties(let ids):
      let columns = ids.isEmpty ? [0] : ids
      return "select "
        + columns.map { printer.text(.path(PropertyPath([$0]))) }.joined(separator: ", ")
    case .expressions(let expressions):
      var texts = expressions.map { printer.text($0) }
      // Bare properties throughout would read as columns: parentheses make the first computed.
      let areColumns = expressions.allSatisfy { $0.columnOfRow != nil }
      if areColumns, let first = texts.first { texts[0] = "(\(first))" }
      return "select " + texts.joined(separator: ", ")
    }
  }
}

extension QueryExpression {
  /// The property, if this is nothing but a property of the innermost row.
  var columnOfRow: PropertyID? {
    guard case .path(let path) = self, path.scope == 0, path.properties.count == 1 else {
      return nil
    }
    return path.properties[0]
  }
}
