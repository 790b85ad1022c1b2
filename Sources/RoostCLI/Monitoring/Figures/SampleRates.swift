import RoostModel

/// Rates of clients and models from the difference of two samples, beside the server's figures.
enum SampleRates {
  static let requests = "perSecond.requests"
  static let reads = "perSecond.reads"
  static let writes = "perSecond.writes"

  /// The newer sample with the rates in its rows; without an earlier one they stay missing.
  static func added(to sample: ServerSample, since earlier: ServerSample?) -> ServerSample {
    guard let earlier, let seconds = sample.seconds(since: earlier) else { return sample }
    var sample = sample
    add(
      .clients, [(requests, ["requests"])], to: &sample, since: earlier, seconds)
    add(
      .models,
      [(reads, ["gets", "queries"]), (writes, ["inserted", "updated", "deleted"])], to: &sample,
      since: earlier, seconds)
    return sample
  }

  private static func add(
    _ section: StatisticsSection, _ rates: [(name: String, parts: [String])],
    to sample: inout ServerSample, since earlier: ServerSample, _ seconds: Double
  ) {
    guard var rows = sample.rows(section), let earlierRows = earlier.rows(section) else { return }
    let table = SectionTable(section)
    var before: [String: Figures] = [:]
    for row in earlierRows { before[table.name(of: row)] = row }
    for index in rows.indices {
      let old = before[table.name(of: rows[index])]
      for rate in rates {
        let now = sum(rate.parts, rows[index])
        let then = old.map { sum(rate.parts, $0) } ?? (isNew(rows[index], seconds) ? 0 : .infinity)
        rows[index].set(rate.name, now >= then ? (now - then) / seconds : nil)
      }
    }
    sample.setRows(section, rows)
  }

  /// A client that was not listed before may have been below the list's end, unless it is young.
  private static func isNew(_ row: Figures, _ seconds: Double) -> Bool {
    row.number("ageMilliseconds").map { $0 <= seconds * 1_000 } ?? false
  }

  private static func sum(_ names: [String], _ row: Figures) -> Double {
    names.reduce(0) { $0 + (row.number($1) ?? 0) }
  }
}
