import RoostModel
import Testing

@testable import RoostCLI

/// `roost top`: what keys and samples make of its state, and its lines.
@Suite struct TopTests {
  private static func operation(_ client: Int64, _ stream: Int64, age: Int64) -> Value {
    SampleServer.map([
      "client": .int(client), "stream": .int(stream), "method": .text("Fetch"),
      "state": .text("running"), "ageMilliseconds": .int(age), "agent": .text("a"),
      "entity": .text("Flight"), "rows": .int(9), "text": .text("Flight where dest == \"LAX\""),
    ])
  }

  private static func client(_ id: Int64, requests: Int64, agent: String = "app/1") -> Value {
    SampleServer.map([
      "id": .int(id), "agent": .text(agent), "state": .text("idle"), "requests": .int(requests),
      "ageMilliseconds": .int(90_000),
    ])
  }

  private func sample(_ changes: KeyValuePairs<String, Value>) -> ServerSample {
    SampleServer.with(changes)
  }

  private func state(_ changes: KeyValuePairs<String, Value>, view: TopView) -> TopState {
    var state = TopState(url: "roost://x")
    state.view = view
    state.take(sample(changes))
    return state
  }

  private func operations() -> TopState {
    state(
      [
        "operations": .list([
          Self.operation(12, 3, age: 900), Self.operation(7, 1, age: 500),
          Self.operation(9, 5, age: 700),
        ])
      ], view: .operations)
  }

  private func lines(_ state: TopState, _ columns: Int = 100, _ rows: Int = 24) -> [String] {
    TopScreen(state, TerminalSize(columns: columns, rows: rows), isColoured: false)
      .lines(clock: "14:03:22")
  }

  private func names(_ state: TopState) -> [String] {
    state.ordered.map { OperationName($0).text }
  }

  @Test func itShowsFiguresViewsRowsAndKeys() {
    let lines = lines(operations())
    #expect(lines[0].hasPrefix("roost     roost://x  14:03:22  every 1 s  up 3d 04:12"))
    #expect(lines[1].hasPrefix("ops/s     get -"))
    #expect(lines[2].hasPrefix("writer    busy 46 %"))
    #expect(lines[3] == " 1 clients  2 operations  3 queries  4 models  5 imports ")
    #expect(lines[4].hasPrefix("operation  method  state      age▾  agent  entity  rows  text"))
    #expect(lines[5].hasPrefix("c#12/3     Fetch   running  900 ms"))
    #expect(lines.count == 9)
    #expect(lines[8].hasPrefix("q quit"))
  }

  @Test(arguments: [
    (80, 24), (140, 50), (40, 10), (20, 6), (10, 3), (1, 1), (0, 0), (100, 7),
  ])
  func itFitsEveryTerminal(_ columns: Int, _ rows: Int) {
    for view in TopView.allCases {
      var state = operations()
      state.view = view
      for mode in [TopState.Mode.list, .help] {
        state.mode = mode
        let lines = lines(state, columns, rows)
        #expect(lines.count <= max(1, rows))
        for line in lines { #expect(DisplayWidth.of(line) <= max(1, columns), "\(line)") }
      }
    }
  }

  @Test func nothingToldYetIsNoTrap() {
    var state = TopState(url: "roost://x")
    for key: TopKey in [.down, .up, .end, .pageDown, .character("k"), .left, .character("r")] {
      #expect(state.press(key, page: 10) == nil)
    }
    #expect(lines(state).contains("asking the server"))
    state.take(ServerSample([], time: 0))
    #expect(lines(state).contains("this server does not tell its clients"))
  }

  @Test func columnsOrderTheRows() {
    var state = operations()
    #expect(names(state) == ["c#12/3", "c#9/5", "c#7/1"])
    _ = state.press(.character("r"), page: 10)
    #expect(names(state) == ["c#7/1", "c#9/5", "c#12/3"])
    #expect(lines(state)[4].contains("age▴"))
    for _ in 0..<3 { _ = state.press(.left, page: 10) }
    #expect(state.listing.order?.column == "operation")
    #expect(names(state) == ["c#7/1", "c#9/5", "c#12/3"])
    _ = state.press(.left, page: 10)
    #expect(state.listing.order?.column == "text")
    _ = state.press(.character(">"), page: 10)
    #expect(state.listing.order?.column == "operation")
  }

  @Test func viewsAreChosenAndKeepTheirOrder() {
    var state = operations()
    _ = state.press(.character("r"), page: 10)
    #expect(state.press(.character("3"), page: 10) == .sample)
    #expect(state.view == .queries)
    #expect(state.press(.tab, page: 10) == .sample)
    #expect(state.view == .models)
    #expect(state.press(.backTab, page: 10) == .sample)
    #expect(state.press(.character("9"), page: 10) == nil)
    #expect(state.view == .queries)
    _ = state.press(.character("2"), page: 10)
    #expect(state.listing.order == TopOrder(column: "age", isDescending: false))
  }

  /// A row stays selected wherever the next sample moves it to.
  @Test func theSelectedRowIsFollowed() {
    var state = operations()
    _ = state.press(.down, page: 10)
    _ = state.press(.down, page: 10)
    #expect(state.selectedRow.map { OperationName($0).text } == "c#9/5")
    state.take(
      sample([
        "operations": .list([
          Self.operation(9, 5, age: 1_700), Self.operation(12, 3, age: 1_900),
          Self.operation(30, 1, age: 2_000),
        ])
      ]))
    #expect(names(state) == ["c#30/1", "c#12/3", "c#9/5"])
    #expect(state.selectedRow.map { OperationName($0).text } == "c#9/5")
    // Where it went, its place stays selected.
    state.take(sample(["operations": .list([Self.operation(30, 1, age: 2_000)])]))
    #expect(state.selectedRow.map { OperationName($0).text } == "c#30/1")
    state.take(sample(["operations": .list([])]))
    #expect(state.selectedRow == nil)
    #expect(lines(state).contains("no operations"))
  }

  @Test func anOperationIsEndedAfterAYes() {
    var state = operations()
    _ = state.press(.end, page: 10)
    #expect(state.press(.character("k"), page: 10) == nil)
    #expect(lines(state).last == "end operation c#7/1 Fetch (y/n)?")
    // The rows move on; what was asked for is what will be ended.
    state.take(sample(["operations": .list([Self.operation(30, 1, age: 2_000)])]))
    guard case .cancel(let target)? = state.press(.character("y"), page: 10) else {
      Issue.record("it was not to be ended")
      return
    }
    #expect(target.client == 7)
    #expect(target.stream == 1)
    #expect(state.mode == .list)
  }

  /// The numbers of an operation are another's after a restart.
  @Test(arguments: [("a1", true), ("b2", false)])
  func aQuestionDoesNotOutliveTheServer(_ instance: String, _ isAsked: Bool) {
    var state = state(
      [
        "operations": .list([Self.operation(12, 3, age: 900)]), "server.instance": .text("a1"),
      ], view: .operations)
    _ = state.press(.character("k"), page: 10)
    state.take(
      sample([
        "operations": .list([Self.operation(12, 3, age: 5)]), "server.instance": .text(instance),
        "server.uptimeMilliseconds": .int(274_329_000),
      ]))
    #expect((state.press(.character("y"), page: 10) != nil) == isAsked)
  }

  @Test(arguments: [
    TopKey.character("n"), .character("q"), .escape, .enter, .up, .character("k"), .tab,
  ])
  func anythingButAYesLetsItGoOn(_ key: TopKey) {
    var state = operations()
    _ = state.press(.down, page: 10)
    _ = state.press(.character("k"), page: 10)
    #expect(state.press(key, page: 10) == nil)
    #expect(state.mode == .list)
    #expect(state.view == .operations)
    #expect(lines(state).last == "c#12/3 Fetch goes on")
  }

  @Test func onlyOperationsCanBeEnded() {
    var state = state(["clients": .list([Self.client(1, requests: 5)])], view: .clients)
    #expect(state.press(.character("k"), page: 10) == nil)
    #expect(state.mode == .list)
    #expect(lines(state).last?.contains("the view of operations (2)") == true)
    var odd = self.state(["operations": .list([SampleServer.map([:])])], view: .operations)
    #expect(odd.press(.character("k"), page: 10) == nil)
    #expect(odd.mode == .list)
  }

  @Test func quittingPausingAndIntervals() {
    var state = operations()
    #expect(state.press(.character("q"), page: 10) == .quit)
    #expect(state.press(.interrupt, page: 10) == .quit)
    #expect(state.press(.character("p"), page: 10) == nil)
    #expect(state.isPaused)
    #expect(lines(state)[0].contains("PAUSED"))
    #expect(state.press(.character("p"), page: 10) == .sample)
    for _ in 0..<20 { _ = state.press(.character("+"), page: 10) }
    #expect(state.interval == 60)
    for _ in 0..<20 { _ = state.press(.character("-"), page: 10) }
    #expect(state.interval == 0.2)
    #expect(lines(state).last == "every 0.2 s")
    _ = state.press(.character("?"), page: 10)
    #expect(lines(state).contains { $0.hasPrefix("k             end the selected") })
    #expect(state.press(.character("q"), page: 10) == nil)
    #expect(state.mode == .list)
    #expect(state.press(.interrupt, page: 10) == .quit)
  }

  @Test func ratesOfClientsAreBetweenSamples() {
    var state = state(
      ["clients": .list([Self.client(1, requests: 100), Self.client(2, requests: 50)])],
      view: .clients)
    state.take(
      sample([
        "server.uptimeMilliseconds": .int(274_322_000),
        "clients": .list([
          Self.client(1, requests: 500), Self.client(2, requests: 50),
          // Older than the samples are apart: it was below the end of the earlier list.
          Self.client(3, requests: 9_000),
        ]),
      ]))
    let rates = state.ordered.map { $0.number(SampleRates.requests) }
    #expect(rates == [nil, 200, 0])
  }

  @Test func aLostServerIsToldAndTheRowsStay() {
    var state = operations()
    state.fail("nothing listens on roost://x")
    #expect(lines(state).last?.hasPrefix("no answer: nothing listens") == true)
    #expect(lines(state)[5].hasPrefix("c#12/3"))
    state.take(sample(["operations": .list([])]))
    #expect(lines(state).last?.hasPrefix("q quit") == true)
  }

  @Test func longListsAreScrolledToTheSelectedRow() {
    var rows: [Value] = []
    for place in 0..<50 { rows.append(Self.operation(1, Int64(place), age: Int64(1_000 - place))) }
    var state = state(["operations": .list(rows)], view: .operations)
    let page = TopScreen(state, TerminalSize(columns: 100, rows: 16)).page
    #expect(page == 10)
    _ = state.press(.pageDown, page: page)
    _ = state.press(.pageDown, page: page)
    let shown = lines(state, 100, 16)
    #expect(shown.count == 16)
    #expect(shown.contains { $0.hasPrefix("c#1/20") })
    _ = state.press(.end, page: page)
    #expect(lines(state, 100, 16)[14].hasPrefix("c#1/49"))
  }

  @Test func agentsCannotSteerTheTerminal() {
    let state = state(
      ["clients": .list([Self.client(1, requests: 5, agent: "\u{1B}]0;x\u{7}\u{9B}2J\n")])],
      view: .clients)
    for line in lines(state) {
      #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }
  }

  @Test(arguments: [
    ("\u{1B}[A", [TopKey.up]), ("\u{1B}OB", [.down]), ("\u{1B}[5~\u{1B}[6~", [.pageUp, .pageDown]),
    ("q", [.character("q")]), ("\t\u{1B}[Z", [.tab, .backTab]), ("\u{3}", [.interrupt]),
    ("\u{1B}[1~\u{1B}[4~\u{1B}[H\u{1B}OF", [.home, .end, .home, .end]), ("\r", [.enter]),
    ("\u{1B}[999;999R", []), ("ü", []),
  ])
  func keysAreTakenFromBytes(_ bytes: String, _ keys: [TopKey]) {
    var whole = TopKeyParser()
    #expect(whole.take(bytes.utf8) == keys)
    var dripped = TopKeyParser()
    var found: [TopKey] = []
    for byte in bytes.utf8 { found += dripped.take([byte]) }
    #expect(found == keys)
  }

  @Test func aLoneEscapeIsAKeyAfterAWhile() {
    var parser = TopKeyParser()
    #expect(parser.take([0x1B]).isEmpty)
    #expect(parser.isWaiting)
    #expect(parser.flush() == [.escape])
    #expect(!parser.isWaiting)
    #expect(parser.take([0x1B, 0x1B]) == [.escape])
  }

  @MainActor @Test func withoutATerminalItPointsToStats() async {
    let outcome = await roost("top", "roost://127.0.0.1:1")
    #expect(outcome.exitCode == ExitCode.wrongCall)
    #expect(outcome.errors.contains("roost stats roost://127.0.0.1:1"))
  }
}
