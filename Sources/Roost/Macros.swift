@_exported public import Foundation
@_exported public import Observation

/// Makes a class a stored model: every stored property becomes a column or a relationship.
///
/// The class needs an initializer. Properties marked ``Transient()`` stay outside the store.
///
/// A stored value that is none of the property's type, as others may write it, and every property
/// of an empty instance read as the property's default, else as nil, zero, empty or the first
/// case; a value type reads as one made of such parts. A container refuses a class with a property
/// for which there is no such value.
@attached(
  member, conformances: PersistentModel, Observable,
  names: named(_$storage), named(_$description), named(schemaMetadata), named(init(_$record:)),
  named(_$storeConstants))
@attached(memberAttribute)
@attached(extension, conformances: PersistentModel, Observable, Sendable)
public macro Model() = #externalMacro(module: "RoostMacros", type: "ModelMacro")

/// Reads and writes a property through its model's record; attached by ``Model()``.
@attached(accessor, names: named(init), named(get), named(set))
@attached(peer, names: prefixed(_))
public macro _PersistedProperty(_ slot: Int) =
  #externalMacro(module: "RoostMacros", type: "PersistedPropertyMacro")

/// Says how an attribute is stored: unique, under an older name, in a file of its own.
@attached(peer)
public macro Attribute(
  _ options: Schema.Attribute.Option..., originalName: String? = nil, hashModifier: String? = nil
) = #externalMacro(module: "RoostMacros", type: "AttributeMacro")

/// Says what a relationship's other side is and what happens to it when its owner is deleted.
///
/// Give `inverse` on one side only. Without it, two properties are paired when each class has
/// exactly one that leads to the other.
@attached(peer)
public macro Relationship(
  _ options: Schema.Relationship.Option..., deleteRule: Schema.Relationship.DeleteRule = .nullify,
  minimumModelCount: Int? = 0, maximumModelCount: Int? = 0, originalName: String? = nil,
  inverse: AnyKeyPath? = nil, hashModifier: String? = nil
) = #externalMacro(module: "RoostMacros", type: "RelationshipMacro")

/// Keeps a property out of the store: it starts with its default in every fetched object.
@attached(peer)
public macro Transient() = #externalMacro(module: "RoostMacros", type: "TransientMacro")

/// Unique constraints of a model, each a list of key paths.
@freestanding(declaration)
public macro Unique<T: PersistentModel>(_ constraints: [PartialKeyPath<T>]...) =
  #externalMacro(module: "RoostMacros", type: "UniqueMacro")

/// Indexes of a model, each a list of key paths.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: [PartialKeyPath<T>]...) =
  #externalMacro(module: "RoostMacros", type: "IndexMacro")

/// Indexes of a model, each with its kind; every kind is kept as a binary index.
@freestanding(declaration)
public macro Index<T: PersistentModel>(_ indices: Schema.Index<T>.Types<T>...) =
  #externalMacro(module: "RoostMacros", type: "IndexMacro")

/// Gives an actor a context of its own and a queue of its own to work on it.
@attached(member, names: named(modelExecutor), named(modelContainer), named(init))
@attached(extension, conformances: ModelActor)
public macro ModelActor() = #externalMacro(module: "RoostMacros", type: "ModelActorMacro")

/// A predicate over models: Foundation's grammar, and `other.evaluate(model)`.
@freestanding(expression)
public macro Predicate<T: PersistentModel>(_ body: (T) -> Bool) -> Foundation.Predicate<T> =
  #externalMacro(module: "RoostMacros", type: "PredicateMacro")
