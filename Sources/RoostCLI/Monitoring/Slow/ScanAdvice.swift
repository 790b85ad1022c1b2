/// In words what a query that reads whole tables does, and what would help.
struct ScanAdvice {
  /// Nil for a query without a full scan.
  let text: String?

  init(_ query: Figures, in sample: ServerSample) {
    guard query.flag("fullScan") == true else {
      text = nil
      return
    }
    let entity = TableWriter.oneLine(query.text("entity") ?? "its table")
    let scanned = QueryFigures.perCall("rowsScanned", query)
    let rows = QueryFigures.perCall("rows", query)
    let size = sample.figures.number("rows", query.text("entity") ?? "")
    // SQLite counts the steps from row to row, so all is one less; a limit ends a scan early.
    var amount = "\(FigureForm.grouped(scanned)) rows"
    if let scanned, let size, size > 1, scanned >= size - 1 {
      amount = "all \(FigureForm.grouped(size)) rows"
    }
    let purpose =
      query.text("kind") == "count"
      ? "to count \(FigureForm.count(rows))" : "for \(NumberForm.outRows(rows))"
    text =
      "scans \(amount) of \(entity) \(purpose): "
      + ScanAdvice.remedy(ShapeWords(query.text("shape") ?? ""))
  }

  private static func remedy(_ shape: ShapeWords) -> String {
    if let name = shape.indexable { return "an index on \(TableWriter.oneLine(name)) would help" }
    if !shape.hasPredicate {
      guard let sort = shape.sortProperty else { return "it asks for every row" }
      return "an index on \(TableWriter.oneLine(sort)) would spare the sort"
    }
    if shape.searchesText { return "a search within texts can use no index; narrow it by a key" }
    if shape.leadsOverRelations {
      return "its predicate leads over relationships; begin at the other entity, or index a "
        + "property of this one"
    }
    return "nothing in its predicate can use an index"
  }
}

extension NumberForm {
  /// `12 rows out`, `0.3 rows out`.
  static func outRows(_ rows: Double?) -> String {
    guard let rows else { return "- rows out" }
    return "\(FigureForm.count(rows)) \(rows == 1 ? "row" : "rows") out"
  }
}
