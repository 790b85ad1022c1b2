import Foundation
import RoostSQLite
import RoostTestSupport
import Synchronization
import Testing

@Suite("Connection")
struct ConnectionTests {
  @Test func opensOnlyWhatItMay() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appendingPathComponent("a.store").path
      let missing = #expect(throws: SQLiteError.self) {
        try Connection(path: path, mode: .readWrite)
      }
      #expect(missing?.isCannotOpen == true)
      let writer = try Connection(path: path, mode: .create)
      try writer.execute("CREATE TABLE a(b)")
      let reader = try Connection(path: path, mode: .readOnly)
      #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO a VALUES (1)") }
      #expect(try reader.integer("SELECT count(*) FROM a") == 0)
    }
  }

  @Test func saysThatAFileIsNoDatabase() throws {
    try withTemporaryDirectory { directory in
      let file = directory.appendingPathComponent("a.store")
      try Data("this is no database, and long enough to be asked".utf8).write(to: file)
      let connection = try Connection(path: file.path, mode: .readWrite)
      let error = #expect(throws: SQLiteError.self) {
        try connection.integer("SELECT count(*) FROM sqlite_schema")
      }
      #expect(error?.isCorrupt == true)
    }
  }

  @Test func aCheckpointMovesTheLogAndWaitsForNobody() throws {
    try withTemporaryDirectory { directory in
      let path = directory.appendingPathComponent("a.store").path
      let writer = try Connection(path: path, mode: .create)
      try writer.execute("PRAGMA journal_mode=WAL; CREATE TABLE a(b)")
      let frames = Mutex(0)
      writer.onCommit { count in frames.withLock { $0 = count } }
      let reader = try Connection(path: path, mode: .readOnly)
      try reader.execute("BEGIN")
      #expect(try reader.integer("SELECT count(*) FROM a") == 0)
      try writer.execute("INSERT INTO a VALUES (1)")
      #expect(frames.withLock { $0 } > 0)
      let held = try writer.checkpoint(.passive)
      #expect(held.moved < held.frames, "the reader's snapshot holds frames back")
      try reader.execute("COMMIT")
      let free = try writer.checkpoint(.passive)
      #expect(free.moved == free.frames)
      #expect(try reader.integer("SELECT count(*) FROM a") == 1)
    }
  }

  @Test func reportsEveryRowThatChanges() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let seen = Mutex<[String]>([])
    connection.onRowChange { change, row in seen.withLock { $0.append("\(change) \(row)") } }
    try connection.execute("CREATE TABLE a(b INTEGER PRIMARY KEY, c)")
    try connection.execute("INSERT INTO a VALUES (7, 1), (9, 2)")
    try connection.execute("UPDATE a SET c = 3 WHERE b = 9")
    try connection.execute("DELETE FROM a WHERE b = 7")
    #expect(seen.withLock { $0 } == ["insert 7", "insert 9", "update 9", "delete 7"])
    #expect(connection.changes == 1)
  }

  @Test func knowsWhetherATransactionIsOpen() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    #expect(!connection.isInTransaction)
    try connection.execute("BEGIN")
    #expect(connection.isInTransaction)
    try connection.execute("ROLLBACK")
    #expect(!connection.isInTransaction)
  }

  @Test func anInterruptStopsARunningStatement() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let interrupter = connection.interrupter
    try connection.addFunction("stop", arguments: 0) { call in
      interrupter.interrupt()
      call.giveNull()
    }
    let endless = """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
      SELECT count(*) FROM n WHERE stop() IS NULL
      """
    let error = #expect(throws: SQLiteError.self) { try connection.integer(endless) }
    #expect(error?.isInterrupt == true)
    #expect(try connection.integer("SELECT 1") == 1)
  }

  @Test func anInterruptAfterTheEndTouchesNothing() throws {
    let interrupter = try Connection(path: ":memory:", mode: .create).interrupter
    interrupter.interrupt()
  }

  /// Statements in the cache hold the connection, and it holds them: closing must not wait for
  /// a ring of two.
  @Test func isClosedWhenNobodyHoldsItAnyMore() throws {
    weak var gone: Connection?
    do {
      let connection = try Connection(path: ":memory:", mode: .create)
      gone = connection
      connection.giveBack(try connection.take("SELECT 1"))
    }
    #expect(gone == nil)
  }

  @Test func aStatementOutlivesWhoeverOpenedTheConnection() throws {
    let statement = try Connection(path: ":memory:", mode: .create).take("SELECT 5")
    #expect(try statement.step())
    #expect(statement.int64(0) == 5)
  }
}

@Suite("Functions and collations")
struct FunctionTests {
  @Test func takesAndGivesEveryKind() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.addFunction("twin", arguments: 1) { call in
      switch call.kind(0) {
      case .null: call.giveNull()
      case .integer: call.give(call.int64(0))
      case .real: call.give(call.double(0))
      case .text: call.give(call.string(0))
      case .blob: call.give(Array(call.text(0)))
      }
    }
    for literal in ["NULL", "9223372036854775807", "1.5", "'a' || char(0) || 'é'", "x'00ff'", "''"]
    {
      let sql =
        "SELECT twin(\(literal)) IS \(literal) AND typeof(twin(\(literal))) = typeof(\(literal))"
      #expect(try connection.integer(sql) == 1, "\(literal)")
    }
  }

  @Test func aFailureIsTheStatementsError() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.addFunction("refuse", arguments: 0) { $0.fail("not today") }
    let error = #expect(throws: SQLiteError.self) { try connection.integer("SELECT refuse()") }
    #expect(error?.message == "not today")
  }

  @Test func aCollationOrdersTexts() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.addCollation("by_length") { $0.count - $1.count }
    let sql = """
      SELECT group_concat(a, ' ') FROM
      (SELECT column1 AS a FROM (VALUES ('ccc'), (''), ('a'), ('bb')) ORDER BY 1 COLLATE by_length)
      """
    #expect(try connection.text(sql) == " a bb ccc")
  }
}
