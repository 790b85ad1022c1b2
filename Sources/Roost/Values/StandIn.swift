/// Values that stand in where the store has none that the type accepts, and in empty instances:
/// the property's default, else nil, zero, empty, the first case, or a value made of such parts.
///
/// Reading a property cannot throw, so there must be one: a container refuses a class with a
/// property whose type offers none, see ``SchemaProblems``.
enum StandIn {
  /// nil when the type takes nothing that can be made up.
  static func value<V: Codable>(_ type: V.Type) -> V? {
    if let type = type as? any StorableValue.Type, let value = type.placeholder as? V {
      return value
    }
    if let cases = type as? any CaseIterable.Type, let first = firstCase(of: cases) as? V {
      return first
    }
    if let value = JSONValue.placeholder(type) { return value }
    if let value = try? type.init(from: MadeUpDecoder()) { return value }
    return FirstCase.of(type)
  }

  /// The same for an enum that is stored as its raw value.
  static func enumeration<V: RawRepresentable & Codable>(_ type: V.Type) -> V?
  where V.RawValue: StorableValue {
    if let cases = type as? any CaseIterable.Type, let first = firstCase(of: cases) as? V {
      return first
    }
    return V(rawValue: V.RawValue.placeholder) ?? value(type)
  }

  private static func firstCase<Cases: CaseIterable>(of type: Cases.Type) -> Any? {
    type.allCases.first
  }
}

/// The first case of an enum that does not list its cases.
enum FirstCase {
  /// nil unless all the type's values are plain bits and it is an enum.
  ///
  /// Swift numbers cases without a payload from 0 in the order of their declaration, and a plain
  /// payload of zeros is a value of its type, so that zeros are a value of every such enum.
  static func of<V>(_ type: V.Type) -> V? {
    guard _isPOD(type) else { return nil }
    let value = withUnsafeTemporaryAllocation(
      byteCount: max(1, MemoryLayout<V>.size), alignment: MemoryLayout<V>.alignment
    ) { buffer in
      buffer.initializeMemory(as: UInt8.self, repeating: 0)
      return buffer.load(as: V.self)
    }
    return Mirror(reflecting: value).displayStyle == .enum ? value : nil
  }
}
