/// What an attribute holds; decides its column, its comparison and its literals.
///
/// Raw values are the wire's (`Protocol/SPEC.md`, "Schema") and never change meaning.
public enum AttributeType: UInt8, Hashable, Sendable, CaseIterable {
  case bool = 1
  /// Every signed integer, and unsigned ones below 64 bits; the model checks narrower ranges.
  case int = 2
  /// 64 bits unsigned: stored as the bit pattern, compared as unsigned.
  case uint64 = 3
  /// Float and Double, bit-exact; NaN allowed, but not in unique keys.
  case double = 4
  /// Canonical text, compared as a number.
  case decimal = 5
  /// Seconds since 2001-01-01T00:00:00Z.
  case date = 6
  case uuid = 7
  case data = 8
  /// Strings, URLs and string-backed enums; compared as UTF-8 bytes.
  case text = 9
  /// A Codable value, array or set as canonical JSON text.
  case json = 10

  /// The word for it in commands and messages.
  public var name: String {
    switch self {
    case .bool: "Bool"
    case .int: "Int"
    case .uint64: "UInt64"
    case .double: "Double"
    case .decimal: "Decimal"
    case .date: "Date"
    case .uuid: "UUID"
    case .data: "Data"
    case .text: "String"
    case .json: "JSON"
    }
  }
}
