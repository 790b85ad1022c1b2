/// Rows of `roost stats --watch` under a header that comes again.
struct WatchTable {
  private let columns: [WatchColumn]
  private let style: Style
  private var rowsSinceHeader: Int?

  /// - Parameter widthMax: Columns of the terminal; nil for no limit.
  init(widthMax: Int?) {
    var columns = WatchColumn.allCases
    if let widthMax {
      while WatchTable.width(columns) > widthMax,
        let rank = columns.map(\.rank).max(), rank > 0
      {
        columns.removeAll { $0.rank == rank }
      }
    }
    self.columns = columns
    style = Style(isColoured: widthMax != nil)
  }

  private static let timeWidth = 8

  private static func width(_ columns: [WatchColumn]) -> Int {
    columns.reduce(timeWidth) { $0 + 1 + $1.width }
  }

  /// The row at its time of day, with the header above it after each `every` rows.
  mutating func text(_ row: WatchRow, clock: String, headerEvery every: Int) -> String {
    var text = ""
    if rowsSinceHeader.map({ $0 >= max(1, every) }) ?? true {
      text += header + "\n"
      rowsSinceHeader = 0
    }
    rowsSinceHeader? += 1
    if row.isRestarted { text += note("the server was started anew", clock: clock) }
    let cells = columns.map { WatchTable.right($0.text(row[$0]), $0.width) }
    return text + WatchTable.right(clock, WatchTable.timeWidth) + " "
      + cells.joined(separator: " ") + "\n"
  }

  /// A line between rows.
  mutating func note(_ text: String, clock: String) -> String {
    rowsSinceHeader = rowsSinceHeader.map { $0 + 1 }
    return "\(clock) \(style.level(TableWriter.oneLine(text), .warning))\n"
  }

  private var header: String {
    let names = columns.map { WatchTable.right($0.title, $0.width) }
    return style.bold(
      WatchTable.right("time", WatchTable.timeWidth) + " " + names.joined(separator: " "))
  }

  private static func right(_ text: String, _ width: Int) -> String {
    String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) + text
  }
}
