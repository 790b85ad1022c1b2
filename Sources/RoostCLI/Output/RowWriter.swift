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
struct RowWriter: ~Copyable {
  private let columns: [OutputColumn]
  private let format: OutputFormat
  private let console: Console
  private var table: TableWriter
  private var text: RowText
  private(set) var rowCount = 0

  init(_ columns: [OutputColumn], format: OutputFormat, to console: Console) throws(ClosedOutput) {
    self.columns = columns
    self.format = format
    self.console = console
    let isTerminal = console.outputWidth != nil
    table = TableWriter(columns, widthMax: console.outputWidth, isColoured: isTerminal)
    text = RowText(columns, isJSON: format != .csv)
    switch format {
    case .csv:
      let header = columns.map { CSVText.cell($0.name) }.joined(separator: ",")
      try console.write(header + "\n")
    case .json: try console.write("[")
    case .table, .ndjson, .count: break
    }
  }

  /// Prints a batch's rows; columns that stand before those asked for are left out.
  ///
  /// - Throws: ``ClosedOutput``, or ``CommandFault`` for bytes that are no rows.
  mutating func write(_ batch: RowBatch) throws {
    let extra = max(0, batch.columns.count - columns.count)
    if format == .table {
      for row in try batch.valueRows(dropping: extra) { try write(row) }
    } else if format != .count {
      let result = batch.body.withUnsafeBytes { body in
        Result { try write(packed: body, rowCount: batch.rowCount, dropping: extra) }
      }
      try result.get()
    } else {
      rowCount += batch.rowCount
    }
  }

  mutating func write(_ values: [Value]) throws {
    switch format {
    case .table:
      rowCount += 1
      try console.write(table.add(zip(values, columns).map { RowWriter.text($0, $1) ?? "" }))
    case .csv, .json, .ndjson:
      var packed = PackedWriter()
      for value in values { packed.value(value) }
      let columns = columns.map { _ in PropertyID(0) }
      try write(
        RowBatch(entity: 0, schemaVersion: 0, columns: columns, rowCount: 1, body: packed.bytes))
    case .count: rowCount += 1
    }
  }

  private mutating func write(
    packed body: UnsafeRawBufferPointer, rowCount: Int, dropping extra: Int
  ) throws {
    var reader = PackedReader(body)
    for _ in 0..<rowCount {
      do throws(PackedError) {
        try append(&reader, dropping: extra)
      } catch {
        throw CommandFault.unreadableRows(error)
      }
      if text.output.count >= Console.blockBytes { try handOver() }
    }
    try handOver()
  }

  private mutating func append(
    _ reader: inout PackedReader, dropping extra: Int
  ) throws(PackedError) {
    for _ in 0..<extra { try reader.skip() }
    if format == .json {
      text.output.append(rowCount == 0 ? "\n" : ",\n")
      try text.append(&reader)
    } else {
      try text.append(&reader)
      text.output.append(UInt8(ascii: "\n"))
    }
    rowCount += 1
  }

  /// Gives the console what is ready: a block and a row at most are held back.
  private mutating func handOver() throws(ClosedOutput) {
    try text.output.withBytes { bytes throws(ClosedOutput) in try console.write(bytes) }
    text.output.removeAll()
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
}
