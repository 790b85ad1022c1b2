/// Pieces of HTML.
enum Page {
  static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }

  /// A coordinate.
  static func number(_ value: Double) -> String {
    let text = Figures.fixed(value, decimals: 1).filter { $0 != "," }
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// A heading, a legend and a chart for wide and for narrow screens.
  static func figure(
    _ title: String, _ explanation: String, _ legend: [(style: String, name: String)],
    _ wide: Chart, _ narrow: Chart
  ) -> String {
    var items = ""
    for entry in legend {
      items += "<li><i class=\"swatch \(entry.style)\"></i>\(escaped(entry.name))</li>"
    }
    return """
      <section class="card"><h2>\(escaped(title))</h2>
      <p class="about">\(escaped(explanation))</p><ul class="legend">\(items)</ul>
      \(wide.svg(width: 1_040, height: 300, style: "wide"))
      \(narrow.svg(width: 350, height: 250, style: "narrow"))
      </section>
      """
  }

  /// The first row is the head; the first column names the rows.
  static func table(_ rows: [[String]], style: String = "") -> String {
    var lines: [String] = []
    for (index, row) in rows.enumerated() {
      var cells = ""
      for (column, cell) in row.enumerated() {
        let isHead = index == 0 || column == 0
        let scope = index == 0 ? "col" : "row"
        cells +=
          isHead ? "<th scope=\"\(scope)\">\(escaped(cell))</th>" : "<td>\(escaped(cell))</td>"
      }
      let isMissed = row.first?.hasSuffix("missed") == true
      lines.append("<tr\(isMissed ? " class=\"missed\"" : "")>\(cells)</tr>")
    }
    let head = lines.first ?? ""
    let body = lines.dropFirst().joined(separator: "\n")
    return "<div class=\"scroll\"><table class=\"\(style)\"><thead>\(head)</thead>"
      + "<tbody>\(body)</tbody></table></div>"
  }
}
