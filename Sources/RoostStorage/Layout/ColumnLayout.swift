import RoostModel

/// How a column's values are kept and checked.
enum ColumnKind: UInt8, Sendable {
  case bool
  case int
  case uint64
  case double
  case decimal
  case date
  case uuid
  case data
  case text
  case json
  case reference

  init(_ type: AttributeType) {
    self =
      switch type {
      case .bool: .bool
      case .int: .int
      case .uint64: .uint64
      case .double: .double
      case .decimal: .decimal
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      case .text: .text
      case .json: .json
      }
  }

  /// The type a column is declared with.
  ///
  /// Doubles have none: a REAL column turns -0.0 into 0.0, one without affinity keeps every bit.
  var declaration: String {
    switch self {
    case .bool, .int, .uint64, .reference: " INTEGER"
    case .double: ""
    case .date: " REAL"
    case .uuid, .data: " BLOB"
    case .decimal, .text, .json: " TEXT"
    }
  }

  /// The word for it in messages.
  var word: String {
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
    case .reference: "a reference"
    }
  }
}

/// A property that the row itself holds, and the column it stands in.
///
/// A class, since writes hand it about for every value of every row.
final class ColumnLayout: Sendable {
  let property: PropertySchema
  let kind: ColumnKind
  /// The entity a to-one leads to; 0 for attributes.
  let destination: EntityID
  /// The to-one on the other side of a one-to-one.
  let toOneInverse: PropertyID?
  /// As it stands in SQL, quoted.
  let sql: String
  let id: PropertyID
  let isRequired: Bool

  init(
    property: PropertySchema, kind: ColumnKind, destination: EntityID, toOneInverse: PropertyID?,
    sql: String
  ) {
    self.property = property
    self.kind = kind
    self.destination = destination
    self.toOneInverse = toOneInverse
    self.sql = sql
    id = property.id
    isRequired = !property.isOptional
  }

  var name: String { property.name }
}
