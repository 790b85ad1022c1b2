import RoostModel

/// A column of an output: what it is called and what it holds.
struct OutputColumn: Hashable, Sendable {
  var name: String
  /// nil for what has no attribute's type: a row's number, a to-one.
  var type: AttributeType?

  /// Numbers stand at the right edge, so that their digits can be compared.
  var isNumber: Bool {
    switch type {
    case .int?, .uint64?, .double?, .decimal?: true
    default: false
    }
  }
}

/// Rows as a table for people: aligned, cut to the terminal, streamed after a first look.
///
/// Widths come from the first ``sampleRows`` rows; later values that are longer are cut on a
/// terminal and stick out elsewhere, since a file has no edge.
struct TableWriter {
  static let sampleRows = 1_000
  static let leastWidth = 5

  private let columns: [OutputColumn]
  private let style: Style
  /// Columns of the terminal; nil for no limit.
  private let widthMax: Int?
  private var sample: [[String]] = []
  private var widths: [Int]?

  init(_ columns: [OutputColumn], widthMax: Int?, isColoured: Bool = false) {
    self.columns = columns
    self.widthMax = widthMax
    style = Style(isColoured: isColoured)
  }

  /// The text that can be written now for one more row of cells, one for each column.
  mutating func add(_ cells: [String]) -> String {
    let plain = cells.map(TableWriter.oneLine)
    if let widths { return line(plain, widths) }
    sample.append(plain)
    return sample.count < TableWriter.sampleRows ? "" : start()
  }

  /// What is left: all of a small table.
  mutating func finish() -> String { widths == nil ? start() : "" }

  private mutating func start() -> String {
    let widths = fittedWidths()
    self.widths = widths
    var text = columns.indices.map { index in
      style.bold(aligned(columns[index].name, index, widths, isLast: index == columns.count - 1))
    }.joined(separator: "  ")
    text = trimmed(text) + "\n"
    text += style.dim(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
    text += "\n"
    for row in sample { text += line(row, widths) }
    sample = []
    return text
  }

  private func fittedWidths() -> [Int] {
    var widths = columns.map { max(1, DisplayWidth.of($0.name)) }
    for row in sample {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    guard let widthMax else { return widths }
    let gaps = 2 * (columns.count - 1)
    var excess = widths.reduce(gaps, +) - widthMax
    // The widest columns give first: they lose least.
    while excess > 0, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
      widths[widest] > TableWriter.leastWidth
    {
      widths[widest] -= 1
      excess -= 1
    }
    return widths
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let parts = cells.indices.map { index in
      aligned(cells[index], index, widths, isLast: index == cells.count - 1)
    }
    return trimmed(parts.joined(separator: "  ")) + "\n"
  }

  private func trimmed(_ line: String) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    return String(line)
  }

  private func aligned(_ text: String, _ index: Int, _ widths: [Int], isLast: Bool) -> String {
    let cut = widthMax == nil ? text : DisplayWidth.fitted(text, widths[index])
    let missing = widths[index] - DisplayWidth.of(cut)
    guard missing > 0 else { return cut }
    let gap = String(repeating: " ", count: missing)
    if columns[index].isNumber { return gap + cut }
    return isLast ? cut : cut + gap
  }

  /// Control characters would break the lines and could steer the terminal.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      return text
    }
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": plain += " "
      case let other where other.properties.generalCategory == .control: plain += "\u{FFFD}"
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }
}
