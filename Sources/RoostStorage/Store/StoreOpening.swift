import RoostModel
import RoostSQLite

/// The steps from a path to everything a store is made of.
struct StoreOpening {
  let shared: StoreShared
  let core: WriterCore
  let lock: FileLock?
  let lastCommit: UInt64

  init(
    _ location: StoreLocation, _ durability: Durability, _ clock: StoreClock = .monotonic
  ) throws(StoreError) {
    let folder: MemoryFolder?
    let path: String
    switch location {
    case .file(let file):
      folder = nil
      path = try StoreFile(file).path
      lock = try FileLock(store: path)
    case .memory:
      let made = try MemoryFolder()
      folder = made
      path = made.path + "/store"
      lock = nil
    }
    let connection = try WriterFiles.open(path, durability, isMemory: folder != nil)
    try StoreFormat.prepare(connection, path: path)
    let layout = try Catalog(connection: connection).load()
    let figures = try StoredFigures(connection, layout)
    lastCommit = figures.commit
    shared = StoreShared(
      path: path, identifier: figures.store, durability: durability, folder: folder,
      layout: layout, allocator: RowAllocator(figures.nextRows), latestCommit: figures.commit,
      counters: StoreCounters(rows: figures.rows), clock: clock)
    core = WriterCore(connection, shared, layout)
  }
}

/// What `_roost` says of the store and its entities.
struct StoredFigures {
  var store = ""
  var commit: UInt64 = 0
  var rows: [EntityID: Int] = [:]
  var nextRows: [EntityID: Int64] = [:]

  init(_ connection: Connection, _ layout: StoreLayout) throws(StoreError) {
    do {
      store = try connection.text(#"SELECT value FROM "_roost" WHERE key = 'store'"#) ?? ""
      let commit = try connection.integer(#"SELECT value FROM "_roost" WHERE key = 'commit'"#)
      self.commit = UInt64(bitPattern: commit ?? 0)
      for entity in layout.all {
        rows[entity.id] = try Self.rows(connection, entity)
        nextRows[entity.id] = try Self.nextRow(connection, entity)
      }
    } catch {
      throw StoreError(error)
    }
  }

  private static func rows(
    _ connection: Connection, _ entity: EntityLayout
  ) throws(SQLiteError) -> Int {
    let kept = try connection.integer(
      #"SELECT value FROM "_roost" WHERE key = '\#(StoreFormat.rowsKey(entity.id))'"#)
    if let kept { return Int(kept) }
    return Int(try connection.integer("SELECT count(*) FROM \(entity.table)") ?? 0)
  }

  /// The kept mark, or behind the highest row should a foreign program have added some.
  private static func nextRow(
    _ connection: Connection, _ entity: EntityLayout
  ) throws(SQLiteError) -> Int64 {
    let kept = try connection.integer(
      #"SELECT value FROM "_roost" WHERE key = '\#(StoreFormat.nextRowKey(entity.id))'"#)
    let highest = try connection.integer(#"SELECT max("_pk") FROM \#(entity.table)"#) ?? 0
    return max(kept ?? 1, highest < .max ? highest + 1 : .max, 1)
  }
}
