/// What an expression gives, found before it is run.
package enum ExpressionType: Hashable, Sendable {
  /// Only nil is known: a literal nil, or a choice between two.
  case null
  case attribute(AttributeType)
  /// A row of an entity, or nil.
  case reference(EntityID)

  /// What a literal gives where nothing around it says more; nil for what no query may hold.
  package init?(natural literal: Value) {
    switch literal {
    case .null: self = .null
    case .bool: self = .attribute(.bool)
    case .int: self = .attribute(.int)
    case .double: self = .attribute(.double)
    case .text: self = .attribute(.text)
    case .blob: self = .attribute(.data)
    case .date: self = .attribute(.date)
    case .uuid: self = .attribute(.uuid)
    case .decimal: self = .attribute(.decimal)
    case .reference(let reference): self = .reference(reference.entity)
    case .list, .map, .result, .key: return nil
    }
  }

  var isBool: Bool { self == .attribute(.bool) }

  package func name(in schema: StoreSchema) -> String {
    switch self {
    case .null: "nil"
    case .attribute(let type): type.name
    case .reference(let entity): schema.entity(entity)?.name ?? "entity \(entity)"
    }
  }
}

/// How two values of a comparison, a list test or a sort are ordered.
package enum ComparisonDomain: Hashable, Sendable {
  case bool
  case integer
  /// UInt64 as bit patterns.
  case unsigned
  /// Integers and doubles mixed, exactly; NaN equals itself and is greater than all others.
  case number
  case date
  case decimal
  case text
  case data
  case uuid
  /// Equal or not, no order.
  case json
  /// Equal or not, no order.
  case reference
  /// Both sides are nil literals.
  case null

  var isOrdered: Bool { self != .json && self != .reference }

  init(_ type: ExpressionType) {
    self =
      switch type {
      case .null: .null
      case .reference: .reference
      case .attribute(let type): ComparisonDomain(type)
      }
  }

  package init(_ type: AttributeType) {
    self =
      switch type {
      case .bool: .bool
      case .int: .integer
      case .uint64: .unsigned
      case .double: .number
      case .decimal: .decimal
      case .date: .date
      case .uuid: .uuid
      case .data: .data
      case .text: .text
      case .json: .json
      }
  }
}
