import RoostClient
import RoostImport
import RoostModel

/// `roost stats`: a server's counters.
struct StatsCommand: Command {
  static let spec = CommandSpec(
    name: "stats",
    usages: ["stats URL [--json]"],
    summary: "print the server's counters and gauges",
    options: [
      OptionSpec("json", nil, "one JSON object"),
      OptionSpec("watch", "[SECONDS]", "again and again (not in this version)"),
    ],
    examples: ["stats roost://127.0.0.1:7678", "stats roost://127.0.0.1:7678 --json"])

  private let url: RoostURL
  private let isJSON: Bool

  init(_ arguments: ParsedArguments) throws(CommandFault) {
    url = try arguments.url(try arguments.exactly("URL")[0])
    isJSON = arguments.has("json")
    guard !arguments.has("watch") else {
      throw CommandFault("roost stats --watch is not in this version; call roost stats again")
    }
  }

  func run(_ console: Console) async throws -> Int32 {
    let entries = try await withClient(url) { try await $0.statistics() }
    if isJSON {
      try console.write(ValueText.json(.map(entries)).canonicalText + "\n")
    } else {
      try console.write(StatsText.text(entries, Style(isColoured: console.outputWidth != nil)))
    }
    return ExitCode.done
  }
}

/// Counters for people: one line each, groups under their name.
enum StatsText {
  static func text(_ entries: [MapEntry], _ style: Style) -> String {
    var lines: [String] = []
    append(entries, "", style, &lines)
    return lines.joined(separator: "\n") + (lines.isEmpty ? "" : "\n")
  }

  private static func append(
    _ entries: [MapEntry], _ indent: String, _ style: Style, _ lines: inout [String]
  ) {
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
      append(inner, indent + "  ", style, &lines)
    }
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

/// Numbers for people.
enum NumberForm {
  /// `336,776`
  static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var text = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  /// `1 row`, `2,000 rows`
  static func rows(_ number: Int) -> String {
    "\(grouped(number)) \(number == 1 ? "row" : "rows")"
  }

  /// At most three digits behind the point.
  static func decimal(_ number: Double) -> String {
    guard number.isFinite, abs(number) < 1e15 else { return "\(number)" }
    let thousandths = Int((number * 1_000).rounded())
    let whole = grouped(abs(thousandths) / 1_000)
    var fraction = String(abs(thousandths) % 1_000 + 1_000).dropFirst()
    while fraction.last == "0" { fraction.removeLast() }
    return (thousandths < 0 ? "-" : "") + whole + (fraction.isEmpty ? "" : ".\(fraction)")
  }
}
