/// Decodes nothing into a value: every number is zero, every text empty, every optional nil, every
/// collection empty, and an enum with payloads its first case.
struct MadeUpDecoder: Decoder {
  /// Types may hold themselves; there is nothing to find below this.
  private static let depthMax = 32

  struct NothingFits: Error {}

  var codingPath: [any CodingKey] = []
  let userInfo: [CodingUserInfoKey: Any] = [:]

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(MadeUpMembers<Key>(decoder: self))
  }

  func unkeyedContainer() -> any UnkeyedDecodingContainer { MadeUpElements(decoder: self) }

  func singleValueContainer() -> any SingleValueDecodingContainer { MadeUpValue(decoder: self) }

  func inside(_ key: any CodingKey) -> MadeUpDecoder {
    MadeUpDecoder(codingPath: codingPath + [key])
  }

  /// A value of a part's type.
  func make<T: Decodable>(_ type: T.Type) throws -> T {
    guard codingPath.count < Self.depthMax else { throw NothingFits() }
    if let type = type as? any StorableValue.Type, let value = type.placeholder as? T {
      return value
    }
    if let cases = type as? any CaseIterable.Type, let first = first(of: cases) as? T {
      return first
    }
    do {
      return try T(from: self)
    } catch {
      // A raw value that is zero or empty is that of no case.
      guard let first = FirstCase.of(type) else { throw error }
      return first
    }
  }

  private func first<Cases: CaseIterable>(of type: Cases.Type) -> Any? { type.allCases.first }
}

private struct MadeUpKey: CodingKey {
  var stringValue: String { "" }
  var intValue: Int? { nil }
  init() {}
  init?(stringValue: String) {}
  init?(intValue: Int) { return nil }
}

private struct MadeUpValue: SingleValueDecodingContainer {
  let decoder: MadeUpDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  func decodeNil() -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.inside(MadeUpKey()).make(type)
  }
}

/// No elements for who asks how many there are, and as many as are wanted for who does not.
private struct MadeUpElements: UnkeyedDecodingContainer {
  let decoder: MadeUpDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }
  let count: Int? = 0
  let isAtEnd = true
  let currentIndex = 0

  func decodeNil() -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try decoder.inside(MadeUpKey()).make(type)
  }

  func nestedContainer<Key: CodingKey>(
    keyedBy type: Key.Type
  ) -> KeyedDecodingContainer<Key> { decoder.container(keyedBy: type) }

  func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }

  func superDecoder() -> any Decoder { decoder }
}

private struct MadeUpMembers<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let decoder: MadeUpDecoder
  var codingPath: [any CodingKey] { decoder.codingPath }

  /// One, where the keys are an enum: those of an enum with payloads are the names of its cases.
  var allKeys: [Key] { FirstCase.of(Key.self).map { [$0] } ?? [] }

  func contains(_ key: Key) -> Bool { false }
  func decodeNil(forKey key: Key) -> Bool { true }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try decoder.inside(key).make(type)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedDecodingContainer<Nested> { decoder.inside(key).container(keyedBy: type) }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
    decoder.inside(key).unkeyedContainer()
  }

  func superDecoder() -> any Decoder { decoder }
  func superDecoder(forKey key: Key) -> any Decoder { decoder.inside(key) }
}
