import RoostModel
import RoostTransport
import RoostWire

/// One query that has ended, as far as statistics care.
struct EndedQuery {
  var cost: QueryCost
  /// For a reader.
  var waited: Duration
  var hasFailed: Bool
  var client: UInt64
  var agent: String
  var ended: LoopInstant
}

/// All queries of one shape.
struct ShapeFigures {
  /// The slowest call so far.
  struct Slowest {
    var microseconds: UInt64
    var ended: LoopInstant
    var client: UInt64
    var agent: String
    /// With its literals.
    var text: String
  }

  /// Of the newest schema that ran it.
  private(set) var shape: QueryShape
  private(set) var calls: UInt64 = 0
  private(set) var failed: UInt64 = 0
  private(set) var waitNanoseconds: UInt64 = 0
  private(set) var rows: UInt64 = 0
  private(set) var rowsScanned: UInt64 = 0
  private(set) var sorts: UInt64 = 0
  /// Time in the store, of each call.
  private(set) var latency = LatencyHistogram()
  private(set) var last: (client: UInt64, agent: String, ended: LoopInstant)
  private(set) var slowest: Slowest?
  private var window: RollingWindow<UInt64>

  /// Nothing of it was called since `opened`.
  init(_ shape: QueryShape, since opened: LoopInstant) {
    self.shape = shape
    last = (0, "", opened)
    window = RollingWindow(0, now: opened.nanoseconds)
  }

  var totalNanoseconds: UInt64 { latency.sumNanoseconds }

  /// Counts a call; its text is asked for only if none was slower.
  mutating func add(_ query: EndedQuery, text: () -> String) {
    window.roll(calls, now: query.ended.nanoseconds)
    shape = query.cost.shape
    calls &+= 1
    if query.hasFailed { failed &+= 1 }
    waitNanoseconds &+= query.waited.clampedNanoseconds
    rows &+= UInt64(clamping: query.cost.rows)
    rowsScanned &+= UInt64(clamping: query.cost.rowsScanned)
    sorts &+= UInt64(clamping: query.cost.sorts)
    latency.record(nanoseconds: query.cost.nanoseconds)
    last = (query.client, query.agent, query.ended)
    let microseconds = query.cost.nanoseconds / 1_000
    guard slowest.map({ microseconds > $0.microseconds }) ?? true else { return }
    slowest = Slowest(
      microseconds: microseconds, ended: query.ended, client: query.client, agent: query.agent,
      text: text().cut(toBytes: StatisticsLimits.textBytesMax))
  }

  /// Calls a second over the last minute.
  mutating func callsPerSecond(_ now: LoopInstant) -> Double {
    window.roll(calls, now: now.nanoseconds)
    let (base, seconds) = window.since(now.nanoseconds)
    return Double(calls &- base) / seconds
  }
}
