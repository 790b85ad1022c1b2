/// How SQLite means to run a statement: EXPLAIN QUERY PLAN as lines.
package struct QueryPlan: Hashable, Sendable {
  /// In SQLite's words, indented by two spaces a level.
  package let lines: [String]
  /// Whether a line scans a table, or an index of it, covering or not: reads it from one end
  /// instead of searching it. Scans of a subquery's rows and of constants are none.
  package let isFullScan: Bool

  init(_ nodes: [(id: Int64, parent: Int64, detail: String)]) {
    var depths: [Int64: Int] = [:]
    var lines: [String] = []
    var isFullScan = false
    for node in nodes {
      let depth = depths[node.parent].map { $0 + 1 } ?? 0
      depths[node.id] = depth
      lines.append(String(repeating: "  ", count: depth) + node.detail)
      isFullScan = isFullScan || Self.scansATable(node.detail)
    }
    self.lines = lines
    self.isFullScan = isFullScan
  }

  private static func scansATable(_ detail: String) -> Bool {
    guard detail.hasPrefix("SCAN ") else { return false }
    let what = detail.dropFirst(5)
    // "3 CONSTANT ROWS" are those of VALUES; what is in parentheses is a subquery's name.
    return !what.hasPrefix("(") && !what.contains("CONSTANT ROW")
  }
}

extension Connection {
  /// Asks how a statement would be run, without running it; its parameters need no values.
  package func plan(of sql: String) throws(SQLiteError) -> QueryPlan {
    let statement = try Statement(self, "EXPLAIN QUERY PLAN " + sql)
    var nodes: [(id: Int64, parent: Int64, detail: String)] = []
    while try statement.step() {
      nodes.append((statement.int64(0), statement.int64(1), statement.string(3)))
    }
    return QueryPlan(nodes)
  }
}
