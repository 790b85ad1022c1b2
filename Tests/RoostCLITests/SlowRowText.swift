import RoostImport
import RoostModel
import RoostTestSupport
import Synchronization

@testable import RoostCLI

/// The same output in the simplest way: a text for each cell.
enum SlowRowText {
  static func text(
    _ rows: [[Value]], _ columns: [OutputColumn], _ format: OutputFormat
  ) -> String {
    if format == .csv {
      let header = columns.map { cell($0.name) }.joined(separator: ",") + "\n"
      return header + rows.map { line($0, columns) }.joined()
    }
    let objects = rows.map { object($0, columns) }
    if format == .ndjson { return objects.map { $0 + "\n" }.joined() }
    return objects.isEmpty ? "[]\n" : "[\n" + objects.joined(separator: ",\n") + "\n]\n"
  }

  private static func line(_ values: [Value], _ columns: [OutputColumn]) -> String {
    let cells = zip(values, columns).map { value, column in
      RowWriter.text(value, column).map { cell($0) } ?? ""
    }
    return (cells == [""] ? "\"\"" : cells.joined(separator: ",")) + "\n"
  }

  private static func cell(_ text: String) -> String {
    let scalars = text.unicodeScalars
    guard text.isEmpty || scalars.contains(where: { ",\"\n\r".unicodeScalars.contains($0) })
    else { return text }
    var quoted = "\"".unicodeScalars
    for scalar in scalars {
      if scalar == "\"" { quoted.append(scalar) }
      quoted.append(scalar)
    }
    return String(quoted) + "\""
  }

  private static func object(_ values: [Value], _ columns: [OutputColumn]) -> String {
    let members = zip(columns, values).map { column, value in
      "\(JSONEscapes.quoted(column.name)):\(json(value, column))"
    }
    return "{\(members.joined(separator: ","))}"
  }

  private static func json(_ value: Value, _ column: OutputColumn) -> String {
    switch (value, column.type) {
    case (.int(let bits), .uint64?): "\(UInt64(bitPattern: bits))"
    case (.text(let text), .json?): text
    default: ValueText.json(value).canonicalText
    }
  }
}

/// Cells of every form: those of ``RandomValues`` and numbers, dates and texts of any size.
struct RandomCells {
  private var values: RandomValues

  init(random: SplitMix64) { values = RandomValues(random: random) }

  mutating func below(_ bound: Int) -> Int { values.random.below(bound) }
  mutating func pick<Item>(_ items: [Item]) -> Item { values.random.pick(items) }

  mutating func name(_ index: Int) -> String {
    pick(["n", "a,b", "q\"", "é\n", "x y"]) + "\(index)"
  }

  mutating func value(_ type: AttributeType?) -> Value {
    guard let type else { return computed() }
    guard values.random.chance(60) else { return values.value(type) }
    let bits = values.random.next()
    switch type {
    case .int, .uint64: return .int(Int64(bitPattern: bits) >> Int64(below(64)))
    case .double: return .double(double(bits))
    case .date: return .date(date(bits))
    case .data: return .blob((0..<below(9)).map { _ in UInt8(below(256)) })
    case .text: return .text(text())
    case .bool, .decimal, .json, .uuid: return values.value(type)
    }
  }

  private mutating func double(_ bits: UInt64) -> Double {
    switch below(4) {
    case 0: Double(bitPattern: bits)
    case 1: Double(Int64(bitPattern: bits) >> Int64(below(64)))
    case 2: Double(Int64(bitPattern: bits) >> 40) / 100
    default: pick([999_999_999_999_999, 1e15, -1e15, 1e16, 0x1p54, -0.5, 100])
    }
  }

  private mutating func date(_ bits: UInt64) -> Double {
    let seconds = Double(Int64(bitPattern: bits) >> Int64(26 + below(20)))
    return pick([seconds, seconds, seconds + 0.25, seconds / 1_000, .nan, .infinity, 1e300])
  }

  private mutating func text() -> String {
    let parts = ["a", ",", "\"", "\n", "\r", "\\", "\t", "\u{1}", "\u{301}", "é", "東", " ", "x"]
    return (0..<below(70)).map { _ in below(3) == 0 ? pick(parts) : "y" }.joined()
  }

  /// What stands in columns that are no attributes.
  private mutating func computed() -> Value {
    switch below(7) {
    case 0: .reference(RowReference(entity: 3, row: Int64(below(2_000)) - 1_000))
    case 1: .list([.int(1), .text("a,\"b"), .null])
    case 2: .map([MapEntry("a", .double(.nan)), MapEntry("b", .bool(true))])
    case 3: .result(operation: 7)
    case 4: .key(KeyReference(entity: 1, constraint: [1], values: [.int(1)], createsMissing: false))
    default: value(pick(AttributeType.allCases))
    }
  }
}

/// Counts what a console puts out.
final class Blocks: Sendable {
  private let sizes = Mutex<[Int]>([])

  func add(_ count: Int) -> Bool {
    sizes.withLock { $0.append(count) }
    return true
  }

  var total: Int { sizes.withLock { $0.reduce(0, +) } }
  var largest: Int { sizes.withLock { $0.max() ?? 0 } }
}
