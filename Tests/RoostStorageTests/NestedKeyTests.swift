import RoostModel
import RoostStorage
import Testing

/// Keys whose parts are keys of the same constraint: each lookup must keep its own values.
@Suite("Keys inside keys")
struct NestedKeyTests {
  let fixture: Fixture
  let root: Int64

  init() throws {
    fixture = try Fixture(
      StoreSchema(entities: [
        EntitySchema(
          name: "Folder",
          properties: [Samples.attribute("name", .text), Samples.toOne("parent", "Folder")],
          uniqueConstraints: [["name", "parent"]]),
        EntitySchema(name: "Mark", properties: [Samples.toOne("folder", "Folder")]),
      ]))
    root = try fixture.add("Folder", ("name", .text("/")))
  }

  private func key(_ name: String, in parent: Value, creates: Bool = false) -> Value {
    .key(
      KeyReference(
        entity: fixture.id("Folder"),
        constraint: [fixture.property("Folder", "name"), fixture.property("Folder", "parent")],
        values: [.text(name), parent], createsMissing: creates))
  }

  private func folder(_ name: String, in parent: Int64) throws -> Int64 {
    try fixture.add(
      "Folder", ("name", .text(name)), ("parent", fixture.reference("Folder", parent)))
  }

  @Test func leadToTheRowTheyName() throws {
    let outer = try folder("a", in: root)
    let wanted = try folder("b", in: outer)
    _ = try folder("a", in: outer)
    let value = key("b", in: key("a", in: fixture.reference("Folder", root)))
    let mark = try fixture.add("Mark", ("folder", value))
    #expect(try fixture.value("Mark", mark, "folder") == fixture.reference("Folder", wanted))
  }

  @Test func makeWhatIsMissingWithItsOwnValues() throws {
    let outer = key("new", in: fixture.reference("Folder", root), creates: true)
    let inner = try fixture.add("Folder", ("name", .text("leaf")), ("parent", outer))
    #expect(try fixture.value("Folder", inner, "name") == .text("leaf"))
    guard case .reference(let parent) = try fixture.value("Folder", inner, "parent") else {
      Issue.record("the new row leads nowhere")
      return
    }
    #expect(try fixture.value("Folder", parent.row, "name") == .text("new"))
    #expect(
      try fixture.value("Folder", parent.row, "parent") == fixture.reference("Folder", root))
  }
}
