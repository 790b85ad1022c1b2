import Foundation
import RoostModel

/// Codable values as canonical JSON text: sorted keys, sets in the order of their elements' text.
enum JSONValue {
  private static func makeEncoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return encoder
  }

  private static func makeDecoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return decoder
  }

  /// nil if the value refuses to be encoded.
  static func text(_ value: some Encodable) -> String? {
    if let set = value as? any UnorderedElements { return set.sortedText }
    guard let data = try? makeEncoder().encode(value) else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  static func stored<Wrapped: Encodable>(_ value: Wrapped) -> Value {
    if let optional = value as? any OptionalValue, optional.isNone { return .null }
    return text(value).map { .text($0) } ?? .null
  }

  static func value<Result: Decodable>(_ type: Result.Type, from stored: Value) -> Result? {
    if stored.isNull, let optional = type as? any OptionalValue.Type {
      return optional.none as? Result
    }
    guard case .text(let text) = stored else { return nil }
    return try? makeDecoder().decode(type, from: Data(text.utf8))
  }

  /// Something of the type where the store has nothing: nil, empty, or what empty JSON gives.
  static func placeholder<Result: Decodable>(_ type: Result.Type) -> Result? {
    if let optional = type as? any OptionalValue.Type { return optional.none as? Result }
    for text in ["{}", "[]", "\"\"", "0", "false"] {
      if let value = try? makeDecoder().decode(type, from: Data(text.utf8)) { return value }
    }
    return nil
  }
}

/// Tells nil from a value without knowing the wrapped type.
protocol OptionalValue {
  static var none: Self { get }
  var isNone: Bool { get }
}

extension Optional: OptionalValue {
  var isNone: Bool { self == nil }
}

/// A collection whose own order means nothing.
private protocol UnorderedElements {
  var sortedText: String? { get }
}

extension Set: UnorderedElements where Element: Encodable {
  fileprivate var sortedText: String? {
    var texts: [String] = []
    for element in self {
      guard let text = JSONValue.text(element) else { return nil }
      texts.append(text)
    }
    return "[" + texts.sorted().joined(separator: ",") + "]"
  }
}
