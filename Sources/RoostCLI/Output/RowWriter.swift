import RoostImport
import RoostModel

/// How a command prints rows.
enum OutputFormat: String, Hashable, Sendable, CaseIterable {
  case table
  case json
  case ndjson
  case csv
  case count

  static let options: [OptionSpec] = [
    OptionSpec("table", nil, "a table for people (default)"),
    OptionSpec("json", nil, "an array of objects"),
    OptionSpec("ndjson", nil, "one object a line"),
    OptionSpec("csv", nil, "CSV with a header; nil is empty, \"\" is empty text"),
  ]

  /// The one format the arguments ask for.
  static func of(_ arguments: ParsedArguments) throws(CommandFault) -> OutputFormat {
    let asked = OutputFormat.allCases.filter { arguments.has($0.rawValue) }
    guard asked.count <= 1 else {
      throw CommandFault(
        "\(asked.map { "--\($0.rawValue)" }.joined(separator: " and ")): choose one of them")
    }
    return asked.first ?? .table
  }
}

/// Prints rows as they come, in any of the formats.
struct RowWriter {
  private let columns: [OutputColumn]
  private let format: OutputFormat
  private let console: Console
  private var table: TableWriter
  private(set) var rowCount = 0

  init(_ columns: [OutputColumn], format: OutputFormat, to console: Console) throws(ClosedOutput) {
    self.columns = columns
    self.format = format
    self.console = console
    let isTerminal = console.outputWidth != nil
    table = TableWriter(columns, widthMax: console.outputWidth, isColoured: isTerminal)
    switch format {
    case .csv:
      let header = columns.map { CSVText.cell($0.name) }.joined(separator: ",")
      try console.write(header + "\n")
    case .json: try console.write("[")
    case .table, .ndjson, .count: break
    }
  }

  mutating func write(_ values: [Value]) throws(ClosedOutput) {
    rowCount += 1
    switch format {
    case .table:
      try console.write(table.add(zip(values, columns).map { RowWriter.text($0, $1) ?? "" }))
    case .csv:
      let cells = zip(values, columns).map { value, column in
        RowWriter.text(value, column).map { CSVText.cell($0) } ?? ""
      }
      // A single empty cell would be a blank line, which readers pass over.
      try console.write((cells == [""] ? "\"\"" : cells.joined(separator: ",")) + "\n")
    case .ndjson: try console.write(object(values) + "\n")
    case .json: try console.write((rowCount == 1 ? "\n" : ",\n") + object(values))
    case .count: break
    }
  }

  mutating func finish() throws(ClosedOutput) {
    switch format {
    case .table:
      try console.write(table.finish())
      let style = Style(isColoured: console.outputWidth != nil)
      try console.write(style.dim(NumberForm.rows(rowCount) + hiddenNote) + "\n")
    case .json: try console.write(rowCount == 0 ? "]\n" : "\n]\n")
    case .csv, .ndjson, .count: break
    }
  }

  private var hiddenNote: String {
    let hidden = table.hiddenNames
    return hidden.isEmpty ? "" : "; not shown: \(hidden.joined(separator: ", "))"
  }

  static func text(_ value: Value, _ column: OutputColumn) -> String? {
    if case .int(let bits) = value, column.type == .uint64 { return "\(UInt64(bitPattern: bits))" }
    return ValueText.text(value)
  }

  private func object(_ values: [Value]) -> String {
    let members = zip(columns, values).map { column, value in
      "\(JSONEscapes.quoted(column.name)):\(json(value, column))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private func json(_ value: Value, _ column: OutputColumn) -> String {
    switch (value, column.type) {
    case (.int(let bits), .uint64?): "\(UInt64(bitPattern: bits))"
    // Stored as JSON text: it goes out as the JSON it is.
    case (.text(let text), .json?): text
    default: ValueText.json(value).canonicalText
    }
  }
}

/// Cells of CSV.
enum CSVText {
  /// The text of a cell, in quotes where RFC 4180 asks for them; "" is always quoted, nil never.
  static func cell(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { byte in
      byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0A || byte == 0x0D
    }
    guard needsQuotes || text.isEmpty else { return text }
    var quoted = "\""
    for character in text {
      if character == "\"" { quoted.append("\"") }
      quoted.append(character)
    }
    return quoted + "\""
  }
}
