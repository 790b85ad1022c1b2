import RoostModel
import Testing

@testable import RoostCLI

/// The one screen of `roost stats`.
@Suite struct StatsScreenTests {
  private func lines(_ sample: ServerSample, width: Int?) -> [String] {
    StatsScreen(sample: sample).lines.map { $0.text(width, Style(isColoured: false)) }
  }

  @Test func itShowsALineATopicWithUnits() {
    #expect(
      lines(SampleServer.healthy(), width: nil) == [
        "server    v1.0  pid 812  up 3d 04:12  ready yes  engine sqlite 3.40.1  durability full"
          + "  schema 7",
        "data      file 4 GB  wal 12 MB (peak 96 MB)  rows 338k  commit 8,812,345  written 338k"
          + "  disk free 61 GB  freelist 12 pages",
        "clients   212/10k  active 17  unready 0  unsent 2 kB (most 1 kB c#44)  slow 0 (ever 3)"
          + "  refused 0",
        "ops/s     get 18.2k  fetch 18.2k  count 0  write 18.2k  commit 410 (8.3 a group)"
          + "  rows +3.4k ~0 -40  import 142k",
        "latency   get 0.09/0.61/2.4  fetch 0.09/0.61/2.4  count -  write 0.09/0.61/2.4"
          + "  commit 0.90/4.8/11  ms p50/p99/p999, 60 s",
        "writer    busy 46 %  queue 3 (max 41)  oldest wait 1.8 ms  group 200 µs  failed 0"
          + "  refused 0",
        "readers   queries 5 running  waiting 0 of 1,024  gets waiting 0  snapshots 5/16"
          + "  oldest 2.1 s (c#43)  expired 0",
        "checkpt   last 4.0 s ago, 1,812 pages, 21 ms  longest 40 ms  all 99"
          + "  incomplete 0 in 60 s (all 0)",
        "cache     hit 99.2 %  rows 60,012, 12 MB of 48 MB  evicted 7  statements hit 99.9 %",
        "import    people.ndjson → Flight  61 %  142k rows/s  eta 00:00:48  accepted 120k"
          + "  rejected 12",
        "errors    failed 5  refused 0 in 60 s  outcomes unknown 0  already exists 83  not found 4",
        "process   cpu 61 % of 2 cpus  rss 188 MB  fds 231/20k  threads 14  in 8.7 MB/s"
          + "  out 21.0 MB/s",
      ])
  }

  @Test(arguments: [80, 100, 120, 140])
  func itFitsTheTerminalAndKeepsATopicALine(_ width: Int) {
    let all = lines(SampleServer.healthy(), width: width)
    #expect(all.count == 12)
    for line in all { #expect(DisplayWidth.of(line) <= width, "\(line)") }
    // What is most important stays.
    #expect(all[0].contains("up 3d 04:12  ready yes"))
    #expect(all[5].contains("busy 46 %"))
  }

  /// A server of another version, or none of the figures: a screen of dashes, no trap.
  @Test func aServerThatTellsNothingGivesDashes() {
    let all = lines(ServerSample([], time: 0), width: 80)
    #expect(all.count == 12)
    #expect(all[0].hasPrefix("server    v-  pid -  up -  ready -"))
    #expect(all[4].contains("get -"))
    #expect(ModelSummary.text(ServerSample([], time: 0), widthMax: 80).isEmpty)
  }

  /// Figures of odd types and sizes are no reason to trap either.
  @Test(arguments: [
    Value.int(.max), .int(.min), .double(.infinity), .double(.nan), .double(1e300), .text("x"),
    .list([]), .map([]), .bool(true), .null,
  ])
  func oddFiguresDoNotTrap(_ value: Value) {
    var sample = SampleServer.healthy()
    sample.figures.entries = sample.figures.entries.map {
      MapEntry($0.key, changed($0.value, value))
    }
    #expect(lines(sample, width: 80).count >= 12)
    for section in StatisticsSection.allCases {
      sample.setRows(section, [SampleServer.figures(["id": value, "rows": value, "age": value])])
      _ = SectionTable(section).text(sample.rows(section) ?? [], widthMax: 100)
    }
    _ = DoctorReport(sample).text(Style(isColoured: true))
    _ = WatchRow(SampleServer.healthy(), sample).json
    _ = SlowReport(sample, sample.rows(.queries) ?? [], by: .total, count: 9)
      .text(Style(isColoured: true), widthMax: 80)
  }

  private func changed(_ old: Value, _ new: Value) -> Value {
    switch old {
    case .map(let entries): .map(entries.map { MapEntry($0.key, changed($0.value, new)) })
    case .list(let items): .list(items.map { changed($0, new) })
    default: new
    }
  }

  @Test func problemsAreColouredOnATerminalOnly() throws {
    let sample = SampleServer.with([
      "writerBroken": .int(1), "window/writerBusyShare": .double(0.99),
    ])
    let screen = StatsScreen(sample: sample)
    let coloured = screen.writer.text(80, Style(isColoured: true))
    #expect(coloured.contains("\u{1B}[1;31mBROKEN\u{1B}[0m"))
    #expect(coloured.contains("\u{1B}[33mbusy 99 %\u{1B}[0m"))
    #expect(
      screen.server.text(nil, Style(isColoured: false)).contains("ready no: the writer is broken"))
    #expect(!screen.writer.text(nil, Style(isColoured: false)).contains("\u{1B}"))
  }

  @Test func atMostFourImportsHaveALine() {
    var sample = SampleServer.healthy()
    let jobs = sample.rows(.imports) ?? []
    sample.setRows(.imports, Array(repeating: jobs, count: 6).flatMap { $0 })
    let imports = StatsScreen(sample: sample).imports
    #expect(imports.count == 4)
    #expect(imports.last?.segments.last?.text == "and 2 more")
  }

  /// Names and texts come from clients: none of them may steer the terminal.
  @Test(arguments: ["\u{1B}[2J", "\u{9B}31m", "a\nb", "\u{202E}txt", "\u{7}"])
  func textsOfClientsCannotSteerTheTerminal(_ text: String) {
    var sample = SampleServer.healthy()
    let row = SampleServer.figures([
      "source": .text(text), "entity": .text(text), "agent": .text(text), "state": .text("running"),
      "text": .text(text), "shape": .text(text), "name": .text(text), "kind": .text(text),
      "plan": .list([.text(text)]), "fullScan": .bool(true), "callsPerSecond": .double(9),
      "rowsScanned": .int(1_000_000), "calls": .int(1), "rows": .int(1),
      "slowest": SampleServer.map(["agent": .text(text), "text": .text(text)]),
      "accepted": .int(0), "rejected": .int(9),
    ])
    for section in StatisticsSection.allCases { sample.setRows(section, [row]) }
    let names = ["lastError", "engine", "durability"]
    sample.figures.entries.removeAll { names.contains($0.key) }
    for name in names { sample.figures.entries.append(MapEntry(name, .text(text))) }
    // Entities name the keys of maps.
    for inner in [Value.int(1), .map([MapEntry(text, .int(1))])] {
      sample.figures.entries.append(MapEntry("\(text)rows", .map([MapEntry(text, inner)])))
    }
    var printed = lines(sample, width: nil).joined(separator: "|")
    printed += StatsText.text(sample.figures.entries, Style(isColoured: false))
    printed += ModelSummary.text(sample, widthMax: nil)
    for section in StatisticsSection.allCases {
      printed += SectionTable(section).text([row], widthMax: nil)
    }
    printed += StatsText.text([MapEntry(text, .text(text))], Style(isColoured: false))
    printed += StatsText.text(
      [MapEntry("rows", .map([MapEntry(text, .int(1))]))], Style(isColoured: false))
    printed += DoctorReport(sample).text(Style(isColoured: false))
    printed += SlowReport(sample, [row], by: .total, count: 1)
      .text(Style(isColoured: false), widthMax: nil)
    for scalar in printed.unicodeScalars where scalar != "\n" {
      #expect(scalar.properties.generalCategory != .control)
      #expect(scalar != "\u{202E}")
    }
    #expect(!printed.contains("a\nb"))
  }

  @Test func modelsAreATableOfTheLargestFirst() {
    let text = ModelSummary.text(SampleServer.healthy(), widthMax: nil)
    let rows = text.split(separator: "\n").map { String($0) }
    #expect(rows[0].hasPrefix("model    rows  gets  queries"))
    #expect(rows[2].hasPrefix("Flight   337k    1M      600"))
    #expect(rows.count == 4)
  }
}

@Suite struct FigureFormTests {
  @Test(arguments: [
    (0.0, "0"), (812, "812"), (999.4, "999"), (8.3, "8.3"), (9.96, "10"), (1_000, "1k"),
    (18_234, "18.2k"), (142_000, "142k"), (999_600, "1.0M"), (1.23e6, "1.2M"), (4.5e9, "4.5G"),
    (-1_500, "-1.5k"), (1e300, "\(1e300 / 1e15)P"),
  ])
  func countsAreShort(_ number: Double, _ text: String) {
    #expect(FigureForm.count(number) == text)
  }

  @Test(arguments: [
    (0.0, "0 B"), (812, "812 B"), (2_048, "2 kB"), (12_582_912, "12 MB"), (4.2e9, "3.9 GB"),
    (1_023, "1.0 kB"),
  ])
  func bytesHaveUnits(_ number: Double, _ text: String) {
    #expect(FigureForm.bytes(number) == text)
  }

  @Test(arguments: [
    (135.0, "135 µs"), (610, "610 µs"), (1_800, "1.8 ms"), (21_000, "21 ms"),
    (120_000, "120 ms"), (1_200_000, "1.2 s"), (59_600_000, "1m 00s"), (252_000_000, "4m 12s"),
    (11_040_000_000, "3h 04m"), (274_320_000_000, "3d 04:12"),
  ])
  func timesHaveUnits(_ microseconds: Double, _ text: String) {
    #expect(FigureForm.time(microseconds: microseconds) == text)
  }

  @Test(arguments: [
    (0.0, "0 %"), (0.461, "46 %"), (0.9923, "99.2 %"), (0.99999, "99.9 %"), (1, "100 %"),
    (0.012, "1.2 %"), (1.61, "161 %"),
  ])
  func sharesNeverRoundUpToAll(_ share: Double, _ text: String) {
    #expect(FigureForm.share(share) == text)
  }

  @Test func whatIsMissingIsADash() {
    #expect(FigureForm.count(nil) == "-")
    #expect(FigureForm.bytes(nil) == "-")
    #expect(FigureForm.time(microseconds: nil) == "-")
    #expect(FigureForm.clock(milliseconds: nil) == "-")
    #expect(FigureForm.clock(milliseconds: 3_661_000) == "01:01:01")
  }
}
