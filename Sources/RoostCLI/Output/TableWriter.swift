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
/// terminal and stick out elsewhere, since a file has no edge. Where a terminal is too narrow, long
/// texts are cut first; then columns on the right are left out and named below. Numbers and dates
/// are never cut: half of one is worse than none.
struct TableWriter {
  static let sampleRows = 1_000
  /// What a text is not cut below.
  static let leastWidth = 12

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
    var text = widths.indices.map { index in
      style.bold(aligned(columns[index].name, index, widths, isLast: index == widths.count - 1))
    }.joined(separator: "  ")
    text = trimmed(text) + "\n"
    text += style.dim(widths.map { String(repeating: "─", count: $0) }.joined(separator: "  "))
    text += "\n"
    for row in sample { text += line(row, widths) }
    sample = []
    return text
  }

  /// Names of columns that did not fit; known once something was printed.
  var hiddenNames: [String] {
    widths.map { columns.dropFirst($0.count).map(\.name) } ?? []
  }

  /// Widths of the columns that are shown.
  private func fittedWidths() -> [Int] {
    var widths = columns.map { max(1, DisplayWidth.of($0.name)) }
    for row in sample {
      for (index, cell) in row.enumerated() {
        widths[index] = max(widths[index], DisplayWidth.of(cell))
      }
    }
    guard let widthMax else { return widths }
    var excess = total(widths) - widthMax
    // The widest texts give first: they lose least.
    while excess > 0,
      let widest = widths.indices.filter(canCut).max(by: { widths[$0] < widths[$1] }),
      widths[widest] > TableWriter.leastWidth
    {
      widths[widest] -= 1
      excess -= 1
    }
    while widths.count > 1, total(widths) > widthMax { widths.removeLast() }
    return widths
  }

  private func total(_ widths: [Int]) -> Int { widths.reduce(2 * (widths.count - 1), +) }

  private func canCut(_ index: Int) -> Bool {
    columns[index].type == .text || columns[index].type == .json || columns[index].type == nil
      || columns[index].type == .data
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    let parts = widths.indices.map { index in
      aligned(cells[index], index, widths, isLast: index == widths.count - 1)
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

  /// Control characters would break the lines and could steer the terminal; marks of direction
  /// could show a text other than it is.
  static func oneLine(_ text: String) -> String {
    guard text.unicodeScalars.contains(where: steers) else { return text }
    var plain = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n", "\r", "\t": plain += " "
      case let other where steers(other): plain += "\u{FFFD}"
      default: plain.unicodeScalars.append(scalar)
      }
    }
    return plain
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x20, 0x7F...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}
