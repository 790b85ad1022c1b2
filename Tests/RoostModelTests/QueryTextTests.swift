import FoundationEssentials
import RoostModel
import RoostTestSupport
import Testing

@Suite("QueryText")
struct QueryTextTests {
  private let schema = SampleSchema.all

  /// Each text, and how the printer writes what it means.
  @Test(arguments: [
    ("Item", "Item"),
    ("Item where name == \"x\"", "Item where name == \"x\""),
    ("Item where name=='x'&&size>3", "Item where name == \"x\" && size > 3"),
    (
      "Item where owner?.code == \"x\" || owner!.rank < 2",
      "Item where owner.code == \"x\" || owner.rank < 2"
    ),
    ("Item WHERE flag ORDER_ME", "error"),
    ("Item where ratio == 1", "Item where ratio == 1.0"),
    ("Item where price >= 1.50", "Item where price >= 1.5"),
    ("Item where mask == 18446744073709551615", "Item where mask == 18446744073709551615"),
    ("Item where due > \"2013-01-01T05:00:00-05:00\"", "Item where due > \"2013-01-01T10:00:00Z\""),
    (
      "Item where (due ?? \"2001-01-01\") < due", "Item where due ?? \"2001-01-01T00:00:00Z\" < due"
    ),
    ("Item where due ?? \"2001-01-01\" > due + 3600", "error-free"),
    ("Item where token == \"00000000-0000-4000-8000-000000000001\"", "error-free"),
    ("Item where payload == \"AP8=\"", "Item where payload == \"AP8=\""),
    ("Item where name ~= \"zur\"", "Item where name ~= \"zur\""),
    ("Item where name.localizedStandardContains(\"zur\")", "Item where name ~= \"zur\""),
    (
      "Item where name.hasPrefix(\"a\") && name.hasSuffix(\"b\")",
      "Item where name.startsWith(\"a\") && name.endsWith(\"b\")"
    ),
    ("Item where name.startsWith(\"a\", folded)", "Item where name.startsWith(\"a\", folded)"),
    ("Item where name in [\"a\", \"b\", nil]", "Item where name in [\"a\", \"b\", nil]"),
    ("Item where size in []", "Item where size in []"),
    ("Item where owner == #7", "Item where owner == #7"),
    ("Item where id == #7", "Item where id == 7"),
    ("Item where $0 == #7 || #id in [1, -2]", "Item where $0 == #7 || id in [1, -2]"),
    ("Item where owner != nil", "Item where owner != nil"),
    ("Item where owner.isNil", "Item where (owner).isNil"),
    ("Item where parts.isEmpty", "Item where parts.isEmpty"),
    ("Item where parts.count > 3", "Item where parts.count > 3"),
    ("Item where parts.count { size > 1 } == 2", "Item where parts.count { $0.size > 1 } == 2"),
    (
      "Item where parts.contains { $0.owner.code == \"U\" }",
      "Item where parts.contains { $0.owner.code == \"U\" }"
    ),
    (
      "Item where parts.contains { owner.code == \"U\" }",
      "Item where parts.contains { $0.owner.code == \"U\" }"
    ),
    (
      "Item where parts.contains { part in part.size > $1.size }",
      "Item where parts.contains { $0.size > $1.size }"
    ),
    (
      "Item where friends.contains { rank in [1] }",
      "Item where friends.contains { $0.rank in [1] }"
    ),
    (
      "Item where friends.allSatisfy { $0.rank == size }",
      "Item where friends.allSatisfy { $0.rank == $1.size }"
    ),
    ("Item where friends.none { true }", "Item where friends.none { true }"),
    ("Item where !flag", "Item where !flag"),
    ("Item where !(size == 1)", "Item where !(size == 1)"),
    ("Item where -size == -5", "Item where -size == -5"),
    ("Item where size - -5 == -(5)", "Item where size - -5 == -(5)"),
    ("Item where size * (2 + level) - 1 > 0", "Item where size * (2 + level) - 1 > 0"),
    ("Item where size - (2 - level) > 0", "Item where size - (2 - level) > 0"),
    ("Item where flag ? size > 1 : level > 2", "Item where flag ? size > 1 : level > 2"),
    ("Item where (flag && flag) && flag || flag", "Item where (flag && flag) && flag || flag"),
    (
      "Item where name.length > 3 && name.lowercased == \"a\"",
      "Item where name.length > 3 && name.lowercased == \"a\""
    ),
    (
      "Item where abs(size) == 1 && Int(ratio) == 2", "Item where abs(size) == 1 && Int(ratio) == 2"
    ),
    ("Item where ratio == Double(\"nan\")", "Item where ratio == Double(\"nan\")"),
    (
      "Item sort size desc, name asc limit 3 offset 2 select name, owner.code",
      "Item sort size desc, name limit 3 offset 2 select name, owner.code"
    ),
    ("Item sort by size select name, note", "Item sort size select name, note"),
    ("Item select (name)", "Item select (name)"),
    ("Item select id", "Item select id"),
    ("Item prefetch owner.items, friends", "Item prefetch owner.items, friends"),
    ("`where` where `where`.limit == 1", "error"),
    ("where where limit > 1 limit 3", "where where limit > 1 limit 3"),
    ("where where in in [\"a\"] sort sort desc", "where where in in [\"a\"] sort sort desc"),
    ("where where `nil` && `id` == 1 && #id == 2", "where where `nil` && `id` == 1 && #id == 2"),
    ("where where `air``port name` == \"x\"", "where where `air``port name` == \"x\""),
    ("where where été > 0.1", "where where été > 0.1"),
    ("where where owners.count > count", "where where owners.count > count"),
    ("Item where note == \"\\u{1F426} \\\"\\\\ \\n\"", "Item where note == \"🐦 \\\"\\\\ \\n\""),
    ("Item\nwhere size\n  > 1_000", "Item where size > 1000"),
    ("Item where 5 > 3 && \"a\" < \"b\"", "Item where 5 > 3 && \"a\" < \"b\""),
    ("Item where size + 1 == nil", "Item where size + 1 == nil"),
  ])
  func readsAndWrites(text: String, printed: String) throws {
    if printed == "error" {
      #expect(throws: QueryTextError.self) { try QueryText.query(text, schema: schema) }
      return
    }
    let query = try QueryText.query(text, schema: schema)
    let again = QueryText.text(query, schema: schema)
    if printed != "error-free" { #expect(again == printed) }
    #expect(try QueryText.query(again, schema: schema) == query)
  }

  @Test func bindsNamesAndLiterals() throws {
    let text = "Item where owner.code == \"x\" && ratio > 2 sort due desc limit 5 select name"
    let query = try QueryText.query(text, schema: schema)
    let expected = Query(
      entity: 1,
      predicate: .and([
        .compare(.equal, .path(PropertyPath([14, 1])), .literal(.text("x"))),
        .compare(.greater, .path(PropertyPath([7])), .literal(.double(2))),
      ]), sort: [SortKey(.path(PropertyPath([10])), isDescending: true)], limit: 5,
      selection: .properties([1]))
    #expect(query == expected)
  }

  @Test(arguments: [
    ("", "begins with an entity", 0),
    ("Itm where size > 1", "“Itm”; did you mean “Item”", 0),
    ("Item where nme == \"x\"", "did you mean “name”", 11),
    ("Item where owner.cod == \"x\"", "did you mean “code”", 17),
    ("Item were size > 1", "did you mean “where”", 5),
    ("Item where size = 1", "“=” is written ==", 16),
    ("Item where size <> 1", "is written !=", 16),
    ("Item where size > 1 and flag", "is written &&", 20),
    ("Item where size > 1 or flag", "is written ||", 20),
    ("Item where size < level < 3", "do not chain", 24),
    ("Item where due > \"yesterday\"", "is not a date", 17),
    ("Item where token == \"12\"", "is not a UUID", 20),
    ("Item where size == \"x\"", "compares Int with String", 16),
    ("Item where size", "not a condition", 11),
    ("Item where flag && size + name > 2", "calculates with Int and String", 24),
    ("Item where parts == nil", "to-many", 11),
    ("Item where parts > 3", "to-many", 11),
    ("Item where name.contains { true }", "to-many", 11),
    ("Item where parts.contains(\"x\")", "braces", 17),
    ("Item where size.count > 1", "to-many", 11),
    ("Item where size.lenght > 1", "did you mean “length”", 16),
    ("Item where foo(size) > 1", "no function “foo”", 11),
    ("Item where (size > 1", "expected “)”", 20),
    ("Item where size > ", "ends where a value is expected", 18),
    ("Item where name == \"x", "no closing quote", 19),
    ("Item where name == \"\\q\"", "escapes are", 20),
    ("Item where name == \"\\u{D800}\"", "escapes are", 20),
    ("Item where `size > 1", "no closing backtick", 11),
    ("Item where size in [level]", "literals only", 20),
    ("Item where $1.size > 1", "no row $1", 11),
    ("Item where owner == #9 && size == #", "written #7", 34),
    ("Item limit -1", "whole number", 11),
    ("Item limit 99999999999999999999", "whole number", 11),
    ("Item limit 1 limit 2", "two “limit”", 13),
    ("Item where size == 99999999999999999999", "beyond 64 bits", 19),
    ("Item where mask == -1", "is not a UInt64", 19),
    ("Item where size ^ 2", "no meaning", 16),
    ("Item where owner < owner", "order", 17),
    ("Item sort owner", "no order", 10),
    ("Item prefetch name", "no relationship", 14),
    ("Item select parts", "to-many", 12),
  ])
  func saysWhatIsWrongAndWhere(text: String, message: String, offset: Int) throws {
    let error = try #require(throws: QueryTextError.self) {
      try QueryText.query(text, schema: schema)
    }
    #expect(error.message.contains(message), "\(error.message)")
    #expect(error.offset == offset, "\(error)")
  }

  @Test func showsTheLineWithACaret() throws {
    let error = try #require(throws: QueryTextError.self) {
      try QueryText.query("Item\nwhere nme == \"ü\"\nlimit 1", schema: schema)
    }
    #expect(error.excerpt == "  where nme == \"ü\"\n        ^")
    #expect("\(error)".hasPrefix("Item has no property “nme”; did you mean “name”?\n"))
  }

  @Test func refusesDeepNestingWithoutCrashing() {
    let open = String(repeating: "(", count: 100_000)
    for text in [
      "Item where \(open)", "Item where \(String(repeating: "!", count: 100_000))flag",
      "Item where \(String(repeating: "-", count: 100_000))size > 1",
      "Item where \(String(repeating: "parts.contains { ", count: 10_000))",
      "Item where \(String(repeating: "flag ? ", count: 10_000))",
      "Item where " + String(repeating: "size + ", count: 10_000) + "1 > 2",
      "Item where " + String(repeating: "size ?? ", count: 10_000) + "1 > 2",
      "Item where " + String(repeating: "owner.", count: 100_000) + "code == \"x\"",
      "Item where " + String(repeating: "flag && ", count: 10_000) + "flag",
      String(repeating: "x", count: Limits.queryTextBytesMax + 1),
    ] {
      #expect(throws: QueryTextError.self) { try QueryText.query(text, schema: schema) }
    }
  }

  /// Pieces of queries in any order: an answer or an error with a place, never a trap.
  @Test func neverTrapsOnSoup() {
    let pieces = [
      "Item", "where", "owner", ".", "parts", "contains", "{", "}", "(", ")", "[", "]", ",", "==",
      "&&", "||", "!", "-", "5", "1.5", "\"x\"", "nil", "$0", "$1", "#7", "#id", "id", "in", "??",
      "?", ":", "sort", "desc", "select", "limit", "~=", "`", "\\", "Date(", "count", "isEmpty",
      "abs(", "é", "\u{0}", "\"\\u{", "'", "1e", "size", "name", "flag", "true", "and(", "folded",
    ]
    var random = SplitMix64(seed: TestSeed.current)
    for _ in 0..<20_000 {
      let start = random.chance(80) ? "Item where " : ""
      let separator = random.chance(50) ? " " : ""
      let parts = (0..<random.below(14)).map { _ in random.pick(pieces) }
      let text = start + parts.joined(separator: separator)
      do throws(QueryTextError) {
        let query = try QueryText.query(text, schema: schema)
        let printed = QueryText.text(query, schema: schema)
        #expect((try? QueryText.query(printed, schema: schema)) == query, "\(text) → \(printed)")
      } catch {
        #expect(error.offset <= text.utf8.count, "\(text) \(TestSeed.note)")
        _ = error.description
      }
    }
  }
}
