import RoostModel
import RoostSQLite

/// A read-only connection with a snapshot between ``begin()`` and ``end()``.
///
/// Belongs to one isolation domain; only ``interrupt`` may come from elsewhere.
final class SQLiteReader: StoreReader {
  let connection: Connection
  let shared: StoreShared
  private let pool: ReaderPool
  /// The layout that holds in the snapshot.
  private(set) var layout: StoreLayout
  private var cursors: [WeakCursor] = []
  /// Of the last count. Set and read whole by one thread, so that there is nothing to check.
  @exclusivity(unchecked) var cost: QueryCost?
  let interrupt: @Sendable () -> Void

  private struct WeakCursor {
    weak var cursor: SQLiteCursor?
  }

  init(
    _ connection: Connection, _ layout: StoreLayout, _ shared: StoreShared, _ pool: ReaderPool
  ) {
    self.connection = connection
    self.shared = shared
    self.pool = pool
    self.layout = layout
    let interrupter = connection.interrupter
    interrupt = { interrupter.interrupt() }
  }

  deinit {
    end()
    countStatements()
    pool.giveBack(connection, layout)
  }

  func begin() throws(StoreError) -> UInt64 {
    end()
    // Before the snapshot, so that it is never newer than it.
    let current = shared.layout
    if current !== layout {
      layout = current
      connection.dropStatements()
    }
    let (commit, version) = try sqlite { () throws(SQLiteError) in
      try connection.begin()
      return try figures()
    }
    if version != Int64(layout.schema.version) {
      // Changed between the look at the layout and the snapshot: names may be others now.
      layout = try Catalog(connection: connection).load()
      connection.dropStatements()
    }
    return UInt64(bitPattern: commit)
  }

  /// The last commit and the schema's version in the snapshot.
  private func figures() throws(SQLiteError) -> (commit: Int64, version: Int64) {
    let statement = try connection.take(
      """
      SELECT (SELECT value FROM "_roost" WHERE key = 'commit'),
        (SELECT value FROM "_roost" WHERE key = 'schema version')
      """)
    defer { connection.giveBack(statement) }
    guard try statement.step() else { return (0, 0) }
    return (statement.int64(0), statement.int64(1))
  }

  /// Has a cursor closed when the snapshot ends.
  func add(_ cursor: SQLiteCursor) {
    cursors.removeAll { $0.cursor == nil }
    cursors.append(WeakCursor(cursor: cursor))
  }

  func end() {
    for entry in cursors { entry.cursor?.close() }
    cursors.removeAll()
    if connection.isInTransaction { try? connection.commit() }
    let taken = connection.statementFigures
    if taken.misses > 0 || taken.hits >= StorageLimits.statementsUncounted { countStatements() }
  }

  /// Adds the statements taken to the store's figures.
  private func countStatements() {
    let taken = connection.statementFigures
    connection.forgetStatementFigures()
    shared.tally.count { counters in
      counters.statementHits += taken.hits
      counters.statementMisses += taken.misses
    }
  }

  // MARK: Rows

  func rows(
    _ entity: EntityID, ids: [Int64], columns: [PropertyID]?, bytesMax: Int
  ) throws(StoreError) -> RowBatch {
    let entity = try layout.entity(entity)
    let properties = columns ?? entity.allProperties
    let selection = try ColumnSelection(entity, properties)
    let statement = try take(
      #"SELECT \#(selection.sql(alias: nil)) FROM \#(entity.table) WHERE "_pk"=?1"#)
    defer { connection.giveBack(statement) }
    let guess = ids.count * (properties.count * 8 + 8)
    var packer = RowPacker(
      selection.columns, reserving: min(guess, StorageLimits.rowBytesReserved))
    for id in ids {
      statement.bind(1, id)
      if try sqlite({ () throws(SQLiteError) in try statement.step() }) {
        try packer.append(statement, bytesMax: bytesMax)
      } else {
        packer.appendMissing()
      }
      statement.reset()
      guard packer.count <= bytesMax else { throw RowEncoding.tooLarge }
    }
    return RowBatch(
      entity: entity.id, schemaVersion: layout.schema.version, columns: properties,
      rowCount: ids.count, body: packer.take())
  }

  func row(
    _ entity: EntityID, constraint: [PropertyID], values: [Value]
  ) throws(StoreError) -> Int64? {
    let entity = try layout.entity(entity)
    guard let found = entity.constraint(constraint), found.columns.count == values.count else {
      throw StoreError(
        .invalidArgument, .unknownColumn,
        "\(entity.name) has no such unique constraint, or the key has another number of parts")
    }
    let parts = found.columns.enumerated().map { "\(entity.columns[$1].sql)=?\($0 + 1)" }
    let statement = try take(
      #"SELECT "_pk" FROM \#(entity.table) WHERE \#(parts.joined(separator: " AND "))"#)
    defer { connection.giveBack(statement) }
    for (index, column) in found.columns.enumerated() {
      try ValueBinding.bind(values[index], to: statement, index + 1, entity.columns[column])
    }
    return try sqlite { () throws(SQLiteError) in
      try statement.step() ? statement.int64(0) : nil
    }
  }

  func related(
    _ entity: EntityID, row: Int64, property: PropertyID, rowsMax: Int
  ) throws(StoreError) -> [Int64] {
    let entity = try layout.entity(entity)
    guard let toMany = entity.toMany[property] else {
      throw StoreError(
        .invalidArgument, .unknownColumn,
        "\(entity.name): property \(property) is not a to-many relationship")
    }
    let sql: String
    switch toMany {
    case .inverse(let other, let id):
      let other = try layout.entity(other)
      let column = other.column(id)?.sql ?? "NULL"
      sql = #"SELECT "_pk" FROM \#(other.table) WHERE \#(column)=?1 ORDER BY "_pk""#
    case .join(let join):
      sql =
        "SELECT \(join.otherColumn) FROM \(join.table) WHERE \(join.ownColumn)=?1 ORDER BY position"
    }
    let statement = try take(sql)
    defer { connection.giveBack(statement) }
    statement.bind(1, row)
    var rows: [Int64] = []
    while try sqlite({ () throws(SQLiteError) in try statement.step() }) {
      guard rows.count < rowsMax else { throw RowEncoding.tooLarge }
      rows.append(statement.int64(0))
    }
    return rows
  }

  private func take(_ sql: String) throws(StoreError) -> Statement {
    try sqlite { () throws(SQLiteError) in try connection.take(sql) }
  }
}

/// Columns of an entity in the order asked for; 0 is the identifier.
struct ColumnSelection {
  let columns: [ResultColumn]
  private let names: [String]

  init(_ entity: EntityLayout, _ properties: [PropertyID]) throws(StoreError) {
    guard !properties.isEmpty, properties.count <= Limits.columnsMax + 1 else {
      throw StoreError(
        .invalidArgument, .unknownColumn, "1 to \(Limits.columnsMax) columns can be asked for")
    }
    var columns: [ResultColumn] = []
    var names: [String] = []
    for id in properties {
      if id == 0 {
        columns.append(.rowID)
        names.append(#""_pk""#)
      } else if let column = entity.column(id) {
        columns.append(ResultColumn(column))
        names.append(column.sql)
      } else {
        throw StoreError(
          .invalidArgument, .unknownColumn, "\(entity.name) has no column with the id \(id)")
      }
    }
    self.columns = columns
    self.names = names
  }

  func sql(alias: String?) -> String {
    names.map { name in alias.map { "\($0).\(name)" } ?? name }.joined(separator: ",")
  }
}
