/// A running query.
public protocol RowCursor: AnyObject {
  /// The next rows, at least one; nil at the end. Stops at whichever bound is met first.
  ///
  /// - Throws: RESOURCE_EXHAUSTED 65 when one row alone is over `rowBytesMax`, before more than
  ///   that is held; DATA_LOSS 131 when a text is not UTF-8. The query is over then.
  func next(rowsMax: Int, bytesMax: Int, rowBytesMax: Int) throws(StoreError) -> RowBatch?

  /// What the query has taken so far, or took as a whole once it has ended; nil from a store that
  /// keeps no such figures.
  var cost: QueryCost? { get }
}

extension RowCursor {
  /// No figures.
  public var cost: QueryCost? { nil }

  /// The next rows, however long one is: for who keeps them in this process.
  public func next(rowsMax: Int, bytesMax: Int) throws(StoreError) -> RowBatch? {
    try next(rowsMax: rowsMax, bytesMax: bytesMax, rowBytesMax: .max)
  }
}
