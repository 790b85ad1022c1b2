import RoostImport
import RoostModel

/// Counters for people: one line each, groups under their name, groups of alike groups as a table.
enum StatsText {
  static func text(_ entries: [MapEntry], _ style: Style) -> String {
    var lines: [String] = []
    append(entries, "", style, &lines)
    return lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n")
  }

  private static func append(
    _ entries: [MapEntry], _ indent: String, _ style: Style, _ lines: inout [String]
  ) {
    var entries = entries
    // Names of entities are among them, which come from clients.
    for index in entries.indices { entries[index].key = TableWriter.oneLine(entries[index].key) }
    let plain = entries.filter { !isGroup($0.value) }
    let width = plain.map { DisplayWidth.of($0.key) }.max() ?? 0
    let values = plain.map { value($0.value) }
    let valueWidth = values.map(\.count).max() ?? 0
    for (entry, text) in zip(plain, values) {
      let gap = String(repeating: " ", count: width - DisplayWidth.of(entry.key))
      let pad = isNumber(entry.value) ? String(repeating: " ", count: valueWidth - text.count) : ""
      lines.append("\(indent)\(entry.key)\(gap)  \(pad)\(text)")
    }
    for entry in entries {
      guard case .map(let inner) = entry.value else { continue }
      lines.append("\(indent)\(style.bold(entry.key))")
      if let table = table(inner, style) {
        lines += table.map { "\(indent)  \($0)" }
      } else {
        append(inner, indent + "  ", style, &lines)
      }
    }
  }

  /// One row for each group and one column for each of their figures, if all have the same ones.
  private static func table(_ entries: [MapEntry], _ style: Style) -> [String]? {
    let groups = entries.map { entry in
      if case .map(let figures) = entry.value { figures } else { [MapEntry]() }
    }
    guard let names = groups.first?.map(\.key), !names.isEmpty,
      groups.allSatisfy({ $0.map(\.key) == names })
    else { return nil }
    let columns =
      [OutputColumn(name: "", type: .text)]
      + names.map { OutputColumn(name: TableWriter.oneLine($0), type: .int) }
    var writer = TableWriter(columns, widthMax: nil, isColoured: style.isColoured)
    var text = ""
    for (entry, figures) in zip(entries, groups) {
      text += writer.add([entry.key] + figures.map { value($0.value) })
    }
    text += writer.finish()
    return text.split(separator: "\n").map(String.init)
  }

  private static func isGroup(_ value: Value) -> Bool {
    if case .map = value { true } else { false }
  }

  private static func isNumber(_ value: Value) -> Bool {
    switch value {
    case .int, .double: true
    default: false
    }
  }

  private static func value(_ value: Value) -> String {
    switch value {
    case .int(let number): NumberForm.grouped(Int(number))
    case .double(let number): NumberForm.decimal(number)
    default: TableWriter.oneLine(ValueText.text(value) ?? "-")
    }
  }
}
