import Foundation
import RoostModel

/// A node of Foundation's predicate tree that stores have a form for.
protocol LowerableExpression {
  func lowered(in context: LoweringContext) throws(SwiftDataError) -> Lowered
}

/// Walks one predicate and gives the expression a store understands.
///
/// Foundation's own `evaluate`, which can trap, is never called: what is constant is folded here,
/// what is not becomes an expression.
final class LoweringContext {
  let binding: SchemaBinding
  /// Turns a temporary row into what it has become.
  let resolve: (Int64) -> Int64
  var variables: [PredicateExpressions.VariableID: Lowered] = [:]
  /// How many tests of related rows enclose the current node.
  private(set) var depth = 0

  init(binding: SchemaBinding, resolve: @escaping (Int64) -> Int64 = { $0 }) {
    self.binding = binding
    self.resolve = resolve
  }

  static func unsupported(_ what: String) -> SwiftDataError {
    SwiftDataError.unsupportedPredicate.because("the store has no form for \(what)")
  }

  func lower(_ node: any PredicateExpression) throws(SwiftDataError) -> Lowered {
    guard let lowerable = node as? any LowerableExpression else {
      throw LoweringContext.unsupported(LoweringContext.name(of: node))
    }
    return try lowerable.lowered(in: self)
  }

  /// The node's kind, without its generic arguments and without values.
  static func name(of node: any PredicateExpression) -> String {
    let full = String(describing: type(of: node))
    return String(full.prefix { $0 != "<" })
  }

  // MARK: Expressions

  func expression(
    _ node: any PredicateExpression, near other: Lowered? = nil
  ) throws(SwiftDataError) -> QueryExpression {
    try expression(try lower(node), near: other)
  }

  /// Puts a part into an expression; a constant takes its form from what it stands beside.
  func expression(
    _ part: Lowered, near other: Lowered? = nil
  ) throws(SwiftDataError) -> QueryExpression {
    switch part {
    case .constant(let value): return .literal(try literal(value, near: other))
    case .row(let way, _), .attribute(let way, _): return .path(path(way))
    case .expression(let expression): return expression
    case .guarded(let tests, let value):
      return .conditional(LoweringContext.any(tests), then: .literal(.null), else: value)
    case .toMany: throw LoweringContext.unsupported("a to-many relationship as a value")
    case .textComparison: throw LoweringContext.unsupported("a text comparison as a value")
    case .range: throw LoweringContext.unsupported("a range as a value")
    }
  }

  func path(_ way: Lowered.Way) -> PropertyPath {
    PropertyPath(scope: UInt8(clamping: depth - way.depth), way.properties)
  }

  /// Whether a part is nil, as an expression; nil when it never is.
  func nilTests(_ part: Lowered) -> [QueryExpression]? {
    switch part {
    case .row(let way, _): way.properties.isEmpty ? nil : [.isNil(.path(path(way)))]
    case .attribute(let way, _): [.isNil(.path(path(way)))]
    case .guarded(let tests, _): tests
    case .expression(let expression): [.isNil(expression)]
    case .constant, .toMany, .textComparison, .range: nil
    }
  }

  static func any(_ tests: [QueryExpression]) -> QueryExpression {
    tests.count == 1 ? tests[0] : .or(tests)
  }

  // MARK: Related rows

  /// Lowers a test in which the variable is a row related over a to-many.
  func nested<Result>(
    _ variable: PredicateExpressions.VariableID, _ model: ModelDescription,
    _ body: () throws(SwiftDataError) -> Result
  ) throws(SwiftDataError) -> Result {
    depth += 1
    defer { depth -= 1 }
    variables[variable] = .row(Lowered.Way(depth: depth, properties: []), model)
    return try body()
  }

  // MARK: Literals

  func literal(_ value: Any?, near other: Lowered?) throws(SwiftDataError) -> Value {
    guard let value = Lowered.unwrapped(value) else { return .null }
    if case .attribute(_, let property)? = other, case .attribute(.json) = property.kind,
      let encodable = value as? any Encodable
    {
      return JSONValue.text(encodable).map { .text($0) } ?? .null
    }
    if let identifier = value as? PersistentIdentifier { return try reference(identifier) }
    if let storable = value as? any StorableValue { return storable.storedValue }
    if let character = value as? Character { return .text(String(character)) }
    if let raw = value as? any RawRepresentable, let stored = raw.rawValue as? any StorableValue {
      return stored.storedValue
    }
    if let text = value as? Substring { return .text(String(text)) }
    throw LoweringContext.unsupported("a captured \(type(of: value))")
  }

  private func reference(_ identifier: PersistentIdentifier) throws(SwiftDataError) -> Value {
    guard let entity = binding.binding(named: identifier.entityName) else {
      throw SwiftDataError.unknownSchema.because(
        "the captured identifier's entity '\(identifier.entityName)' is not in the schema")
    }
    let isForeign = identifier.row > 0 && identifier.storeIdentifier != binding.storeIdentifier
    // No row has the number 0, so an identifier of another store matches nothing.
    let row = isForeign ? 0 : resolve(identifier.row)
    return .reference(RowReference(entity: entity.entity, row: row))
  }
}
