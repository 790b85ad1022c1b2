import RoostModel
import RoostTestSupport
import Testing

@Suite("ExpressionEvaluator")
struct ExpressionEvaluatorTests {
  private let table = SmallWorld.table
  private var schema: StoreSchema { table.schema }

  /// Conditions on Item 1, stated as text: what holds, what does not, and what nil does.
  @Test(arguments: [
    ("level == nil", true), ("level != nil", false), ("level < 3", false), ("!(level < 3)", true),
    ("level >= 3", false), ("level == 3", false), ("level != 3", true), ("nil == nil", true),
    ("level in [1, nil]", true), ("level in [1]", false), ("!(level in [1])", true),
    ("size in [5, 6]", true), ("size in []", false), ("level.isNil", true),
    ("flag", false), ("!flag", true), ("flag == false", false), ("flag == nil", true),
    ("flag ?? true", true), ("level ?? size == 5", true), ("level + 1 == nil", true),
    ("and()", true), ("or()", false), ("size == 5 && name == \"Zürich\"", true),
    ("size == 4 || name == \"Zürich\"", true), ("flag ? false : true", true),
    // Numbers.
    ("size + 1 == 6", true), ("size / 2 == 2", true), ("-size / 2 == -2", true),
    ("-size % 3 == -2", true), ("size / 0 == nil", true), ("size % 0 == nil", true),
    ("size * 9223372036854775807 == nil", true), ("-9223372036854775808 - size == nil", true),
    ("-(-9223372036854775807 - 1) == nil", true), ("abs(-size) == 5", true),
    ("size == 5.0", true), ("size < 5.5", true), ("size > 4.9999", true),
    ("9007199254740993 == 9007199254740992.0", false),
    ("9007199254740993 > 9007199254740992.0", true),
    ("9223372036854775807 < 9223372036854775808.0", true),
    ("-9223372036854775808 == -9223372036854775808.0", true),
    ("ratio == ratio", true), ("ratio > 1e308", true), ("ratio > Double(\"inf\")", true),
    ("ratio == Double(\"nan\")", true), ("ratio < 0", false), ("ratio + 1 == nil", true),
    ("weight == 0", true), ("weight >= 0", true), ("weight / 0 == nil", true),
    ("0.0 / weight == nil", true), ("1e308 * 10 == Double(\"inf\")", true),
    // UInt64, decimals, dates.
    ("mask > 1", true), ("mask == 18446744073709551615", true), ("mask + mask == nil", true),
    ("mask / mask == mask / mask", true), ("price == 1.10", true), ("price < 1.2", true),
    ("price > 1.0999", true), ("price * 2 == 2.2", true), ("price / 0 == nil", true),
    ("Double(price) == 1.1", true), ("Int(price) == 1", true), ("String(price) == \"1.1\"", true),
    ("due == \"2001-01-01T01:00:00Z\"", true), ("due + 3600 == \"2001-01-01T02:00:00Z\"", true),
    ("due - \"2001-01-01\" == 3600", true), ("Double(due) == 3600", true),
    ("Int(ratio) == nil", true), ("Int(1e300) == nil", true), ("UInt64(-size) == nil", true),
    ("Double(mask) == 18446744073709551615.0", true), ("Int(2.9) == 2 && Int(-2.9) == -2", true),
    // Text.
    ("name == \"Zu\\u{308}rich\"", false), ("name ~= \"ZURICH\"", true), ("name ~= \"\"", true),
    ("name.contains(\"rich\")", true), ("name.contains(\"RICH\")", false),
    ("name.startsWith(\"Z\") && name.endsWith(\"h\")", true),
    ("name.startsWith(\"z\", folded)", true),
    ("note.contains(\"a\")", false), ("!note.contains(\"a\")", true), ("note ~= name", false),
    ("name.length == 6", true), ("name.uppercased == \"ZÜRICH\"", true), ("name > \"Z\"", true),
    ("name.folded == \"zurich\"", true), ("note.length == nil", true),
    // Relationships.
    ("owner == #1", true), ("owner == #2", false), ("owner.code == \"A\"", true),
    ("parent == nil", true), ("parent.name == nil", true), ("parent.owner.code == nil", true),
    ("$0 == #1", true), ("id == 1", true), ("owner.id == 1", true),
    ("parts.count == 2", true), ("parts.isEmpty", false), ("parent.parts.isEmpty", true),
    ("parent.parts.count == 0", true), ("parent.parts.allSatisfy { false }", true),
    ("parts.contains { size > 10 }", true), ("parts.contains { size > 100 }", false),
    ("parts.allSatisfy { size > 1 }", true), ("parts.allSatisfy { size > 10 }", false),
    ("parts.none { size > 100 }", true), ("parts.count { size > 10 } == 1", true),
    ("parts.contains { $0.size > $1.size }", true), ("parts.allSatisfy { $0.parent == $1 }", true),
    ("owner.items.contains { $0 == $1 }", true),
    ("owner.items.contains { parts.contains { $0.size > $2.size } }", true),
    ("friends.contains { code == \"B\" } && friends.count == 1", true),
  ])
  func conditionHolds(text: String, holds: Bool) throws {
    let condition = try checked(text)
    var evaluator = ExpressionEvaluator(source: table)
    #expect(try evaluator.matches(condition, SmallWorld.item(1)) == holds)
  }

  @Test(arguments: [
    ("size / 0 == 1", 1), ("size * 9223372036854775807 > 0 || size % 0 > 0", 2),
    ("level + 1 > 0", 0),
    ("ratio + 1 > 0", 1), ("Int(ratio) == 1", 1), ("size > 0 || size / 0 > 0", 0),
    ("size + 1 > 0", 0),
  ])
  func countsWhatHasNoResult(text: String, warnings: Int) throws {
    let condition = try checked(text)
    var evaluator = ExpressionEvaluator(source: table)
    _ = try evaluator.matches(condition, SmallWorld.item(1))
    #expect(evaluator.warnings == warnings)
  }

  @Test(arguments: [
    ("level", [1, 3, 2]), ("level desc", [2, 1, 3]), ("flag, size desc", [3, 1, 2]),
    ("name.folded", [2, 3, 1]), ("owner.code desc, id desc", [3, 1, 2]), ("nil", [1, 2, 3]),
    ("ratio", [3, 2, 1]), ("mask desc", [1, 2, 3]),
  ])
  func sortsLikeTheStore(sort: String, rows: [Int64]) throws {
    let query = try QueryText.query("Item sort \(sort)", schema: schema)
    let typed = try ExpressionChecker.check(query, schema: schema)
    var evaluator = ExpressionEvaluator(source: table)
    let sorted = try RowComparator(keys: typed.sort).sorted(table.all(1), in: &evaluator)
    #expect(sorted.map(\.row) == rows)
  }

  private func checked(_ text: String) throws -> TypedExpression {
    let item = try #require(schema.entity(named: "Item"))
    let condition = try QueryText.condition(text, of: item, schema: schema)
    return try ExpressionChecker(schema: schema, entity: item.id).condition(condition)
  }
}

/// Three items and two owners.
private enum SmallWorld {
  static func item(_ row: Int64) -> RowReference { RowReference(entity: 1, row: row) }
  private static func owner(_ row: Int64) -> RowReference { RowReference(entity: 2, row: row) }

  static let table: MemoryTable = {
    var table = MemoryTable(schema: SampleSchema.all)
    set(
      item(1), in: &table,
      [
        "name": .text("Zürich"), "size": .int(5), "mask": .int(-1), "ratio": .double(.nan),
        "weight": .double(-0.0), "price": .decimal("1.1"), "due": .date(3_600),
        "owner": .reference(owner(1)),
      ])
    set(
      item(2), in: &table,
      [
        "name": .text("Aarau"), "size": .int(2), "level": .int(7), "flag": .bool(true),
        "mask": .int(3), "ratio": .double(1), "parent": .reference(item(1)),
      ])
    set(
      item(3), in: &table,
      [
        "name": .text("bern"), "size": .int(30), "owner": .reference(owner(2)),
        "parent": .reference(item(1)),
      ])
    set(owner(1), in: &table, ["code": .text("A"), "rank": .int(1)])
    set(owner(2), in: &table, ["code": .text("B")])
    if let friends = table.schema.entity(1)?.property(named: "friends") {
      table.links[item(1)] = [friends.id: [2]]
    }
    return table
  }()

  private static func set(
    _ row: RowReference, in table: inout MemoryTable, _ cells: [String: Value]
  ) {
    var values: [PropertyID: Value] = [:]
    for (name, value) in cells {
      guard let property = table.schema.entity(row.entity)?.property(named: name) else { continue }
      values[property.id] = value
    }
    table.set(row, values)
  }
}
