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
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Optional: StorableValue where Wrapped: StorableValue {
  public static var attributeType: AttributeType { Wrapped.attributeType }
  public static var placeholder: Wrapped? { nil }
  public var storedValue: Value { self?.storedValue ?? .null }

  public init?(storedValue: Value) {
    if storedValue.isNull {
      self = .none
    } else {
      guard let wrapped = Wrapped(storedValue: storedValue) else { return nil }
      self = .some(wrapped)
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Bool: StorableValue {
  public static var attributeType: AttributeType { .bool }
  public static var placeholder: Bool { false }
  public var storedValue: Value { .bool(self) }

  public init?(storedValue: Value) {
    switch storedValue {
    case .bool(let value): self = value
    case .int(let value): self = value != 0
    default: return nil
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StorableValue where Self: FixedWidthInteger {
  public static var attributeType: AttributeType { .int }
  public static var placeholder: Self { 0 }
  public var storedValue: Value { .int(Int64(truncatingIfNeeded: self)) }

  public init?(storedValue: Value) {
    guard case .int(let value) = storedValue, let exact = Self(exactly: value) else { return nil }
    self = exact
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
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UInt: StorableValue {
  public static var attributeType: AttributeType { .uint64 }

  public init?(storedValue: Value) {
    guard case .int(let value) = storedValue else { return nil }
    self = UInt(truncatingIfNeeded: value)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Double: StorableValue {
  public static var attributeType: AttributeType { .double }
  public static var placeholder: Double { 0 }
  public var storedValue: Value { .double(self) }

  public init?(storedValue: Value) {
    switch storedValue {
    case .double(let value), .date(let value): self = value
    case .int(let value): self = Double(value)
    default: return nil
    }
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
  public static var placeholder: String { "" }
  public var storedValue: Value { .text(self) }

  public init?(storedValue: Value) {
    guard case .text(let value) = storedValue else { return nil }
    self = value
  }
}
