import RoostSQLite

/// What SQLite itself takes: the same rows, one connection, statements prepared by hand.
final class SQLiteSubject: Subject {
  private let connection: Connection
  private static let columns = "key,name,city,count,rank,price,ratio,isOpen,created,note"

  init(file: String) throws {
    connection = try Connection(path: file, mode: .create)
    _ = try connection.text("PRAGMA journal_mode=WAL")
    try connection.execute(
      """
      PRAGMA synchronous=FULL;
      PRAGMA cache_size=-65536;
      CREATE TABLE record(pk INTEGER PRIMARY KEY, key INTEGER NOT NULL UNIQUE,
        name TEXT NOT NULL, city TEXT NOT NULL, count INTEGER NOT NULL, rank INTEGER NOT NULL,
        price REAL NOT NULL, ratio REAL NOT NULL, isOpen INTEGER NOT NULL, created REAL NOT NULL,
        note TEXT);
      """)
  }

  func run(_ measure: Measure, _ plan: BenchPlan) throws -> UInt64? {
    switch measure {
    case .insert: try write(plan.rows, or: "")
    case .fetchTwo: return try fetchTwo()
    case .fetchAll: return try fetchAll()
    case .release: break
    case .keysFresh, .keysSame: return try fetch(plan.keys)
    case .upsert: try write(plan.changed, or: Self.change)
    case .delete: try delete(plan.rows.count)
    }
    return nil
  }

  func settle() throws { _ = try connection.checkpoint(.passive) }

  private static let change = """
     ON CONFLICT(key) DO UPDATE SET name=excluded.name, city=excluded.city, count=excluded.count,
    rank=excluded.rank, price=excluded.price, ratio=excluded.ratio, isOpen=excluded.isOpen,
    created=excluded.created, note=excluded.note
    """

  @inline(never)
  func write(_ rows: [RecordValues], or change: String) throws {
    try connection.execute("BEGIN IMMEDIATE")
    let statement = try connection.take(
      "INSERT INTO record(\(Self.columns)) VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)\(change)")
    for values in rows {
      statement.bind(1, Int64(values.key))
      try statement.bind(2, values.name)
      try statement.bind(3, values.city)
      statement.bind(4, Int64(values.count))
      statement.bind(5, Int64(values.rank))
      statement.bind(6, values.price)
      statement.bind(7, values.ratio)
      statement.bind(8, values.isOpen ? 1 : 0 as Int64)
      statement.bind(9, values.created)
      if let note = values.note { try statement.bind(10, note) } else { statement.bindNull(10) }
      try statement.run()
    }
    connection.giveBack(statement)
    try connection.execute("COMMIT")
  }

  @inline(never)
  func fetchTwo() throws -> UInt64 {
    var sum = CheckSum()
    let statement = try connection.take("SELECT name,count FROM record ORDER BY pk")
    while try statement.step() {
      sum.add(statement.string(0))
      sum.add(Int(statement.int64(1)))
    }
    connection.giveBack(statement)
    return sum.value
  }

  @inline(never)
  func fetchAll() throws -> UInt64 {
    var sum = CheckSum()
    let statement = try connection.take("SELECT \(Self.columns) FROM record ORDER BY pk")
    while try statement.step() {
      sum.add(Int(statement.int64(0)))
      sum.add(statement.string(1))
      sum.add(statement.string(2))
      sum.add(Int(statement.int64(3)))
      sum.add(Int(statement.int64(4)))
      sum.add(statement.double(5))
      sum.add(statement.double(6))
      sum.add(statement.int64(7) != 0)
      sum.add(statement.double(8))
      if !statement.isNull(9) { sum.add(statement.string(9)) }
    }
    connection.giveBack(statement)
    return sum.value
  }

  @inline(never)
  func fetch(_ keys: [Int]) throws -> UInt64 {
    var sum = CheckSum()
    let statement = try connection.take("SELECT \(Self.columns) FROM record WHERE key=?1")
    for key in keys {
      statement.bind(1, Int64(key))
      if try statement.step() {
        sum.add(statement.string(1))
        sum.add(Int(statement.int64(3)))
      }
      statement.reset()
    }
    connection.giveBack(statement)
    return sum.value
  }

  @inline(never)
  func delete(_ count: Int) throws {
    try connection.execute("BEGIN IMMEDIATE")
    let statement = try connection.take("DELETE FROM record WHERE pk=?1")
    for row in 1...max(1, count) {
      statement.bind(1, Int64(row))
      try statement.run()
    }
    connection.giveBack(statement)
    try connection.execute("COMMIT")
  }
}
