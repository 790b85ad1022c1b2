import CSQLite
import RoostModel
import Testing

@testable import RoostSQLite
@testable import RoostStorage

@Suite("Plans that cannot be made") struct FailingPlanTests {
  /// EXPLAIN makes the SQL longer, here by more than the engine takes.
  @Test func aPlanThatFailsLeavesTheQueryAsItIs() throws {
    let fixture = try Fixture(Samples.flights)
    _ = try fixture.add("Tag", ("label", .text("x")))
    let query = Query(entity: fixture.id("Tag"))
    try fixture.reading { reader in
      let own = try #require(reader as? SQLiteReader)
      let connection = own.connection
      let compiled = try QueryCompiler.compile(query, own.layout, isCount: true)
      let length = Int32(compiled.sql.utf8.count + 5)
      let before = sqlite3_limit(connection.handle, SQLITE_LIMIT_SQL_LENGTH, length)
      #expect(throws: SQLiteError.self) { try connection.plan(of: compiled.sql) }
      #expect(try reader.count(query) == 1)
      sqlite3_limit(connection.handle, SQLITE_LIMIT_SQL_LENGTH, before)
      let shape = try #require(reader.cost?.shape)
      #expect(shape.plan.isEmpty && !shape.isFullScan)
      #expect(shape.text == "Tag" && shape.sql == compiled.sql)
    }
  }
}
