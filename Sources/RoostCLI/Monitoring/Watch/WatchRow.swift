import RoostImport
import RoostModel

/// What a server did between two replies: a row of `roost stats --watch`.
struct WatchRow: Hashable, Sendable {
  /// When the later reply came: seconds since 2001.
  var time: Double
  /// Seconds between the two; nil for the first row and where the server was started between them.
  var seconds: Double?
  /// The server was started between them: its counters went back.
  var isRestarted = false
  /// In the order of the columns; nil for what is not known.
  private var values: [WatchColumn: Double] = [:]

  subscript(_ column: WatchColumn) -> Double? { values[column] }

  init(_ earlier: ServerSample?, _ later: ServerSample) {
    time = later.time
    for column in WatchColumn.allCases {
      if let gauge = column.gauge { values[column] = gauge(later.figures) }
    }
    guard let earlier else { return }
    seconds = later.seconds(since: earlier)
    var rates: [WatchColumn: Double] = [:]
    for column in WatchColumn.allCases {
      guard let counter = column.counter, let now = counter(later.figures),
        let then = counter(earlier.figures)
      else { continue }
      if now < then { isRestarted = true }
      if let seconds, seconds > 0 { rates[column] = (now - then) / seconds }
    }
    if seconds == nil { isRestarted = true }
    guard !isRestarted else {
      seconds = nil
      return
    }
    values.merge(rates) { $1 }
  }

  /// One object of NDJSON; what is not known is null.
  var json: String {
    var entries = [
      MapEntry("restarted", .bool(isRestarted)),
      MapEntry("seconds", seconds.map { .double($0) } ?? .null),
      MapEntry("time", .text(DateText.text(time.rounded(.down)))),
    ]
    for column in WatchColumn.allCases {
      entries.append(MapEntry(column.jsonName, values[column].map(WatchRow.value) ?? .null))
    }
    return ValueText.json(.map(entries)).canonicalText
  }

  private static func value(_ number: Double) -> Value {
    if let whole = Int64(exactly: number) { return .int(whole) }
    return .double((number * 1_000).rounded() / 1_000)
  }
}

/// A column of `roost stats --watch` beside the time.
enum WatchColumn: String, CaseIterable, Hashable, Sendable {
  case gets = "get/s"
  case queries = "qry/s"
  case writes = "wr/s"
  case commits = "commit/s"
  case getP99 = "p99get"
  case commitP99 = "p99commit"
  case writeQueue = "wq"
  case readQueue = "rq"
  case wal
  case imports = "imp/s"
  case connections = "conn"
  case errors = "err/s"
  case processor = "cpu"
  case resident = "rss"

  var title: String { rawValue }

  /// Columns of text it takes; longer figures push the others to the right.
  var width: Int { max(title.count, 6) }

  /// What goes first where a terminal is narrow, the highest first; 0 stays.
  var rank: Int {
    switch self {
    case .readQueue: 5
    case .imports: 4
    case .commits: 3
    case .connections: 2
    case .wal: 1
    default: 0
    }
  }

  var jsonName: String {
    switch self {
    case .gets: "getsPerSecond"
    case .queries: "queriesPerSecond"
    case .writes: "writesPerSecond"
    case .commits: "commitsPerSecond"
    case .getP99: "getP99Microseconds"
    case .commitP99: "commitP99Microseconds"
    case .writeQueue: "writesWaiting"
    case .readQueue: "queriesWaiting"
    case .wal: "walBytes"
    case .imports: "importRowsPerSecond"
    case .connections: "connections"
    case .errors: "failedPerSecond"
    case .processor: "cpuShare"
    case .resident: "residentBytes"
    }
  }

  /// What only grows, and is shown as a rate.
  var counter: ((Figures) -> Double?)? {
    switch self {
    case .gets: { WatchColumn.sum("started", of: ["Get"], $0) }
    case .queries: { WatchColumn.sum("started", of: ["Fetch", "Count"], $0) }
    case .writes: { WatchColumn.sum("started", of: ["Write"], $0) }
    case .commits: { $0.number("commits") }
    case .imports: { $0.number("server.import.rowsAccepted") }
    case .errors: { WatchColumn.sum("failed", of: nil, $0) }
    case .processor: { $0.number("server.cpuMicroseconds").map { $0 / 1e6 } }
    default: nil
    }
  }

  /// What is as it is now.
  var gauge: ((Figures) -> Double?)? {
    switch self {
    case .getP99: { WatchColumn.getP99($0) }
    case .commitP99: { $0.commitTimes?.number("p99") }
    case .writeQueue: { $0.number("queueDepth") }
    case .readQueue: { $0.number("server.queue.queries") }
    case .wal: { $0.number("walBytes") }
    case .connections: { $0.number("server.connections.open") }
    case .resident: { $0.number("server.residentBytes") }
    default: nil
    }
  }

  func text(_ value: Double?) -> String {
    switch self {
    case .getP99, .commitP99: FigureForm.milliseconds(value)
    case .wal, .resident: FigureForm.bytes(value).filter { $0 != " " }
    case .processor: value.map { FigureForm.fixed($0 * 100, 0) + "%" } ?? FigureForm.missing
    default: FigureForm.count(value)
    }
  }

  /// Of the last minute; of the server's life where it keeps no window.
  private static func getP99(_ figures: Figures) -> Double? {
    figures.group("server.window") == nil
      ? figures.number("server.methods", "Get", "p99Microseconds")
      : figures.number("server.window", "methods", "Get", "p99Microseconds")
  }

  /// Over some methods, or all; one that is not listed was never called.
  private static func sum(_ name: String, of methods: [String]?, _ figures: Figures) -> Double? {
    guard let all = figures.group("server.methods") else { return nil }
    var sum = 0.0
    for method in methods ?? all.entries.map(\.key) { sum += all.number(method, name) ?? 0 }
    return sum
  }
}
