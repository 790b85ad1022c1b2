import Foundation
import RoostModel

extension PredicateExpressions.Value: LowerableExpression {
  func lowered(in context: LoweringContext) -> Lowered { .constant(value) }
}

extension PredicateExpressions.NilLiteral: LowerableExpression {
  func lowered(in context: LoweringContext) -> Lowered { .constant(nil) }
}

extension PredicateExpressions.Variable: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    guard let known = context.variables[key] else {
      throw LoweringContext.unsupported("a variable of another predicate")
    }
    return known
  }
}

extension PredicateExpressions.KeyPath: LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered {
    let base = try context.lower(root)
    switch base {
    case .constant(let value): return try folded(value)
    case .row(let way, let model): return try context.property(keyPath, of: model, at: way)
    case .toMany(let way, _, let filter):
      let count = QueryExpression.count(context.path(way), filter)
      switch kind {
      case .collectionCount: return .expression(count)
      case .collectionIsEmpty:
        return .expression(.compare(.equal, count, .literal(.int(0))))
      default: throw LoweringContext.unsupported("this key path of a to-many relationship")
      }
    case .attribute(_, let property): return try inside(base, property, context)
    case .expression(let text): return try ofText(text)
    default: throw LoweringContext.unsupported("a key path of a computed value")
    }
  }

  private func folded(_ value: Any?) throws(SwiftDataError) -> Lowered {
    guard let typed = value as? Root.Output else { return .constant(nil) }
    return .constant(typed[keyPath: keyPath])
  }

  private func inside(
    _ base: Lowered, _ property: PropertyDescription, _ context: LoweringContext
  ) throws(SwiftDataError) -> Lowered {
    if let raw = Root.Output.self as? any RawRepresentable.Type,
      LoweringContext.isRawValue(keyPath, of: raw)
    {
      return base
    }
    guard case .attribute(.text) = property.kind else {
      throw LoweringContext.unsupported("a key path inside '\(property.name)'")
    }
    return try ofText(try context.expression(base))
  }

  private func ofText(_ text: QueryExpression) throws(SwiftDataError) -> Lowered {
    switch kind {
    case .collectionCount: return .expression(.function(.length, [text]))
    case .collectionIsEmpty:
      return .expression(.compare(.equal, text, .literal(.text(""))))
    default: throw LoweringContext.unsupported("this key path of a text")
    }
  }
}

extension LoweringContext {
  /// Whether a key path of an enum is its raw value; tried on every case, since the key path of
  /// the concrete type and that of the protocol are not equal.
  static func isRawValue<Raw: RawRepresentable>(
    _ keyPath: AnyKeyPath, of type: Raw.Type
  ) -> Bool {
    guard let keyPath = keyPath as? KeyPath<Raw, Raw.RawValue>,
      let cases = type as? any CaseIterable.Type
    else { return false }
    func values<Cases: CaseIterable>(_ type: Cases.Type) -> [Any] { Array(type.allCases) }
    return values(cases).allSatisfy { value in
      guard let value = value as? Raw else { return false }
      return (value[keyPath: keyPath] as? any StorableValue)?.storedValue
        == (value.rawValue as? any StorableValue)?.storedValue
    }
  }

  /// A property of a row, by a key path that may go over several to-ones.
  func property(
    _ keyPath: AnyKeyPath, of model: ModelDescription, at way: Lowered.Way
  ) throws(SwiftDataError) -> Lowered {
    if model.isIdentifier(keyPath) { return .row(way, model) }
    guard let slots = KeyPathResolver.slots(keyPath, of: model) else {
      throw SwiftDataError.unsupportedPredicate.because(
        "a key path of '\(model.name)' does not lead to a stored property; computed ones have no "
          + "column")
    }
    var way = way
    var model = model
    for (position, slot) in slots.enumerated() {
      let property = model.properties[slot]
      guard let binding = binding.binding(of: model) else {
        throw SwiftDataError.unknownSchema.because("'\(model.name)' is not in the schema")
      }
      way = way.appending(binding.properties[slot])
      if position == slots.count - 1 { return lowered(property, at: way) }
      guard let next = property.destination else { break }
      model = next
    }
    throw LoweringContext.unsupported("a key path through an attribute")
  }

  private func lowered(_ property: PropertyDescription, at way: Lowered.Way) -> Lowered {
    guard let destination = property.destination else { return .attribute(way, property) }
    return property.isToMany
      ? .toMany(way, destination, filter: nil) : .row(way, destination)
  }
}

extension ModelDescription {
  /// Whether a key path is `persistentModelID`, or `id` where the class has none of its own.
  func isIdentifier(_ keyPath: AnyKeyPath) -> Bool {
    if slot(of: keyPath) != nil { return false }
    return identifierPaths(of: self.type).contains(keyPath)
  }

  private func identifierPaths<Model: PersistentModel>(
    of model: Model.Type
  ) -> [AnyKeyPath] {
    let identity: KeyPath<Model, PersistentIdentifier> = \Model.persistentModelID
    let inherited: KeyPath<Model, PersistentIdentifier> = \Model.id
    return [identity, inherited]
  }
}
