import FoundationEssentials
import RoostModel

/// A value and the property of `Samples.types` that holds it.
struct RandomRows: Sendable, CustomStringConvertible {
  var property: String
  var value: Value

  var description: String { "\(property) \(value)" }

  static let edges: [RandomRows] = [
    RandomRows(property: "bool", value: .bool(true)),
    RandomRows(property: "bool", value: .bool(false)),
    RandomRows(property: "int", value: .int(.max)), RandomRows(property: "int", value: .int(.min)),
    RandomRows(property: "int", value: .int(0)), RandomRows(property: "uint64", value: .int(-1)),
    RandomRows(property: "double", value: .double(.nan)),
    RandomRows(property: "double", value: .double(-0.0)),
    RandomRows(property: "double", value: .double(-.infinity)),
    RandomRows(property: "double", value: .double(.leastNonzeroMagnitude)),
    RandomRows(property: "double", value: .double(0.1)),
    RandomRows(property: "double", value: .double(3)),
    RandomRows(property: "decimal", value: .decimal("-12345678901234567890.000000000000000001")),
    RandomRows(property: "date", value: .date(-63_114_076_800.25)),
    RandomRows(property: "uuid", value: .uuid(UUID())),
    RandomRows(property: "data", value: .blob([])),
    RandomRows(property: "data", value: .blob([0, 255, 0])),
    RandomRows(property: "text", value: .text("")),
    RandomRows(property: "text", value: .text("a\0b")),
    RandomRows(property: "text", value: .text("e\u{301}🛫")),
    RandomRows(property: "text", value: .text(String(repeating: "ä", count: 70_000))),
    RandomRows(property: "json", value: .text("[1,2]")),
  ]
}
