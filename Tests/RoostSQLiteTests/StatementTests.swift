import RoostSQLite
import RoostTestSupport
import Testing

@Suite("Statement")
struct StatementTests {
  @Test func textAndBytesKeepTheirZeros() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let statement = try connection.take("SELECT ?1, ?2, typeof(?1), typeof(?2), length(?2)")
    try statement.bind(1, "a\u{0}é")
    try statement.bind(2, [0, 1, 0] as [UInt8])
    #expect(try statement.step())
    #expect(statement.string(0) == "a\u{0}é")
    #expect(Array(statement.blob(1)) == [0, 1, 0])
    #expect(statement.string(2) == "text")
    #expect(statement.string(3) == "blob")
    #expect(statement.int64(4) == 3)
    #expect(try !statement.step())
  }

  @Test func somethingEmptyIsNotNull() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let statement = try connection.take("SELECT ?1, ?2, ?3, ?4, ?5")
    try statement.bind(1, "")
    try statement.bind(2, [] as [UInt8])
    try statement.bindText(3, borrowing: UnsafeRawBufferPointer(start: nil, count: 0))
    try statement.bindBlob(4, borrowing: UnsafeRawBufferPointer(start: nil, count: 0))
    statement.bindNull(5)
    #expect(try statement.step())
    #expect((0..<5).map { statement.isNull($0) } == [false, false, false, false, true])
    #expect((0..<4).map { statement.kind($0) } == [.text, .blob, .text, .blob])
    #expect((0..<4).allSatisfy { statement.blob($0).isEmpty })
  }

  @Test(arguments: [Int64.min, -1, 0, 1, .max])
  func integersKeepEveryBit(number: Int64) throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let statement = try connection.take("SELECT ?1")
    statement.bind(1, number)
    #expect(try statement.step())
    #expect(statement.int64(0) == number)
  }

  @Test(arguments: [0.0, -0.0, 0.1, .infinity, -.infinity, 5e300, .leastNonzeroMagnitude])
  func doublesKeepEveryBit(number: Double) throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let statement = try connection.take("SELECT ?1")
    statement.bind(1, number)
    #expect(try statement.step())
    #expect(statement.double(0).bitPattern == number.bitPattern)
  }

  @Test func aWrongIndexIsAnError() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let statement = try connection.take("SELECT ?1")
    #expect(statement.parameterCount == 1)
    #expect(statement.columnCount == 1)
    #expect(throws: SQLiteError.self) { try statement.bind(2, "x") }
    #expect(throws: SQLiteError.self) { try statement.bind(0, [1] as [UInt8]) }
  }

  @Test func aStatementFromTheCacheHasForgottenItsValues() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let first = try connection.take("SELECT ?1")
    first.bind(1, 7 as Int64)
    #expect(try first.step())
    connection.giveBack(first)
    let second = try connection.take("SELECT ?1")
    #expect(second === first)
    #expect(try second.step())
    #expect(second.isNull(0))
  }

  @Test func twoTakersNeverShareAStatement() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    let first = try connection.take("SELECT 1")
    let second = try connection.take("SELECT 1")
    #expect(first !== second)
    connection.giveBack(first)
    connection.giveBack(second)
    #expect(try connection.take("SELECT 1") === second)
  }

  @Test func theCacheStaysWithinItsBound() throws {
    let connection = try Connection(path: ":memory:", mode: .create, statementsMax: 3)
    let kept = try connection.take("SELECT 0")
    connection.giveBack(kept)
    for number in 1...3 { connection.giveBack(try connection.take("SELECT \(number)")) }
    #expect(try connection.take("SELECT 0") !== kept)
  }

  @Test func anErrorNamesTheStatementAndIsOver() throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    try connection.execute("CREATE TABLE a(b INTEGER PRIMARY KEY)")
    let insert = try connection.take("INSERT INTO a VALUES (?1)")
    insert.bind(1, 1 as Int64)
    try insert.run()
    let error = #expect(throws: SQLiteError.self) { try insert.run() }
    #expect(error?.isUniqueConflict == true)
    #expect(error?.sql == "INSERT INTO a VALUES (?1)")
    insert.bind(1, 2 as Int64)
    try insert.run()
    #expect(try connection.integer("SELECT count(*) FROM a") == 2)
  }

  @Test(arguments: ["", "   ", "-- nothing", "SELEC 1", "SELECT * FROM nowhere", "SELECT 'a"])
  func refusesWhatIsNoStatement(sql: String) throws {
    let connection = try Connection(path: ":memory:", mode: .create)
    #expect(throws: SQLiteError.self) { try connection.take(sql) }
  }
}
