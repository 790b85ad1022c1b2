/// A reader of the store with statements of its own; belongs to one isolation domain.
///
/// It holds a snapshot between ``begin()`` and ``end()`` and sees nothing newer until then.
public protocol StoreReader: AnyObject {
  /// Takes a snapshot and gives the number of the last commit in it.
  func begin() throws(StoreError) -> UInt64
  func end()

  /// Rows by identifier, in the order asked for; an unknown one is a null row.
  ///
  /// - Throws: RESOURCE_EXHAUSTED 65 when they take more than `bytesMax` bytes, before more than
  ///   that is held; DATA_LOSS 131 when a text is not UTF-8.
  func rows(
    _ entity: EntityID, ids: [Int64], columns: [PropertyID]?, bytesMax: Int
  ) throws(StoreError) -> RowBatch

  /// The row that a unique constraint names.
  func row(_ entity: EntityID, constraint: [PropertyID], values: [Value]) throws(StoreError)
    -> Int64?

  /// Rows of a to-many relationship of one row, in its order.
  ///
  /// - Throws: RESOURCE_EXHAUSTED 65 when there are more than `rowsMax`.
  func related(
    _ entity: EntityID, row: Int64, property: PropertyID, rowsMax: Int
  ) throws(StoreError) -> [Int64]

  func count(_ query: Query) throws(StoreError) -> Int

  /// What the last count took, also one that failed in the engine; nil before the first, after
  /// one that was not understood, and from a store that keeps no such figures.
  var cost: QueryCost? { get }

  /// Starts a query; rows come by ``RowCursor/next(rowsMax:bytesMax:)`` within this snapshot.
  func cursor(_ query: Query) throws(StoreError) -> any RowCursor

  /// Makes a statement that runs on another thread stop with CANCELLED; safe from any thread.
  var interrupt: @Sendable () -> Void { get }
}

extension StoreReader {
  /// No figures.
  public var cost: QueryCost? { nil }
}
