import RoostModel

/// Which attribute writes may change, and what plausible value it gets.
enum Variation {
  /// Attributes that writes may change, the best first.
  ///
  /// Never a relationship, never part of a unique constraint or index, nothing large or structured.
  static func candidates(of entity: EntitySchema) -> [PropertySchema] {
    let kept = Set((entity.uniqueConstraints + entity.indexes).flatMap { $0 })
    let usable = entity.properties.filter { !kept.contains($0.name) && rank($0) != nil }
    return usable.sorted { (rank($0) ?? 0, $0.id) < (rank($1) ?? 0, $1.id) }
  }

  private static func rank(_ property: PropertySchema) -> Int? {
    switch property.attributeType {
    case .int: 0
    case .double: 1
    case .date: 2
    case .bool: 3
    case .decimal, .uint64: 4
    case .text: 5
    case .uuid, .data, .json, nil: nil
    }
  }

  /// For each value another one of the same attribute, so that whatever is written is a value some
  /// row had: a constraint we cannot see (an enum's cases, a range) holds for it as well.
  ///
  /// nil when all values are the same and nothing can be derived from them.
  static func alternates(for values: [Value]) -> [Value]? {
    var distinct: [Value] = []
    var places: [Value: Int] = [:]
    for value in values where places[value] == nil && distinct.count < distinctMax {
      if case .text(let text) = value, text.utf8.count > textBytesMax { continue }
      places[value] = distinct.count
      distinct.append(value)
    }
    if distinct.count > 1 {
      return values.enumerated().map { index, value in
        let place = places[value] ?? index
        return distinct[(place + 1) % distinct.count]
      }
    }
    guard let only = distinct.first, let other = neighbour(of: only) else { return nil }
    return values.map { $0 == only ? other : only }
  }

  /// A value next to this one; nil for types where that would not be plausible.
  static func neighbour(of value: Value) -> Value? {
    switch value {
    case .int(let number): .int(number == .max ? number - 1 : number + 1)
    case .double(let number) where number.isFinite && number + 1 != number: .double(number + 1)
    case .bool(let flag): .bool(!flag)
    case .date(let seconds) where seconds.isFinite && seconds + 1 != seconds: .date(seconds + 1)
    default: nil
    }
  }

  private static let distinctMax = 1_000
  private static let textBytesMax = 256
}
