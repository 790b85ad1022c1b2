import RoostModel
import RoostSQLite

/// A running query: packs rows as they leave SQLite.
final class SQLiteCursor: RowCursor {
  private var statement: Statement?
  private let connection: Connection
  private let columns: [ResultColumn]
  private let properties: [PropertyID]
  private let entity: EntityID
  private let schemaVersion: UInt32
  private var isAtEnd = false
  /// How much room the next batch is likely to take.
  private var capacityHint = 1 << 10
  private let clock: StoreClock
  /// Without what the statement has done since it was last asked. Changed by one thread, in
  /// statements that call nobody, so that there is nothing to check.
  @exclusivity(unchecked) private var costSoFar: QueryCost

  /// A cursor whose query was taken up at `begun`.
  init(
    _ statement: Statement, _ connection: Connection, _ query: CompiledQuery,
    _ schemaVersion: UInt32, _ shape: QueryShape, _ clock: StoreClock, begun: UInt64
  ) {
    self.statement = statement
    self.connection = connection
    columns = query.columns
    properties = query.properties
    entity = query.entity
    self.schemaVersion = schemaVersion
    self.clock = clock
    costSoFar = QueryCost(shape: shape, nanoseconds: clock.now() &- begun)
  }

  deinit { close() }

  var cost: QueryCost? {
    if let statement { costSoFar.add(statement.takeWork()) }
    return costSoFar
  }

  func next(rowsMax: Int, bytesMax: Int, rowBytesMax: Int) throws(StoreError) -> RowBatch? {
    if isAtEnd { return nil }
    guard let statement else {
      throw StoreError(
        .aborted, .snapshotExpired, "the snapshot this query runs in has ended")
    }
    let begun = clock.now()
    defer { costSoFar.nanoseconds &+= clock.now() &- begun }
    var packer = RowPacker(columns, reserving: max(0, min(bytesMax, capacityHint)))
    var rowCount = 0
    do throws(StoreError) {
      while rowCount < max(1, rowsMax), rowCount == 0 || packer.count < bytesMax {
        guard try sqlite({ () throws(SQLiteError) in try statement.step() }) else {
          isAtEnd = true
          close()
          break
        }
        let (end, overflows) = packer.count.addingReportingOverflow(rowBytesMax)
        try packer.append(statement, bytesMax: overflows ? .max : end)
        rowCount += 1
      }
    } catch {
      close()
      throw error
    }
    if rowCount == 0 { return nil }
    costSoFar.rows += rowCount
    capacityHint = packer.count + packer.count / 8
    return RowBatch(
      entity: entity, schemaVersion: schemaVersion, columns: properties, rowCount: rowCount,
      body: packer.take())
  }

  /// Lets the snapshot go; a later ``next(rowsMax:bytesMax:)`` is an error.
  func close() {
    guard let statement else { return }
    costSoFar.add(statement.takeWork())
    connection.giveBack(statement)
    self.statement = nil
  }
}
