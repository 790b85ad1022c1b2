/// Values that stand in where the store has none that the type accepts.
enum StandIn {
  /// The first case, or the one whose raw value is zero or empty.
  static func enumeration<V: RawRepresentable & Codable>(
    _ type: V.Type, for model: ModelDescription, _ slot: Int
  ) -> V where V.RawValue: StorableValue {
    if let cases = type as? any CaseIterable.Type, let first = firstCase(of: cases) as? V {
      return first
    }
    if let value = V(rawValue: V.RawValue.placeholder) { return value }
    return codable(type, for: model, slot)
  }

  private static func firstCase<Cases: CaseIterable>(of type: Cases.Type) -> Any? {
    type.allCases.first
  }

  static func codable<V: Codable>(_ type: V.Type, for model: ModelDescription, _ slot: Int) -> V {
    if let value = JSONValue.placeholder(type) { return value }
    // A getter must give a value and the type offers none: the stored text is not of this type.
    fatalError(
      "\(model.name).\(model.properties[slot].name): the stored value is no \(type), and the type "
        + "has no empty value to stand in; make the property optional")
  }
}
