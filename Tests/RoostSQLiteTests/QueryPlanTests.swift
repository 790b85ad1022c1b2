import RoostSQLite
import Testing

@Suite("Plans and work of statements") struct QueryPlanTests {
  private let connection: Connection

  init() throws {
    connection = try Connection(path: ":memory:", mode: .create)
    try connection.execute(
      """
      CREATE TABLE a(x, y, z);
      CREATE INDEX a_x ON a(x, y);
      WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO a SELECT i, i, i % 7 FROM n;
      """)
  }

  @Test(arguments: [
    ("SELECT * FROM a", true),
    ("SELECT x FROM a", true),
    ("SELECT * FROM a ORDER BY x", true),
    ("SELECT * FROM a WHERE z = ?1", true),
    ("SELECT * FROM a WHERE x = ?1", false),
    ("SELECT * FROM a WHERE rowid = ?1", false),
    ("SELECT 1", false),
    ("SELECT * FROM (VALUES (1), (2), (3))", false),
    ("SELECT count(*) FROM (SELECT 1 FROM a WHERE x > 3 LIMIT 5)", false),
    ("SELECT count(*) FROM (SELECT 1 FROM a WHERE z > 3 LIMIT 5)", true),
    ("SELECT * FROM a WHERE x = 1 AND EXISTS (SELECT 1 FROM a AS b WHERE b.z = a.z)", true),
  ])
  func aFullScanIsTold(sql: String, isFullScan: Bool) throws {
    let plan = try connection.plan(of: sql)
    #expect(plan.isFullScan == isFullScan, "\(plan.lines)")
    #expect(!plan.lines.isEmpty)
  }

  @Test func aPlanOfWhatIsNoStatementIsAnError() {
    #expect(throws: SQLiteError.self) { try connection.plan(of: "SELECT * FROM nothing") }
  }

  @Test func workIsTakenOnce() throws {
    let statement = try connection.take("SELECT * FROM a WHERE z = ?1 ORDER BY y")
    statement.bind(1, 3 as Int64)
    while try statement.step() {}
    let work = statement.takeWork()
    #expect((99...100).contains(work.scanSteps))
    #expect(work.sorts == 1 && work.autoIndexRows == 0)
    #expect(statement.takeWork() == StatementWork())
  }

  @Test func anIndexMadeForOneStatementIsTold() throws {
    let statement = try connection.take("SELECT count(*) FROM a AS l, a AS r WHERE l.z = r.z")
    while try statement.step() {}
    #expect((99...100).contains(statement.takeWork().autoIndexRows))
  }

  @Test func statementsFoundAndPreparedAreCounted() throws {
    connection.forgetStatementFigures()
    for _ in 0..<3 { connection.giveBack(try connection.take("SELECT x FROM a")) }
    #expect(connection.statementFigures == (2, 1))
    connection.forgetStatementFigures()
    #expect(connection.statementFigures == (0, 0))
  }
}
