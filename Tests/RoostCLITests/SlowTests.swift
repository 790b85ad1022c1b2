import RoostModel
import Testing

@testable import RoostCLI

/// `roost slow`: shapes, their order, and what would help.
@Suite struct SlowTests {
  @Test func aShapeIsShownWithPlanSlowestCallAndAdvice() {
    let sample = SampleServer.healthy()
    let report = SlowReport(sample, sample.rows(.queries) ?? [], by: .total, count: 10)
    #expect(
      report.text(Style(isColoured: false), widthMax: nil) == """
        1. fetch  calls 1,200  total 12 s  mean 10.3 ms  p99 41 ms  max 120 ms  rows/call 12\
          scanned/row 28.1k  wait 20 µs  now 0.5/s
            Flight where dest == ? sort ident limit ?
            plan     SCAN Flight
                       USE TEMP B-TREE FOR ORDER BY
            slowest  120 ms, 4.0 s ago, c#12 roost/1: Flight where dest == "LAX" sort ident limit 10
            → scans all 336,776 rows of Flight for 12 rows out: an index on dest would help

        """)
  }

  @Test(arguments: [80, 100, 140])
  func itFitsTheTerminal(_ width: Int) {
    let sample = SampleServer.healthy()
    let report = SlowReport(sample, sample.rows(.queries) ?? [], by: .total, count: 10)
    for line in report.text(Style(isColoured: false), widthMax: width).split(separator: "\n") {
      #expect(DisplayWidth.of(String(line)) <= width, "\(line)")
    }
  }

  private func query(_ name: String, _ figures: KeyValuePairs<String, Value>) -> Figures {
    Figures([MapEntry("shape", .text(name))] + SampleServer.figures(figures).entries)
  }

  @Test(arguments: [
    (SlowOrder.total, "a"), (.mean, "b"), (.max, "b"), (.p99, "c"), (.calls, "a"),
    (.scanned, "c"),
  ])
  func theGreatestComesFirst(_ order: SlowOrder, _ first: String) {
    let queries = [
      query(
        "c",
        [
          "totalMicroseconds": .int(1), "p99Microseconds": .int(9), "rowsScanned": .int(9),
        ]),
      query("a", ["totalMicroseconds": .int(9), "calls": .int(9)]),
      query("b", ["meanMicroseconds": .int(9), "maxMicroseconds": .int(9)]),
    ]
    let report = SlowReport(SampleServer.healthy(), queries, by: order, count: 2)
    #expect(report.queries.count == 2)
    #expect(report.queries.first?.text("shape") == first)
  }

  @Test(arguments: [
    ("Flight where dest == ? sort ident", "dest"),
    ("Flight where (distance > ? && dest == ?)", "dest"), ("Flight where distance > ?", "distance"),
    ("Flight where dest in [?]", "dest"), ("Flight where dest in [?, ?] limit ?", "dest"),
    ("Flight where origin.icao == ? && dest == ?", "dest"), ("Flight where origin.icao == ?", nil),
    ("Flight where dest == ? || city == ?", nil), ("Flight where name.contains(?)", nil),
    ("Flight where a + b == ?", nil), ("Flight where a == b", nil), ("Flight", nil), ("", nil),
    ("where where where", nil), ("Flight where == ?", nil), ("Flight where dest ==", nil),
  ])
  func theIndexThatWouldHelpIsNamedWhereItIsPlain(_ shape: String, _ property: String?) {
    #expect(ShapeWords(shape).indexable == property)
  }

  @Test(arguments: [
    ("Flight", "it asks for every row"), ("Flight sort ident", "an index on ident would spare"),
    ("Flight where name.contains(?)", "a search within texts"),
    ("Flight where origin.icao == ?", "leads over relationships"),
    ("Flight where a + b == ?", "nothing in its predicate can use an index"),
  ])
  func otherwiseItSaysWhyNot(_ shape: String, _ words: String) {
    let query = query(shape, ["fullScan": .bool(true), "entity": .text("Flight")])
    #expect(ScanAdvice(query, in: SampleServer.healthy()).text?.contains(words) == true)
  }

  @Test func aCountIsNotCalledRowsOut() {
    let query = query(
      "Flight where dest == ?",
      [
        "fullScan": .bool(true), "entity": .text("Flight"), "kind": .text("count"),
        "rows": .int(20), "rowsScanned": .int(2_000), "calls": .int(2),
      ])
    #expect(
      ScanAdvice(query, in: SampleServer.healthy()).text
        == "scans 1,000 rows of Flight to count 10: an index on dest would help")
  }

  @Test func aQueryThatUsesAnIndexNeedsNoAdvice() {
    let query = query("Flight where dest == ?", ["fullScan": .bool(false)])
    #expect(ScanAdvice(query, in: SampleServer.healthy()).text == nil)
  }

  @Test func withoutQueriesItSaysSo() {
    let report = SlowReport(SampleServer.healthy(), [], by: .total, count: 10)
    #expect(report.text(Style(isColoured: false), widthMax: 80) == "no queries yet\n")
    #expect(report.json == "[]")
  }
}
