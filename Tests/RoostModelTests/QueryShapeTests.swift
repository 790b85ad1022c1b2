import RoostModel
import RoostTestSupport
import Testing

@Suite("Shapes of queries") struct QueryShapeTests {
  private let schema = SampleSchema.all

  private func shape(_ text: String) throws -> String {
    QueryText.shape(try QueryText.query(text, schema: schema), schema: schema)
  }

  @Test(arguments: [
    ("Item", "Item"),
    ("Item where name == \"x\" limit 10 offset 20", "Item where name == ? limit ? offset ?"),
    ("Item where size > 3 && ratio < 2.5", "Item where size > ? && ratio < ?"),
    ("Item where mask == 7 || price > 1.50", "Item where mask == ? || price > ?"),
    ("Item where flag == true && due > \"2013-01-01\"", "Item where flag == ? && due > ?"),
    ("Item where owner == #7 || owner == nil", "Item where owner == ? || owner == nil"),
    ("Item where name in [\"a\", \"b\", \"c\"]", "Item where name in [?]"),
    ("Item where name in [\"a\"]", "Item where name in [?]"),
    ("Item where note in [nil, \"a\", nil, \"b\"]", "Item where note in [?, nil]"),
    ("Item where note in [nil]", "Item where note in [nil]"),
    ("Item where size in []", "Item where size in []"),
    ("Item where name.startsWith(\"a\", folded)", "Item where name.startsWith(?, folded)"),
    ("Item where -(5) < size", "Item where -? < size"),
    ("Item where Int(\"5\") == size", "Item where ? == size"),
    ("Item where parts.contains { size > 2 }", "Item where parts.contains { $0.size > ? }"),
    ("Item where parts.count { size > 1 } == 2", "Item where parts.count { $0.size > ? } == ?"),
    (
      "Item where friends.none { $0.rank in [1, 2] } sort size + 1 desc select (size * 2)",
      "Item where friends.none { $0.rank in [?] } sort size + ? desc select size * ?"
    ),
  ])
  func aShapeHasNoLiterals(text: String, expected: String) throws {
    #expect(try shape(text) == expected)
  }

  @Test(arguments: [
    ("Item where size > 1", "Item where size >= 1"),
    ("Item where size > 1", "Item where level > 1"),
    ("Item where size == 1", "Item where size == nil"),
    ("Item where note in [nil]", "Item where note in [\"nil\"]"),
    ("Item limit 1", "Item offset 1"),
    ("Item sort size", "Item sort size desc"),
  ])
  func whatAsksForOtherThingsHasAnotherShape(first: String, second: String) throws {
    #expect(try shape(first) != shape(second))
  }

  /// No text of a literal is in the shape of any query.
  @Test func literalsNeverLeakIntoAShape() throws {
    for value in [
      Value.text("secret"), .blob([1, 2]), .date(0.5), .decimal("12.5"), .double(.nan),
      .int(.min), .bool(true), .reference(RowReference(entity: 2, row: 5)),
    ] {
      let query = Query(
        entity: 1, predicate: .compare(.equal, .path(PropertyPath([1])), .literal(value)))
      #expect(QueryText.shape(query, schema: schema) == "Item where name == ?")
    }
  }

  @Test func equalShapesAreOneObject() {
    let shape = QueryShape(entity: 1, kind: .fetch, text: "Item")
    let other = QueryShape(entity: 1, kind: .fetch, text: "Item")
    #expect(shape != other)
    #expect([shape: 1][shape] == 1)
  }
}
