import RoostModel

/// What `roost top` lists, in the order of its keys.
enum TopView: Int, CaseIterable, Hashable, Sendable {
  case clients, operations, queries, models, imports

  var section: StatisticsSection {
    switch self {
    case .clients: .clients
    case .operations: .operations
    case .queries: .queries
    case .models: .models
    case .imports: .imports
    }
  }

  var title: String { section.rawValue }

  /// The column its rows are ordered by at first; nil for the server's order.
  var firstOrder: TopOrder? {
    switch self {
    case .clients: TopOrder(column: "requests")
    case .operations: TopOrder(column: "age")
    case .queries: TopOrder(column: "total")
    case .models: TopOrder(column: "rows")
    case .imports: nil
    }
  }

  func moved(by step: Int) -> TopView {
    let count = TopView.allCases.count
    return TopView(rawValue: (rawValue + step + count) % count) ?? self
  }
}

/// The order of a list: a column's name and a direction.
struct TopOrder: Hashable, Sendable {
  var column: String
  var isDescending = true
}

/// An operation that is to be ended, as it was when somebody asked for it.
struct TopTarget: Hashable, Sendable {
  var client: UInt64
  var stream: UInt32
  /// `c#12/3 Fetch`
  var name: String

  /// Nil for a row that does not name an operation.
  init?(_ row: Figures) {
    let operation = OperationName(row)
    guard let client = operation.client, let stream = operation.stream else { return nil }
    self.client = client
    self.stream = stream
    let method = TableWriter.oneLine(row.text("method") ?? "operation")
    name = "\(operation.text) \(DisplayWidth.fitted(method, MonitorLimits.clientTextWidth))"
  }
}
