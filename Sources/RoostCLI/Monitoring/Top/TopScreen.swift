import RoostModel

/// The lines of `roost top` for a terminal's size.
struct TopScreen {
  let state: TopState
  let size: TerminalSize
  let style: Style

  init(_ state: TopState, _ size: TerminalSize, isColoured: Bool = true) {
    self.state = state
    self.size = TerminalSize(columns: max(1, size.columns), rows: max(1, size.rows))
    style = Style(isColoured: isColoured)
  }

  /// Lines above the rows (three of figures, views, names of columns) and the one below them.
  private static let frameLines = 6

  /// Rows that are shown at once.
  var page: Int { max(1, size.rows - TopScreen.frameLines) }

  /// At most as many as the terminal has, none wider than it.
  func lines(clock: String) -> [String] {
    var lines = header(clock) + [viewLine]
    switch state.mode {
    case .help: lines += help
    case .list, .confirm: lines += table
    }
    return lines.prefix(size.rows - 1) + [lastLine]
  }

  // MARK: Header

  private func header(_ clock: String) -> [String] {
    let figures = state.sample?.figures ?? Figures()
    let screen = StatsScreen(sample: state.sample ?? ServerSample([], time: 0))
    let server = ScreenLine(
      "roost",
      [
        ScreenSegment(DisplayWidth.fitted(state.url, MonitorLimits.clientTextWidth)),
        ScreenSegment(clock), ready(screen),
        ScreenSegment(
          "up \(FigureForm.time(milliseconds: figures.number("server.uptimeMilliseconds")))",
          rank: 2),
        ScreenSegment("clients \(watch(.connections))"), ScreenSegment("cpu \(watch(.processor))"),
        ScreenSegment("rss \(watch(.resident))", rank: 1),
      ])
    let work = ScreenLine(
      "ops/s",
      [
        ScreenSegment("get \(watch(.gets))"), ScreenSegment("query \(watch(.queries))"),
        ScreenSegment("write \(watch(.writes))"), ScreenSegment("commit \(watch(.commits))"),
        ScreenSegment("import \(watch(.imports))", rank: 2),
        ScreenSegment("failed \(watch(.errors))"),
        ScreenSegment("p99 get \(watch(.getP99)) ms", rank: 1),
        ScreenSegment("commit \(watch(.commitP99)) ms", rank: 3),
      ])
    var writer = screen.writer
    writer.segments.append(ScreenSegment("wal \(watch(.wal))"))
    writer.segments.append(ScreenSegment("queries waiting \(watch(.readQueue))", rank: 3))
    return [server, work, writer].map { $0.text(size.columns, style) }
  }

  private func ready(_ screen: StatsScreen) -> ScreenSegment {
    screen.server.segments.first { $0.text.hasPrefix("ready") && $0.level != .fine }
      ?? ScreenSegment(state.isPaused ? "PAUSED" : "every \(NumberForm.decimal(state.interval)) s")
  }

  private func watch(_ column: WatchColumn) -> String { column.text(state.rates?[column]) }

  private var viewLine: String {
    var line = ""
    var room = size.columns
    for view in TopView.allCases {
      let text = " \(view.rawValue + 1) \(view.title) "
      guard text.count <= room else { break }
      room -= text.count
      line += view == state.view ? style.reversed(text) : style.dim(text)
    }
    return line
  }

  // MARK: Rows

  /// The columns' names and as many rows as there is room for, the selected one among them.
  private var table: [String] {
    let rows = state.ordered
    let cursor = state.cursor(in: rows)
    let columns = SectionTable(state.view.section).columns(for: size.columns)
    var writer = TableWriter(columns.map(output), widthMax: size.columns)
    var text = ""
    for row in rows { text += writer.add(columns.map { $0.cell(row) }) }
    text += writer.finish()
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
    var lines = [style.bold(DisplayWidth.fitted(all.first ?? "", size.columns))]
    // Behind the names stands the table's rule.
    let body = all.dropFirst(2).prefix(rows.count)
    if body.isEmpty { lines.append(style.dim(emptyWords)) }
    let start = max(0, (cursor ?? 0) - page + 1)
    for (place, line) in body.enumerated().dropFirst(start).prefix(page) {
      let isSelected = place == cursor && state.listing.selected != nil
      lines.append(isSelected ? selected(line) : DisplayWidth.fitted(line, size.columns))
    }
    return lines
  }

  private var emptyWords: String {
    if state.sample == nil { return "asking the server" }
    return state.rows[state.view] == nil
      ? "this server does not tell its \(state.view.title)" : "no \(state.view.title)"
  }

  private func output(_ column: SectionColumn) -> OutputColumn {
    var output = column.output
    if let order = state.listing.order, order.column == column.name {
      output.name += order.isDescending ? "▾" : "▴"
    }
    return output
  }

  private func selected(_ line: String) -> String {
    let text = DisplayWidth.fitted(line, size.columns)
    let gap = String(repeating: " ", count: max(0, size.columns - DisplayWidth.of(text)))
    return style.reversed(text + gap)
  }

  // MARK: Below

  private var lastLine: String {
    if case .confirm(let target) = state.mode {
      return fitted("end operation \(target.name) (y/n)?", .warning)
    }
    if let failure = state.failure {
      return fitted("no answer: \(TableWriter.oneLine(failure)); trying again", .critical)
    }
    if let notice = state.notice { return fitted(TableWriter.oneLine(notice), .fine) }
    let end = state.view == .operations ? "k end  " : ""
    return style.dim(
      DisplayWidth.fitted(
        "q quit  h help  1-5 view  ←→ sort  r reverse  ↑↓ select  \(end)p pause  +- interval",
        size.columns))
  }

  private func fitted(_ text: String, _ level: FigureLevel) -> String {
    style.level(DisplayWidth.fitted(text, size.columns), level)
  }

  private var help: [String] {
    [
      "", "1-5, tab      clients, operations, queries, models, imports",
      "left, right   the column the rows are ordered by; < and > too",
      "r             the other way round",
      "up, down      select a row; page up, page down, home, end",
      "k             end the selected operation (asks first)",
      "p             pause and go on", "+, -          longer and shorter intervals",
      "space         ask the server now", "q             quit", "", "any key goes back",
    ].map { DisplayWidth.fitted($0, size.columns) }
  }
}
