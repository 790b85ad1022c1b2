import RoostImport
import RoostModel
import Testing

@testable import RoostCLI

/// `roost stats --watch`: rows from the difference of two replies.
@Suite struct WatchTests {
  private func later(
    _ changes: KeyValuePairs<String, Value>, at time: Double = 1_002
  ) -> ServerSample {
    SampleServer.with(changes, at: time)
  }

  @Test func ratesAreDifferencesBySecondsOfTheServer() {
    let row = WatchRow(
      SampleServer.healthy(),
      later([
        "server.uptimeMilliseconds": .int(274_322_000),
        "server.methods/Get/started": .int(1_040_000), "server.methods/Count/started": .int(110),
        "server.methods/Fetch/started": .int(510), "server.methods/Write/failed": .int(8),
        "commits": .int(1_300), "server.cpuMicroseconds": .int(6_220_001),
        "server.import.rowsAccepted": .int(289_000),
      ]))
    #expect(row.seconds == 2)
    #expect(row[.gets] == 20_000)
    #expect(row[.queries] == 10)
    #expect(row[.writes] == 0)
    #expect(row[.errors] == 4)
    #expect(row[.commits] == 50)
    #expect(row[.processor].map(FigureForm.share) == "61 %")
    #expect(row[.imports] == 142_000)
    #expect(row[.getP99] == 612)
    #expect(row[.commitP99] == 4_800)
    #expect(row[.connections] == 212)
    #expect(!row.isRestarted)
  }

  @Test func aMinuteWithoutCommitsHasNoTimesOfThem() {
    let idle = later([
      "window/commitMicroseconds/count": .int(0), "window/commitMicroseconds/p50": .int(0),
      "window/commitMicroseconds/p99": .int(0), "window/commitMicroseconds/p999": .int(0),
    ])
    #expect(WatchRow(SampleServer.healthy(), idle)[.commitP99] == nil)
    let latency = StatsScreen(sample: idle).latency.segments.map(\.text)
    #expect(latency.contains("commit -"), "\(latency)")
  }

  /// The one before lived too short for its uptime or its counters to tell.
  @Test func aServerStartedAnewIsToldThoughItsCountersAreHigher() {
    let earlier = SampleServer.with(["server.instance": .text("a1")], at: 1_000)
    for (instance, isRestarted) in [("a1", false), ("b2", true)] {
      let row = WatchRow(
        earlier,
        later([
          "server.uptimeMilliseconds": .int(274_322_000), "server.instance": .text(instance),
        ]))
      #expect(row.isRestarted == isRestarted)
    }
  }

  @Test func aServerStartedAnewIsToldAndNothingIsNegative() {
    for changes: KeyValuePairs<String, Value> in [
      ["server.uptimeMilliseconds": .int(1_000)],
      ["server.uptimeMilliseconds": .int(274_322_000), "server.methods/Get/started": .int(5)],
    ] {
      let row = WatchRow(SampleServer.healthy(), later(changes))
      #expect(row.isRestarted)
      #expect(row.seconds == nil)
      for column in WatchColumn.allCases where column.counter != nil { #expect(row[column] == nil) }
      #expect(row[.connections] == 212)
      var table = WatchTable(widthMax: nil)
      let text = table.text(row, clock: "14:03:22", headerEvery: 20)
      #expect(text.contains("14:03:22 the server was started anew\n"))
      #expect(row.json.contains("\"restarted\":true"))
    }
  }

  /// It has been up for longer than the one before had been, when that was last asked.
  @Test func aServerStartedAnewIsToldThoughItIsTheOlderOne() {
    var before = SampleServer.with(["server.uptimeMilliseconds": .int(300)], at: 1_000)
    let after = SampleServer.with(["server.uptimeMilliseconds": .int(900)], at: 1_002)
    #expect(WatchRow(before, after).isRestarted)
    // A reply that was long on its way proves nothing.
    before.came = 1_001.4
    #expect(!WatchRow(before, after).isRestarted)
  }

  @Test func aServerThatNamesItselfIsKnownByThat() {
    let before = SampleServer.with(["server.instance": .text("a")])
    let uptime = Value.int(274_322_000)
    for (name, isRestarted) in [("a", false), ("b", true)] {
      let after = later(["server.instance": .text(name), "server.uptimeMilliseconds": uptime])
      #expect(WatchRow(before, after).isRestarted == isRestarted)
    }
  }

  @Test func anOldServersClockIsOurs() {
    let old = ServerSample([MapEntry("commits", .int(5))], time: 10)
    let new = ServerSample([MapEntry("commits", .int(9))], time: 12)
    let row = WatchRow(old, new)
    #expect(row[.commits] == 2)
    #expect(row[.gets] == nil)
  }

  @Test func rowsStandUnderAHeaderThatComesAgain() {
    var table = WatchTable(widthMax: nil)
    let row = WatchRow(
      SampleServer.healthy(), later(["server.uptimeMilliseconds": .int(274_322_000)]))
    let header =
      "    time  get/s  qry/s   wr/s commit/s p99get p99commit     wq     rq    wal  imp/s"
      + "   conn  err/s    cpu    rss"
    let line =
      "14:03:22      0      0      0        0   0.61       4.8      3      0   12MB      0"
      + "    212      0     0%  188MB"
    var text = ""
    for _ in 0..<3 { text += table.text(row, clock: "14:03:22", headerEvery: 2) }
    #expect(text.split(separator: "\n").map { String($0) } == [header, line, line, header, line])
  }

  @Test(arguments: [80, 100, 140])
  func rowsFitTheTerminal(_ width: Int) {
    var table = WatchTable(widthMax: width)
    let row = WatchRow(nil, SampleServer.healthy())
    for line in table.text(row, clock: "14:03:22", headerEvery: 2).split(separator: "\n") {
      let plain = line.replacing("\u{1B}[1m", with: "").replacing("\u{1B}[0m", with: "")
      #expect(DisplayWidth.of(String(plain)) <= width, "\(plain)")
    }
  }

  @Test func aRowOfJSONNamesItsUnits() throws {
    let row = WatchRow(
      SampleServer.healthy(),
      later(
        [
          "server.uptimeMilliseconds": .int(274_320_500),
          "server.methods/Get/started": .int(1_000_001),
        ], at: 1_000.5))
    let json = try JSONDocument.read(Array(row.json.utf8))
    #expect(json["getsPerSecond"] == .number("2"))
    #expect(json["seconds"] == .number("0.5"))
    #expect(json["getP99Microseconds"] == .number("612"))
    #expect(json["restarted"] == .bool(false))
    #expect(json["time"] == .string("2001-01-01T00:16:40Z"))
    #expect(!row.json.contains("\n"))
  }

  @Test func aLostServerIsAskedLessAndLessOften() {
    var pauses = WatchPauses(every: 1)
    var seconds: [Double] = []
    for _ in 0..<6 {
      pauses.failed()
      seconds.append(pauses.next)
    }
    #expect(seconds == [1, 2, 4, 8, 10, 10])
    pauses.succeeded()
    #expect(pauses.next == 1)
    var slow = WatchPauses(every: 60)
    for _ in 0..<40 { slow.failed() }
    #expect(slow.next == 60)
  }
}
