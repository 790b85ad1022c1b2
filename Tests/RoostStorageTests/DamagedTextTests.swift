import RoostModel
import RoostSQLite
import RoostStorage
import Testing

/// Text in the file that is no UTF-8: another program wrote it, or the file is damaged.
@Suite("Damaged text") struct DamagedTextTests {
  private let folder = TemporaryFolder()
  private let fixture: Fixture
  private let row: Int64

  init() throws {
    let path = folder.path + "/damaged.store"
    fixture = try Fixture(Samples.types, at: .file(path))
    row = try fixture.add("Everything", ("text", .text("good")), ("int", .int(7)))
    let other = try Connection(path: path, mode: .readWrite)
    // A lone lead byte, a surrogate, and an overlong slash.
    for (column, bytes) in [("text", "41C3"), ("json", "22EDA08022"), ("decimal", "31C0AF")] {
      try other.execute(#"UPDATE "Everything" SET "\#(column)" = CAST(x'\#(bytes)' AS TEXT)"#)
    }
  }

  private func expectDataLoss(_ body: () throws -> Void) {
    let error = #expect(throws: StoreError.self) { try body() }
    #expect(error?.status == .dataLoss)
    #expect(error?.detail == .corrupt)
  }

  @Test(arguments: ["text", "json", "decimal"])
  func aRowWithItIsDataLoss(column: String) throws {
    expectDataLoss { _ = try fixture.value("Everything", row, column) }
    expectDataLoss { _ = try fixture.values("Everything", column) }
    // What is whole in the same row is still there.
    #expect(try fixture.value("Everything", row, "int") == .int(7))
  }

  @Test func aQueryThatMeetsItEndsWithDataLoss() throws {
    expectDataLoss { _ = try fixture.rows(Query(entity: fixture.id("Everything"))) }
    #expect(try fixture.count("Everything") == 1)
  }
}
