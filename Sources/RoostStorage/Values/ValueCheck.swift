import RoostModel

/// Whether a value may stand in a column.
enum ValueCheck {
  /// The largest whole number that every smaller one is a Double, too.
  static let exactDoubleMax: Int64 = 1 << 53

  /// Null fits everywhere here; whether it may is a rule of the entity, not of the column.
  static func fits(_ value: Value, _ kind: ColumnKind) -> Bool {
    switch (kind, value) {
    case (_, .null), (.bool, .bool), (.int, .int), (.uint64, .int), (.double, .double),
      (.uuid, .uuid), (.data, .blob), (.text, .text), (.json, .text):
      true
    case (.double, .int(let number)): number.magnitude <= UInt64(exactDoubleMax)
    case (.date, .date(let seconds)): !seconds.isNaN
    case (.decimal, .decimal(let text)): DecimalText.canonical(text).map { $0 == text } ?? false
    default: false
    }
  }

  static func word(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool: "Bool"
    case .int: "Int"
    case .double: "Double"
    case .text: "String"
    case .blob: "Data"
    case .date: "Date"
    case .uuid: "UUID"
    case .decimal: "Decimal"
    case .list: "a list"
    case .map: "a map"
    case .reference: "a reference"
    case .result: "a result"
    case .key: "a key"
    }
  }

  static func mismatch(_ found: String, _ column: ColumnLayout) -> String {
    "\(column.name) takes \(column.kind.word), not \(found)"
  }
}
