import RoostAdmin
import RoostModel

/// A store's figures under Prometheus' names; what it does not tell is left out.
struct StoreMetrics {
  private let figures: [String: Value]

  init(_ entries: [MapEntry]) {
    figures = Dictionary(entries.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
  }

  /// Whether the outcome of a commit is unknown and the file has not been read anew.
  var isWriterBroken: Bool { number("writerBroken") == 1 }

  var isClosed: Bool { number("closed") == 1 }

  var families: [MetricFamily] {
    var families: [MetricFamily] = []
    if let info { families.append(info) }
    if let rows { families.append(rows) }
    if let changes { families.append(changes) }
    for plan in StoreMetrics.plans {
      guard let number = number(plan.figure) else { continue }
      let value: MetricValue =
        plan.isMicroseconds ? .fraction(Double(number) / 1e6) : .whole(number)
      families.append(MetricFamily("roost_store_" + plan.name, plan.kind, plan.help, value))
    }
    return families
  }

  private func number(_ name: String) -> Int64? {
    guard case .int(let number)? = figures[name] else { return nil }
    return number
  }

  private var info: MetricFamily? {
    guard case .text(let durability)? = figures["durability"],
      case .text(let store)? = figures["store"]
    else { return nil }
    let sample = MetricSample(
      .whole(1), MetricLabel("durability", durability), MetricLabel("store", store))
    return MetricFamily("roost_store_info", .gauge, "Always 1; the labels tell.", [sample])
  }

  private var rows: MetricFamily? {
    guard case .map(let entries)? = figures["rows"] else { return nil }
    var samples: [MetricSample] = []
    for entry in entries {
      guard case .int(let rows) = entry.value else { continue }
      samples.append(MetricSample(.whole(rows), MetricLabel("entity", entry.key)))
    }
    return MetricFamily("roost_store_rows", .gauge, "Rows of each entity.", samples)
  }

  private var changes: MetricFamily? {
    var samples: [MetricSample] = []
    for (figure, change) in [
      ("rowsInserted", "inserted"), ("rowsUpdated", "updated"), ("rowsDeleted", "deleted"),
    ] {
      guard let rows = number(figure) else { continue }
      samples.append(MetricSample(.whole(rows), MetricLabel("change", change)))
    }
    if samples.isEmpty { return nil }
    return MetricFamily("roost_store_row_changes_total", .counter, "Rows committed.", samples)
  }
}
