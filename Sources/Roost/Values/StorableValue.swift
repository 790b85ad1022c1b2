public import RoostModel

/// A type with a column form of its own: numbers, text, dates, data and their optionals.
///
/// Every other Codable type is stored as JSON text.
public protocol StorableValue: Codable {
  /// The column's type.
  static var attributeType: AttributeType { get }
  /// What stands in for a value that is not there: zero, empty, nil.
  static var placeholder: Self { get }
  /// The value as it is stored.
  var storedValue: Value { get }
  /// nil if the stored value is of another kind or does not fit.
  init?(storedValue: Value)
  /// A record's value, read straight from the row where the type can; called by generated code.
  static func _$stored(in record: ModelRecord, _ slot: Int) -> Self?
}

extension StorableValue {
  /// A record's value, by way of ``init(storedValue:)``.
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> Self? {
    Self(storedValue: record.value(slot))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: StorableValue where Wrapped: StorableValue {
  public static var attributeType: AttributeType { Wrapped.attributeType }
  @inlinable public static var placeholder: Wrapped? { nil }
  @inlinable public var storedValue: Value { self?.storedValue ?? .null }

  public init?(storedValue: Value) {
    if storedValue.isNull {
      self = .none
    } else {
      guard let wrapped = Wrapped(storedValue: storedValue) else { return nil }
      self = .some(wrapped)
    }
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> Wrapped?? {
    if record.storesNull(slot) { return .some(nil) }
    guard let wrapped = Wrapped._$stored(in: record, slot) else { return nil }
    return .some(wrapped)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Bool: StorableValue {
  public static var attributeType: AttributeType { .bool }
  @inlinable public static var placeholder: Bool { false }
  @inlinable public var storedValue: Value { .bool(self) }

  public init?(storedValue: Value) {
    switch storedValue {
    case .bool(let value): self = value
    case .int(let value): self = value != 0
    default: return nil
    }
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> Bool? {
    record.storedFlag(slot)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StorableValue where Self: FixedWidthInteger {
  public static var attributeType: AttributeType { .int }
  @inlinable public static var placeholder: Self { 0 }
  @inlinable public var storedValue: Value { .int(Int64(truncatingIfNeeded: self)) }

  public init?(storedValue: Value) {
    guard case .int(let value) = storedValue, let exact = Self(exactly: value) else { return nil }
    self = exact
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> Self? {
    record.storedInteger(slot).flatMap { Self(exactly: $0) }
  }
}

extension Int: StorableValue {}
extension Int8: StorableValue {}
extension Int16: StorableValue {}
extension Int32: StorableValue {}
extension Int64: StorableValue {}
extension UInt8: StorableValue {}
extension UInt16: StorableValue {}
extension UInt32: StorableValue {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt64: StorableValue {
  public static var attributeType: AttributeType { .uint64 }

  public init?(storedValue: Value) {
    guard case .int(let value) = storedValue else { return nil }
    self = UInt64(bitPattern: value)
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> UInt64? {
    record.storedInteger(slot).map { UInt64(bitPattern: $0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt: StorableValue {
  public static var attributeType: AttributeType { .uint64 }

  public init?(storedValue: Value) {
    guard case .int(let value) = storedValue else { return nil }
    self = UInt(truncatingIfNeeded: value)
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> UInt? {
    record.storedInteger(slot).map { UInt(truncatingIfNeeded: $0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: StorableValue {
  public static var attributeType: AttributeType { .double }
  @inlinable public static var placeholder: Double { 0 }
  @inlinable public var storedValue: Value { .double(self) }

  public init?(storedValue: Value) {
    switch storedValue {
    case .double(let value), .date(let value): self = value
    case .int(let value): self = Double(value)
    default: return nil
    }
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> Double? {
    record.storedReal(slot)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Float: StorableValue {
  public static var attributeType: AttributeType { .double }
  public static var placeholder: Float { 0 }
  public var storedValue: Value { .double(Double(self)) }

  public init?(storedValue: Value) {
    guard let value = Double(storedValue: storedValue) else { return nil }
    self = Float(value)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension String: StorableValue {
  public static var attributeType: AttributeType { .text }
  @inlinable public static var placeholder: String { "" }
  @inlinable public var storedValue: Value { .text(self) }

  public init?(storedValue: Value) {
    guard case .text(let value) = storedValue else { return nil }
    self = value
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> String? {
    record.storedText(slot)
  }
}
