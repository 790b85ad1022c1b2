import RoostModel

/// The models below the one screen: the largest ones, as a small table.
enum ModelSummary {
  static func text(_ sample: ServerSample, widthMax: Int?) -> String {
    let rows = largest(rows(sample))
    guard !rows.isEmpty else { return "" }
    let shown = rows.prefix(MonitorLimits.screenModelsMax)
    var writer = TableWriter(
      columns.map(\.output), widthMax: widthMax, isColoured: widthMax != nil)
    var text = "\n"
    for row in shown { text += writer.add(columns.map { $0.cell(row) }) }
    text += writer.finish()
    let rest = rows.count - shown.count
    if rest > 0 { text += "and \(NumberForm.grouped(rest)) more: roost stats URL models\n" }
    return text
  }

  private static let columns: [SectionColumn] = [
    .text("model", "name"), .count("rows", "rows"), .count("gets", "gets"),
    .count("queries", "queries"), .count("read", "rowsRead"), .count("scanned", "rowsScanned"),
    .count("full scans", "fullScans"), .count("inserted", "inserted"),
    .count("updated", "updated"), .count("deleted", "deleted"),
  ]

  /// Of servers without the section the rows are known all the same.
  private static func rows(_ sample: ServerSample) -> [Figures] {
    if let rows = sample.rows(.models) { return rows }
    let counts = sample.figures.group("rows")
    return (counts?.entries ?? []).map {
      Figures([MapEntry("name", .text($0.key)), MapEntry("rows", $0.value)])
    }
  }

  private static func largest(_ rows: [Figures]) -> [Figures] {
    var keyed: [(rows: Double, name: String, row: Figures)] = []
    for row in rows { keyed.append((row.number("rows") ?? 0, row.text("name") ?? "", row)) }
    keyed.sort { ($1.rows, $0.name) < ($0.rows, $1.name) }
    return keyed.map(\.row)
  }
}
