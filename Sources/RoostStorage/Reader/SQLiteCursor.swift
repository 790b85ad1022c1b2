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

  init(
    _ statement: Statement, _ connection: Connection, _ query: CompiledQuery,
    _ schemaVersion: UInt32
  ) {
    self.statement = statement
    self.connection = connection
    columns = query.columns
    properties = query.properties
    entity = query.entity
    self.schemaVersion = schemaVersion
  }

  deinit { close() }

  func next(rowsMax: Int, bytesMax: Int, rowBytesMax: Int) throws(StoreError) -> RowBatch? {
    if isAtEnd { return nil }
    guard let statement else {
      throw StoreError(
        .aborted, .snapshotExpired, "the snapshot this query runs in has ended")
    }
    var writer = PackedWriter(reserving: max(0, min(bytesMax, 1 << 16)))
    var rowCount = 0
    do throws(StoreError) {
      while rowCount < max(1, rowsMax), rowCount == 0 || writer.byteCount < bytesMax {
        guard try sqlite({ () throws(SQLiteError) in try statement.step() }) else {
          isAtEnd = true
          close()
          break
        }
        let (end, overflows) = writer.byteCount.addingReportingOverflow(rowBytesMax)
        try RowEncoding.append(
          statement, columns, to: &writer, bytesMax: overflows ? .max : end)
        rowCount += 1
      }
    } catch {
      close()
      throw error
    }
    if rowCount == 0 { return nil }
    return RowBatch(
      entity: entity, schemaVersion: schemaVersion, columns: properties, rowCount: rowCount,
      body: writer.bytes)
  }

  /// Lets the snapshot go; a later ``next(rowsMax:bytesMax:)`` is an error.
  func close() {
    if let statement { connection.giveBack(statement) }
    statement = nil
  }
}
