public import FoundationEssentials

/// Names an entity within one store; given when the entity is registered, never reused.
public typealias EntityID = UInt32

/// Names a property within one entity; given when the property is registered, never reused.
///
/// 0 is the row's identifier itself, which stands first in every row.
public typealias PropertyID = UInt32

/// A row of the store: what a to-one relationship points to.
public struct RowReference: Hashable, Sendable {
  /// The entity of the row.
  public var entity: EntityID
  /// The row's identifier.
  public var row: Int64

  /// Makes one from its parts.
  public init(entity: EntityID, row: Int64) {
    self.entity = entity
    self.row = row
  }
}

/// Points to a row by a unique constraint instead of by its identifier.
///
/// Only writes and imports resolve it, where a to-one is expected.
public struct KeyReference: Hashable, Sendable {
  /// The entity of the row.
  public var entity: EntityID
  /// The properties of the unique constraint, in its order.
  public var constraint: [PropertyID]
  /// One value for each property of the constraint.
  public var values: [Value]
  /// Whether a row that is missing is made, with nothing but its key.
  public var createsMissing: Bool

  /// Makes one from its parts.
  public init(
    entity: EntityID, constraint: [PropertyID], values: [Value], createsMissing: Bool
  ) {
    self.entity = entity
    self.constraint = constraint
    self.values = values
    self.createsMissing = createsMissing
  }
}

/// One value of a row, a literal of a query, or a part of a message.
///
/// Equality is that of the encoding: text by its bytes, NaN equals NaN, -0 differs from 0. How
/// queries compare is written at ``QueryExpression``.
public enum Value: Hashable, Sendable {
  case null
  case bool(Bool)
  case int(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])
  /// Seconds since 2001-01-01T00:00:00Z, which is how Foundation's `Date` counts.
  case date(Double)
  case uuid(UUID)
  /// A decimal number in canonical text form.
  case decimal(String)
  case list([Value])
  /// Keys ascend bytewise and are unique.
  case map([MapEntry])
  case reference(RowReference)
  /// The row that an earlier operation of the same write made; counted from 0.
  case result(operation: UInt32)
  indirect case key(KeyReference)

  /// Whether it is null.
  public var isNull: Bool { if case .null = self { true } else { false } }
}

/// One key and its value in a ``Value/map(_:)``.
public struct MapEntry: Hashable, Sendable {
  /// What names the value within the map.
  public var key: String
  /// The value.
  public var value: Value

  /// Makes one from its parts.
  public init(_ key: String, _ value: Value) {
    self.key = key
    self.value = value
  }
}
