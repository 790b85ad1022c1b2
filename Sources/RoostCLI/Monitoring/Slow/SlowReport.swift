import RoostImport
import RoostModel

/// What the query shapes are ordered by, the greatest first.
enum SlowOrder: String, CaseIterable, Hashable, Sendable {
  case total, mean, max, p99, calls, scanned

  func figure(_ query: Figures) -> Double {
    let name =
      switch self {
      case .total: "totalMicroseconds"
      case .mean: "meanMicroseconds"
      case .max: "maxMicroseconds"
      case .p99: "p99Microseconds"
      case .calls: "calls"
      case .scanned: "rowsScanned"
      }
    return query.number(name) ?? 0
  }
}

/// The most expensive query shapes with their plans and what would help.
struct SlowReport {
  let sample: ServerSample
  let queries: [Figures]

  /// The first `count` of all in the order.
  init(_ sample: ServerSample, _ all: [Figures], by order: SlowOrder, count: Int) {
    self.sample = sample
    var keyed: [(figure: Double, place: Int)] = []
    for (place, query) in all.enumerated() { keyed.append((order.figure(query), place)) }
    // As the server sent them where they are equal.
    keyed.sort { ($1.figure, $0.place) < ($0.figure, $1.place) }
    queries = keyed.prefix(Swift.max(0, count)).map { all[$0.place] }
  }

  var json: String {
    ValueText.json(.list(queries.map { .map($0.entries) })).canonicalText
  }

  /// Blocks of lines, an empty one between them.
  func text(_ style: Style, widthMax: Int?) -> String {
    if queries.isEmpty { return "no queries yet\n" }
    var blocks: [String] = []
    for (index, query) in queries.enumerated() {
      blocks.append(block(index + 1, query, style, widthMax).joined(separator: "\n") + "\n")
    }
    return blocks.joined(separator: "\n")
  }

  private static let indent = "    "

  private func block(
    _ place: Int, _ query: Figures, _ style: Style, _ widthMax: Int?
  ) -> [String] {
    let number = "\(place). "
    let head = ScreenLine(
      number + SlowReport.oneLine(query.text("kind")), SlowReport.segments(query))
    var lines = [head.text(widthMax, style)]
    let shape = wrapped(SlowReport.oneLine(query.text("shape")), widthMax)
    lines += shape.map { SlowReport.indent + $0 }
    for (index, step) in (query.texts("plan") ?? []).enumerated() {
      let name = index == 0 ? "plan     " : "         "
      lines.append(style.dim(cut(SlowReport.indent + name + TableWriter.oneLine(step), widthMax)))
    }
    if let slowest = query.group("slowest") {
      lines += wrapped("slowest  \(SlowReport.slowest(slowest))", widthMax)
        .map { style.dim(SlowReport.indent + $0) }
    }
    if let advice = ScanAdvice(query, in: sample).text {
      lines += wrapped("→ \(advice)", widthMax).map {
        SlowReport.indent + style.level($0, .warning)
      }
    }
    return lines
  }

  private static func segments(_ query: Figures) -> [ScreenSegment] {
    let ratio = QueryFigures.scannedPerRow(query)
    let isScan = query.flag("fullScan") == true
    let failed = query.number("failed") ?? 0
    var segments = [
      ScreenSegment("calls \(FigureForm.grouped(query.number("calls")))"),
      ScreenSegment("total \(time("totalMicroseconds", query))"),
      ScreenSegment("mean \(time("meanMicroseconds", query))"),
      ScreenSegment("p99 \(time("p99Microseconds", query))"),
      ScreenSegment("max \(time("maxMicroseconds", query))", rank: 4),
      ScreenSegment("rows/call \(FigureForm.count(QueryFigures.perCall("rows", query)))", rank: 2),
      ScreenSegment(
        "scanned/row \(FigureForm.count(ratio))", isScan ? .warning : .fine, rank: 1),
      ScreenSegment("wait \(time("waitMicroseconds", query))", rank: 3),
      ScreenSegment("now \(FigureForm.count(query.number("callsPerSecond")))/s", rank: 5),
    ]
    if failed > 0 {
      segments.append(ScreenSegment("failed \(FigureForm.grouped(failed))", .warning))
    }
    return segments
  }

  private static func time(_ name: String, _ query: Figures) -> String {
    FigureForm.time(microseconds: query.number(name))
  }

  private static func slowest(_ call: Figures) -> String {
    let client = call.number("client").map { "c#\(FigureForm.fixed($0, 0))" } ?? "c#-"
    let agent = DisplayWidth.fitted(
      oneLine(call.text("agent")), MonitorLimits.clientTextWidth)
    return "\(time("microseconds", call)), "
      + "\(FigureForm.time(milliseconds: call.number("millisecondsAgo"))) ago, "
      + "\(client) \(agent): \(oneLine(call.text("text")))"
  }

  private static func oneLine(_ text: String?) -> String {
    text.map(TableWriter.oneLine) ?? FigureForm.missing
  }

  private func cut(_ text: String, _ widthMax: Int?) -> String {
    widthMax.map { DisplayWidth.fitted(text, $0) } ?? text
  }

  /// The text on as many lines as it needs beside the indent; broken at spaces.
  private func wrapped(_ text: String, _ widthMax: Int?) -> [String] {
    guard let widthMax else { return [text] }
    let room = Swift.max(20, widthMax - SlowReport.indent.count)
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if line.isEmpty {
        line = String(word)
      } else if DisplayWidth.of(line) + 1 + DisplayWidth.of(String(word)) <= room {
        line += " " + word
      } else {
        lines.append(DisplayWidth.fitted(line, room))
        line = String(word)
      }
    }
    return lines + [DisplayWidth.fitted(line, room)]
  }
}
