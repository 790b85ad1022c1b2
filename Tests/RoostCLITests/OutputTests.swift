import RoostModel
import Testing

@testable import RoostCLI

@Suite struct OutputTests {
  static let columns = [
    OutputColumn(name: "ident", type: .text), OutputColumn(name: "city", type: .text),
    OutputColumn(name: "miles", type: .int), OutputColumn(name: "off", type: .date),
  ]

  static let rows: [[Value]] = [
    [.text("UAL1"), .text("Zürich"), .int(7), .date(0)],
    [.text("B"), .text("東京 and more, far away"), .int(1_234), .null],
    [.text("a\"b"), .text("x\ny"), .null, .date(0.5)],
  ]

  private func printed(_ format: OutputFormat, width: Int? = nil) throws -> String {
    let captured = CapturedConsole()
    let console = captured.console(width: width)
    var writer = try RowWriter(Self.columns, format: format, to: console)
    for row in Self.rows { try writer.write(row) }
    try writer.finish()
    try console.flush()
    return captured.outcome(0).output
  }

  @Test func aTableIsAligned() throws {
    #expect(
      try printed(.table) == """
        ident  city                     miles  off
        ─────  ───────────────────────  ─────  ──────────────────────
        UAL1   Zürich                       7  2001-01-01T00:00:00Z
        B      東京 and more, far away   1234
        a"b    x y                             2001-01-01T00:00:00.5Z
        3 rows

        """)
  }

  @Test func aNarrowTerminalCutsTextsFirst() throws {
    let text = plain(try printed(.table, width: 53))
    #expect(
      text == """
        ident  city             miles  off
        ─────  ───────────────  ─────  ──────────────────────
        UAL1   Zürich               7  2001-01-01T00:00:00Z
        B      東京 and more,…   1234
        a"b    x y                     2001-01-01T00:00:00.5Z
        3 rows

        """)
  }

  @Test func whatDoesNotFitIsLeftOutAndNamed() throws {
    let text = plain(try printed(.table, width: 30))
    #expect(
      text == """
        ident  city          miles
        ─────  ────────────  ─────
        UAL1   Zürich            7
        B      東京 and mo…   1234
        a"b    x y
        3 rows; not shown: off

        """)
  }

  private func plain(_ text: String) -> String {
    ["\u{1B}[1m", "\u{1B}[2m", "\u{1B}[0m"].reduce(text) {
      $0.split(separator: $1, omittingEmptySubsequences: false).joined()
    }
  }

  @Test func coloursAreForTerminalsOnly() throws {
    #expect(try !printed(.table).contains("\u{1B}"))
    #expect(try printed(.table, width: 80).contains("\u{1B}[1m"))
  }

  @Test func csvTellsNilFromEmptyAndQuotesWhatItMust() throws {
    #expect(
      try printed(.csv) == """
        ident,city,miles,off
        UAL1,Zürich,7,2001-01-01T00:00:00Z
        B,"東京 and more, far away",1234,
        "a""b","x\ny",,2001-01-01T00:00:00.5Z

        """)
    #expect(CSVText.cell("") == "\"\"")
  }

  @Test func jsonIsAnArrayAndNDJSONOneObjectALine() throws {
    let lines = [
      "{\"ident\":\"UAL1\",\"city\":\"Zürich\",\"miles\":7,\"off\":\"2001-01-01T00:00:00Z\"}",
      "{\"ident\":\"B\",\"city\":\"東京 and more, far away\",\"miles\":1234,\"off\":null}",
      "{\"ident\":\"a\\\"b\",\"city\":\"x\\ny\",\"miles\":null,\"off\":\"2001-01-01T00:00:00.5Z\"}",
    ]
    #expect(try printed(.ndjson) == lines.map { $0 + "\n" }.joined())
    #expect(try printed(.json) == "[\n" + lines.joined(separator: ",\n") + "\n]\n")
  }

  @Test func noRowsAreStillAWholeOutput() throws {
    for (format, text) in [
      (OutputFormat.table, "ident  city  miles  off\n─────  ────  ─────  ───\n0 rows\n"),
      (.json, "[]\n"), (.ndjson, ""), (.csv, "ident,city,miles,off\n"),
    ] {
      let captured = CapturedConsole()
      let console = captured.console()
      var writer = try RowWriter(Self.columns, format: format, to: console)
      try writer.finish()
      try console.flush()
      #expect(captured.outcome(0).output == text)
    }
  }

  @Test func aLongTableStreamsAfterItsSample() {
    var table = TableWriter([OutputColumn(name: "n", type: .int)], widthMax: nil)
    var text = ""
    for number in 0..<TableWriter.sampleRows - 1 { text += table.add(["\(number)"]) }
    #expect(text.isEmpty)
    #expect(table.add(["x"]).hasPrefix("  n\n"))
    #expect(table.add(["12345"]) == "12345\n")
    #expect(table.finish().isEmpty)
  }

  @Test func controlCharactersDoNotReachTheTerminal() {
    #expect(TableWriter.oneLine("a\u{1B}[31mb\r\nc\u{7}") == "a\u{FFFD}[31mb  c\u{FFFD}")
  }

  @Test func unsignedNumbersAndJSONAppearAsWhatTheyAre() throws {
    let captured = CapturedConsole()
    let console = captured.console()
    var writer = try RowWriter(
      [OutputColumn(name: "u", type: .uint64), OutputColumn(name: "j", type: .json)],
      format: .ndjson, to: console)
    try writer.write([.int(-1), .text("{\"a\":1}")])
    try console.flush()
    #expect(captured.outcome(0).output == "{\"u\":18446744073709551615,\"j\":{\"a\":1}}\n")
  }

  @Test(arguments: [
    (0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567"),
    (Int.min, "-9,223,372,036,854,775,808"),
  ])
  func numbersAreGrouped(_ number: Int, _ text: String) {
    #expect(NumberForm.grouped(number) == text)
  }

  @Test(arguments: [
    (0.0, "0"), (1.5, "1.5"), (1_234.5678, "1,234.568"), (-0.25, "-0.25"), (2.0004, "2"),
    (0.9999, "1"),
  ])
  func decimalsAreShort(_ number: Double, _ text: String) {
    #expect(NumberForm.decimal(number) == text)
  }

  @Test func anImportIsDoneOnlyWhenNothingIsUnknown() {
    var totals = ImportTotals(accepted: 3, seconds: 1)
    #expect(totals.exitCode == ExitCode.done)
    #expect(
      totals.json
        == "{\"rows\":3,\"accepted\":3,\"rejected\":0,\"seconds\":1.0,\"rowsPerSecond\":3}")
    totals.unknown = 2
    #expect(totals.exitCode == ExitCode.failed)
    #expect(
      totals.json
        == "{\"rows\":5,\"accepted\":3,\"rejected\":0,\"unknown\":2,\"seconds\":1.0,"
        + "\"rowsPerSecond\":5}")
    totals = ImportTotals(accepted: 3, rejected: 1)
    #expect(totals.exitCode == ExitCode.failed)
  }

  @Test func progressSaysWhatIsDoneAndWhatRemains() {
    #expect(
      ImportProgressLine.text(rows: 50_000, bytes: 25, total: 100, seconds: 2)
        == "▰▰▱▱▱▱▱▱▱▱ 25 %   50,000 rows   25,000 rows/s   6 s left")
    #expect(
      ImportProgressLine.text(rows: 10, bytes: 25, total: nil, seconds: 0) == "10 rows   0 rows/s")
  }
}
