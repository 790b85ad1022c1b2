import RoostImport
import RoostModel
import RoostTestSupport
import Testing

@testable import RoostCLI

/// Rows that go from packed bytes to text look as if each cell had been a value and a text.
@Suite struct RowTextTests {
  private static let types: [AttributeType?] = AttributeType.allCases.map { $0 } + [nil]

  @Test(arguments: [OutputFormat.csv, .json, .ndjson])
  func `Random rows look as the values say`(_ format: OutputFormat) throws {
    var random = RandomCells(random: SplitMix64(seed: TestSeed.current))
    for _ in 0..<300 {
      let columns = (0...random.below(5)).map { index in
        OutputColumn(name: random.name(index), type: random.pick(Self.types))
      }
      let rows = (0..<random.below(8)).map { _ in columns.map { random.value($0.type) } }
      let expected = SlowRowText.text(rows, columns, format)
      #expect(try printed(rows, columns, format) == expected, "\(TestSeed.note) \(rows)")
    }
  }

  private func printed(
    _ rows: [[Value]], _ columns: [OutputColumn], _ format: OutputFormat, extra: Int = 0
  ) throws -> String {
    let captured = CapturedConsole()
    let console = captured.console()
    var writer = try RowWriter(columns, format: format, to: console)
    var packed = PackedWriter()
    for value in rows.joined() { packed.value(value) }
    let properties = (0..<columns.count + extra).map { PropertyID($0) }
    try writer.write(
      RowBatch(
        entity: 1, schemaVersion: 1, columns: properties, rowCount: rows.count,
        body: packed.bytes))
    #expect(writer.rowCount == rows.count)
    try writer.finish()
    try console.flush()
    return captured.outcome(0).output
  }

  @Test func `Columns before those asked for are left out`() throws {
    let columns = [OutputColumn(name: "a", type: .text)]
    let rows: [[Value]] = [[.int(7), .text("x")], [.text("long"), .text("y")]]
    #expect(try printed(rows, columns, .csv, extra: 1) == "a\nx\ny\n")
    #expect(try printed(rows, columns, .json, extra: 1) == "[\n{\"a\":\"x\"},\n{\"a\":\"y\"}\n]\n")
    #expect(try printed(rows, columns, .table, extra: 1).hasPrefix("a\n─\nx\ny\n"))
  }

  @Test func `Bytes that are no rows are the server's fault`() throws {
    let captured = CapturedConsole()
    let columns = [OutputColumn(name: "a", type: .text)]
    for body: [UInt8] in [[], [0x43, 0x41], [0x03], [0x3F], [0x08, 1, 2]] {
      var writer = try RowWriter(columns, format: .csv, to: captured.console())
      #expect(throws: CommandFault.self) {
        try writer.write(
          RowBatch(entity: 1, schemaVersion: 1, columns: [1], rowCount: 1, body: body))
      }
    }
  }

  @Test func `A quote with an accent on it is a quote`() {
    #expect(CSVText.cell("a\"\u{301}b") == "\"a\"\"\u{301}b\"")
  }

  @Test func `Much output leaves in blocks while it is made`() throws {
    let blocks = Blocks()
    let console = Console(output: { blocks.add($0.count) }, errors: { _ in true })
    let columns = [OutputColumn(name: String(repeating: "n", count: 60), type: .bool)]
    var writer = try RowWriter(columns, format: .ndjson, to: console)
    let body = [UInt8](repeating: 0x01, count: 60_000)
    try writer.write(
      RowBatch(entity: 1, schemaVersion: 1, columns: [1], rowCount: body.count, body: body))
    try console.flush()
    #expect(blocks.total == 60_000 * 71)
    #expect(blocks.largest < 2 * Console.blockBytes)
  }

  @Test(arguments: [
    0, 1, 9, 10, 99, 100, 101, 999, 1_000, 999_999_999_999_999_999, 1_000_000_000_000_000_000,
    9_999_999_999_999_999_999, 10_000_000_000_000_000_000, UInt64.max,
  ])
  func `Digits are all there`(_ number: UInt64) {
    var output = ByteBuffer()
    output.append(digits: number)
    #expect(String(decoding: output.bytes, as: UTF8.self) == "\(number)")
  }
}
