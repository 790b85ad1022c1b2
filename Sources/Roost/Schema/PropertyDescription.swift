import Observation
package import RoostModel

/// One persisted property of a class: its slot, its column, its key path.
package final class PropertyDescription: @unchecked Sendable {
  // Key paths are immutable, the closures capture nothing else, and the three positions are set
  // once, before the description of the class is handed out.
  package enum Kind {
    case attribute(AttributeType)
    case toOne(any PersistentModel.Type)
    case toMany(any PersistentModel.Type)
  }

  package internal(set) var slot = 0
  /// Position among the properties that a row holds.
  package internal(set) var columnIndex = 0
  /// Position among the to-many properties.
  package internal(set) var toManyIndex = 0
  package let name: String
  package let keyPath: AnyKeyPath
  package let kind: Kind
  package let isOptional: Bool
  /// `let`: read when the instance is inserted, set when it is fetched.
  package let isConstant: Bool
  package let defaultValue: Value?
  package let attribute: Schema.Attribute?
  package let relationship: Schema.Relationship?
  /// What is wrong with the property's type, if anything.
  let problem: String?
  /// Why a type whose values cannot be made up needs more than a type.
  static let unfit =
    "a stored value may be none of its type, and the type has no zero, empty or first value to "
    + "stand in; give the property a literal or a static member as its default, or make it optional"
  /// Tells the observers of an instance around a change of this property.
  let willChange: (ObservationRegistrar, any PersistentModel) -> Void
  let didChange: (ObservationRegistrar, any PersistentModel) -> Void

  init<Model: PersistentModel, Value>(
    _ name: String, _ keyPath: KeyPath<Model, Value>, kind: Kind, isOptional: Bool,
    isConstant: Bool, defaultValue: RoostModel.Value? = nil, attribute: Schema.Attribute? = nil,
    relationship: Schema.Relationship? = nil, problem: String? = nil
  ) {
    self.name = name
    self.keyPath = keyPath
    self.kind = kind
    self.isOptional = isOptional
    self.isConstant = isConstant
    self.defaultValue = defaultValue
    self.attribute = attribute
    self.relationship = relationship
    self.problem = problem
    willChange = { registrar, model in
      if let model = model as? Model { registrar.willSet(model, keyPath: keyPath) }
    }
    didChange = { registrar, model in
      if let model = model as? Model { registrar.didSet(model, keyPath: keyPath) }
    }
  }

  package var destination: ModelDescription? {
    switch kind {
    case .attribute: nil
    case .toOne(let type), .toMany(let type): type._$description
    }
  }

  package var isToMany: Bool {
    if case .toMany = kind { true } else { false }
  }

  package var isRelationship: Bool {
    if case .attribute = kind { false } else { true }
  }

  package var originalName: String? { attribute?.formerName ?? relationship?.formerName }
}
