import Foundation
import RoostModel

/// What a part of a predicate means for a store, before it is put into an expression.
///
/// Ways are kept by the depth of their variable, since the same way has another scope inside a
/// nested test.
enum Lowered {
  /// A captured value or a literal; `nil` as `Optional.none` of anything.
  case constant(Any?)
  /// A row: the variable itself or what a chain of to-ones leads to.
  case row(Way, ModelDescription)
  case attribute(Way, PropertyDescription)
  /// Related rows, those that pass the filter.
  case toMany(Way, ModelDescription, filter: QueryExpression?)
  case expression(QueryExpression)
  /// nil where one of the tests holds, else the value.
  case guarded([QueryExpression], QueryExpression)
  /// The result of comparing two texts, to be compared with a constant.
  case textComparison(QueryExpression, QueryExpression)
  case range(lower: QueryExpression, upper: QueryExpression, isClosed: Bool)

  /// A chain of properties from a variable.
  struct Way {
    var depth: Int
    var properties: [PropertyID]

    func appending(_ property: PropertyID) -> Way {
      Way(depth: depth, properties: properties + [property])
    }
  }

  var constant: Any?? {
    if case .constant(let value) = self { value } else { nil }
  }

  var isNilConstant: Bool {
    if case .constant(let value) = self { Lowered.unwrapped(value) == nil } else { false }
  }

  /// A constant without layers of optionals.
  static func unwrapped(_ value: Any?) -> Any? {
    guard let value else { return nil }
    if let optional = value as? any OptionalValue {
      return optional.isNone ? nil : optional.payload
    }
    return value
  }
}

extension OptionalValue {
  /// The value inside all layers of optionals.
  var payload: Any? {
    guard let child = Mirror(reflecting: self).children.first else { return nil }
    return Lowered.unwrapped(child.value)
  }
}
