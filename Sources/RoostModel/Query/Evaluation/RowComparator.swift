/// The order of a query: its keys, nil first ascending, then the row's identifier.
///
/// Keys are evaluated once per row; compare those, not the rows.
package struct RowComparator {
  package let keys: [TypedSortKey]

  package init(keys: [TypedSortKey]) { self.keys = keys }

  /// What the order looks at, in the keys' order.
  package func keyValues<Source: RowSource>(
    of row: Source.Row, in evaluator: inout ExpressionEvaluator<Source>
  ) throws(StoreError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(keys.count)
    for key in keys { values.append(try evaluator.value(of: key.expression, for: row)) }
    return values
  }

  /// Whether a row with these key values and identifier stands before another.
  package func precedes(_ lhs: ([Value], Int64), _ rhs: ([Value], Int64)) -> Bool {
    for (index, key) in keys.enumerated() {
      let order = ValueOrder.compare(lhs.0[index], rhs.0[index], in: key.domain)
      if order != 0 { return (order < 0) != key.isDescending }
    }
    return lhs.1 < rhs.1
  }

  /// Sorts rows as the query would.
  ///
  /// - Complexity: O(*n* log *n*) comparisons, *n* evaluations of each key.
  package func sorted<Source: RowSource>(
    _ rows: [Source.Row], in evaluator: inout ExpressionEvaluator<Source>
  ) throws(StoreError) -> [Source.Row] {
    var keyed: [(key: ([Value], Int64), row: Source.Row)] = []
    keyed.reserveCapacity(rows.count)
    for row in rows {
      let values = try keyValues(of: row, in: &evaluator)
      keyed.append(((values, evaluator.source.reference(of: row).row), row))
    }
    keyed.sort { precedes($0.key, $1.key) }
    return keyed.map(\.row)
  }
}
