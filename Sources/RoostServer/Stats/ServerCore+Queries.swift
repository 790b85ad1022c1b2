import RoostModel
import RoostTransport
import RoostWire

extension ServerCore {
  /// Counts a query whose reader is done with it; its text, with literals, is asked for only if
  /// it was the slowest.
  func record(_ query: EndedQuery, text: () -> String) {
    shapes.add(query, text: text)
    let cost = query.cost
    models.count(cost.shape.entity) {
      $0.queries &+= 1
      if cost.shape.kind == .fetch { $0.rowsRead &+= UInt64(clamping: cost.rows) }
      $0.rowsScanned &+= UInt64(clamping: cost.rowsScanned)
      if cost.shape.isFullScan { $0.fullScans &+= 1 }
    }
  }

  /// Shapes of queries, those that took most time in the store first.
  func queryEntries(_ limit: Int) -> [Value] {
    shapes.dearest(limit, now: loop.now).map { entry(of: $0.0, perSecond: $0.perSecond) }
  }

  private func entry(of figures: ShapeFigures, perSecond: Double) -> Value {
    let calls = max(1, figures.calls)
    let latency = figures.latency
    let shape = figures.shape
    let fields: [(String, Value?)] = [
      ("calls", .natural(figures.calls)), ("callsPerSecond", .double(perSecond)),
      ("entity", name(shape.entity)), ("failed", .natural(figures.failed)),
      ("fullScan", .bool(shape.isFullScan)), ("kind", .text(shape.kind.rawValue)),
      ("lastAgent", .text(figures.last.agent)), ("lastClient", .natural(figures.last.client)),
      ("maxMicroseconds", .natural(latency.maxMicroseconds)),
      ("meanMicroseconds", .natural(figures.totalNanoseconds / 1_000 / calls)),
      ("p50Microseconds", .natural(latency.quantile(0.5))),
      ("p99Microseconds", .natural(latency.quantile(0.99))),
      ("plan", .list(shape.plan.map { .text($0) })), ("rows", .natural(figures.rows)),
      ("rowsScanned", .natural(figures.rowsScanned)),
      ("shape", .text(shape.text.cut(toBytes: StatisticsLimits.textBytesMax))),
      ("slowest", figures.slowest.map { entry(of: $0) }),
      ("sorts", .natural(figures.sorts)),
      ("sql", .text(shape.sql.cut(toBytes: StatisticsLimits.textBytesMax))),
      ("totalMicroseconds", .natural(figures.totalNanoseconds / 1_000)),
      ("waitMicroseconds", .natural(figures.waitNanoseconds / 1_000 / calls)),
    ]
    return MapFields.map(fields)
  }

  private func entry(of slowest: ShapeFigures.Slowest) -> Value {
    let fields: [(String, Value?)] = [
      ("agent", .text(slowest.agent)), ("client", .natural(slowest.client)),
      ("microseconds", .natural(slowest.microseconds)),
      ("millisecondsAgo", .int(slowest.ended.milliseconds(until: loop.now))),
      ("text", .text(slowest.text)),
    ]
    return MapFields.map(fields)
  }
}
