import RoostModel

/// How the rows of a section are shown, in `roost stats URL SECTION` and in `roost top` alike.
struct SectionTable: Sendable {
  let section: StatisticsSection
  let columns: [SectionColumn]
  /// The figures that together name a row from one sample to the next.
  let identity: [String]

  init(_ section: StatisticsSection) {
    self.section = section
    switch section {
    case .clients: (columns, identity) = (SectionTable.clients, ["id"])
    case .operations: (columns, identity) = (SectionTable.operations, ["client", "stream"])
    case .imports: (columns, identity) = (SectionTable.imports, ["id"])
    case .models: (columns, identity) = (SectionTable.models, ["name"])
    case .queries: (columns, identity) = (SectionTable.queries, ["kind", "shape"])
    }
  }

  /// What names a row from one sample to the next.
  func name(of row: Figures) -> String {
    var parts: [String] = []
    for key in identity {
      parts.append(row.text(key) ?? row.number(key).map { FigureForm.fixed($0, 0) } ?? "")
    }
    return parts.joined(separator: "/")
  }

  /// The columns for a terminal of so many columns; all without one.
  func columns(for width: Int?) -> [SectionColumn] {
    guard let width else { return columns }
    return columns.filter { $0.from <= width }
  }

  /// All rows for `roost stats`.
  func text(_ rows: [Figures], widthMax: Int?) -> String {
    let columns = columns(for: widthMax).filter { !$0.isRate }
    var writer = TableWriter(
      columns.map(\.output), widthMax: widthMax, isColoured: widthMax != nil)
    var text = ""
    for row in rows { text += writer.add(columns.map { $0.cell(row) }) }
    return text + writer.finish()
  }

  // MARK: Columns

  private static let clients: [SectionColumn] = [
    .client("id"), .text("agent", "agent"), .text("state", "state"),
    .rate("req/s", SampleRates.requests), .count("requests", "requests"), .count("calls", "calls"),
    .milliseconds("oldest", "oldestCallMilliseconds"), .count("failed", "failed"),
    .bytes("unsent", "unsentBytes"), .milliseconds("idle", "idleMilliseconds").shown(from: 90),
    .milliseconds("age", "ageMilliseconds").shown(from: 90),
    .milliseconds("stalled", "stalledMilliseconds").shown(from: 110),
    .milliseconds("snapshot", "snapshotMilliseconds").shown(from: 110),
    .bytes("in", "bytesIn").shown(from: 130), .bytes("out", "bytesOut").shown(from: 130),
    .text("address", "address").shown(from: 150),
  ]

  private static let operations: [SectionColumn] = [
    SectionColumn(
      name: "operation", isNumber: false, cell: { OperationName($0).text },
      key: { $0.number("client").map { .number($0) } ?? .missing }),
    .text("method", "method"), .text("state", "state"), .milliseconds("age", "ageMilliseconds"),
    .milliseconds("left", "deadlineMilliseconds").shown(from: 110),
    .text("agent", "agent").shown(from: 90), .text("entity", "entity"),
    .count("rows", "rows").shown(from: 90), .text("text", "text"),
  ]

  private static let imports: [SectionColumn] = [
    SectionColumn(
      name: "source", isNumber: false, cell: { SourceName.short($0) ?? FigureForm.missing },
      key: { SourceName.short($0).map { .text($0) } ?? .missing }),
    .text("entity", "entity"), .text("state", "state"),
    .share("done", "progressShare"), .count("rows/s", "rowsPerSecond"),
    .clock("eta", "etaMilliseconds"), .count("accepted", "accepted"),
    .count("rejected", "rejected"), .count("waiting", "chunksWaiting").shown(from: 100),
    .bytes("bytes", "bytes").shown(from: 100), .milliseconds("age", "ageMilliseconds"),
    .milliseconds("ended", "endedMillisecondsAgo").shown(from: 110),
    .client("client").shown(from: 120), .text("agent", "agent").shown(from: 130),
    .text("status", "status").shown(from: 120), .text("id", "id").shown(from: 200),
  ]

  private static let models: [SectionColumn] = [
    .text("model", "name"), .count("rows", "rows"), .rate("reads/s", SampleRates.reads),
    .rate("writes/s", SampleRates.writes), .count("gets", "gets"),
    .count("misses", "getMisses").shown(from: 100), .count("queries", "queries"),
    .count("read", "rowsRead"), .count("scanned", "rowsScanned"),
    .count("full scans", "fullScans"), .count("inserted", "inserted").shown(from: 110),
    .count("updated", "updated").shown(from: 110), .count("deleted", "deleted").shown(from: 110),
  ]

  private static let queries: [SectionColumn] = [
    .microseconds("total", "totalMicroseconds"), .count("calls/s", "callsPerSecond"),
    .microseconds("mean", "meanMicroseconds"), .microseconds("p99", "p99Microseconds"),
    .computed("scan/row", FigureForm.count, QueryFigures.scannedPerRow),
    SectionColumn(
      name: "full", isNumber: false,
      cell: { $0.flag("fullScan").map { $0 ? "yes" : "" } ?? FigureForm.missing },
      key: { $0.flag("fullScan").map { .number($0 ? 1 : 0) } ?? .missing }),
    .count("calls", "calls").shown(from: 100),
    .microseconds("max", "maxMicroseconds").shown(from: 110),
    .count("rows", "rows").shown(from: 120),
    .microseconds("wait", "waitMicroseconds").shown(from: 120),
    .count("failed", "failed").shown(from: 130), .text("kind", "kind").shown(from: 130),
    .text("query", "shape"),
  ]
}

/// An operation as it is called in words: `c#12/3`.
struct OperationName: Hashable {
  var client: UInt64?
  var stream: UInt32?

  init(_ row: Figures) {
    client = row.number("client").flatMap { UInt64(exactly: $0) }
    stream = row.number("stream").flatMap { UInt32(exactly: $0) }
  }

  var text: String {
    let client = client.map { "\($0)" } ?? FigureForm.missing
    return "c#\(client)/" + (stream.map { "\($0)" } ?? FigureForm.missing)
  }
}
