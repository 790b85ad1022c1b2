public import Foundation
public import RoostModel

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Date: StorableValue {
  public static var attributeType: AttributeType { .date }
  public static var placeholder: Date { Date(timeIntervalSinceReferenceDate: 0) }
  @inlinable public var storedValue: Value { .date(timeIntervalSinceReferenceDate) }

  public init?(storedValue: Value) {
    guard let seconds = Double(storedValue: storedValue) else { return nil }
    self.init(timeIntervalSinceReferenceDate: seconds)
  }

  @inlinable
  public static func _$stored(in record: ModelRecord, _ slot: Int) -> Date? {
    record.storedReal(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension UUID: StorableValue {
  public static var attributeType: AttributeType { .uuid }
  public static var placeholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
  public var storedValue: Value { .uuid(self) }

  public init?(storedValue: Value) {
    guard case .uuid(let value) = storedValue else { return nil }
    self = value
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Data: StorableValue {
  public static var attributeType: AttributeType { .data }
  public static var placeholder: Data { Data() }
  public var storedValue: Value { .blob([UInt8](self)) }

  public init?(storedValue: Value) {
    guard case .blob(let bytes) = storedValue else { return nil }
    self.init(bytes)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension URL: StorableValue {
  public static var attributeType: AttributeType { .text }
  public static var placeholder: URL { URL(fileURLWithPath: "/") }
  public var storedValue: Value { .text(absoluteString) }

  public init?(storedValue: Value) {
    guard case .text(let text) = storedValue, let url = URL(string: text) else { return nil }
    self = url
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Decimal: StorableValue {
  public static var attributeType: AttributeType { .decimal }
  public static var placeholder: Decimal { 0 }
  /// NaN has no text and is stored as nil.
  public var storedValue: Value { DecimalText.canonical(self).map { .decimal($0) } ?? .null }

  public init?(storedValue: Value) {
    switch storedValue {
    case .decimal(let text), .text(let text):
      guard let number = DecimalText.number(text) else { return nil }
      self = number
    case .int(let number): self.init(number)
    default: return nil
    }
  }
}
