import Synchronization
package import RoostModel

/// A model class as an entity: its slots in source order, worked out once.
public final class ModelDescription: Sendable {
  package let type: any PersistentModel.Type
  package let name: String
  /// Names the class within the process.
  package let index: UInt32
  package let properties: [PropertyDescription]
  package let toManySlots: [Int]
  let toOneSlots: [Int]
  /// What stands in the class's rows, in source order.
  let columns: [ModelColumn]
  let uniqueKeyPaths: [[Int]]
  let indexKeyPaths: [[Int]]
  let hasConstants: Bool
  /// Written once below; key paths are immutable.
  private nonisolated(unsafe) let slotsByKeyPath: [AnyKeyPath: Int]
  private let inverses = Mutex<[Int?]?>(nil)

  private static let counter = Atomic<UInt32>(0)

  /// Works out a class; generated code calls it once for each class.
  public init<Model: PersistentModel>(_ model: Model.Type) {
    type = model
    name = ModelDescription.entityName(of: model)
    index = ModelDescription.counter.add(1, ordering: .relaxed).newValue
    let metadata = model.schemaMetadata
    var properties: [PropertyDescription] = []
    var slots: [AnyKeyPath: Int] = [:]
    var toMany: [Int] = []
    var columns: [ModelColumn] = []
    for case let property? in metadata.map(\.property) {
      property.slot = properties.count
      property.toManyIndex = toMany.count
      property.columnIndex = columns.count
      if property.isToMany { toMany.append(property.slot) } else { columns.append(.init(property)) }
      slots[property.keyPath] = property.slot
      properties.append(property)
    }
    self.properties = properties
    self.columns = columns
    toManySlots = toMany
    toOneSlots = properties.filter { $0.isRelationship && !$0.isToMany }.map(\.slot)
    slotsByKeyPath = slots
    hasConstants = properties.contains { $0.isConstant }
    uniqueKeyPaths = metadata.flatMap(\.unique).map { $0.compactMap { slots[$0] } }
    indexKeyPaths = metadata.flatMap(\.indexes).map { $0.compactMap { slots[$0] } }
  }

  private static func entityName(of type: Any.Type) -> String {
    String(describing: type)
  }

  func slot(of keyPath: AnyKeyPath) -> Int? { slotsByKeyPath[keyPath] }

  package func slot(named name: String) -> Int? { properties.firstIndex { $0.name == name } }

  func makeShell(_ record: ModelRecord) -> any PersistentModel { type.init(_$record: record) }

  // MARK: Inverses

  /// The property of the destination that is the other side; nil for one-way.
  package func inverse(of slot: Int) -> Int? {
    if let known = inverses.withLock({ $0 }) { return known[slot] }
    // Found outside the lock: it asks other classes, which may ask this one.
    let found = properties.map { findInverse(of: $0) }
    inverses.withLock { $0 = found }
    return found[slot]
  }

  private func findInverse(of property: PropertyDescription) -> Int? {
    guard let other = property.destination else { return nil }
    if let keyPath = property.relationship?.inverseKeyPath { return other.slot(of: keyPath) }
    if let annotated = other.properties.first(where: {
      $0.relationship?.inverseKeyPath == property.keyPath
    }) {
      return annotated.slot
    }
    if other === self { return nil }
    let own = candidates(for: other)
    let others = other.candidates(for: self)
    guard own.count == 1, others.count == 1, own[0] == property.slot else { return nil }
    return others[0]
  }

  /// Relationships to another class that no annotation pairs.
  private func candidates(for other: ModelDescription) -> [Int] {
    properties.filter { property in
      guard property.destination === other, property.relationship?.inverseKeyPath == nil else {
        return false
      }
      return !other.properties.contains {
        $0.relationship?.inverseKeyPath == property.keyPath
      }
    }.map(\.slot)
  }

  // MARK: Schema

  /// The classes and all they lead to, each once, in the order they are found.
  package static func closure(of models: [ModelDescription]) -> [ModelDescription] {
    var found: [ModelDescription] = []
    var waiting = models
    while !waiting.isEmpty {
      let model = waiting.removeFirst()
      if found.contains(where: { $0 === model }) { continue }
      found.append(model)
      waiting.append(contentsOf: model.properties.compactMap(\.destination))
    }
    return found
  }

  /// The class as a store keeps it, without identifiers.
  package var entitySchema: EntitySchema {
    EntitySchema(
      name: name, properties: properties.map(propertySchema),
      uniqueConstraints: names(uniqueKeyPaths), indexes: names(indexKeyPaths))
  }

  private func names(_ lists: [[Int]]) -> [[String]] {
    var result: [[String]] = []
    for list in lists where !list.isEmpty {
      let names = list.map { properties[$0].name }
      if !result.contains(names) { result.append(names) }
    }
    return result
  }

  private func propertySchema(_ property: PropertyDescription) -> PropertySchema {
    let kind: PropertySchema.Kind
    if let destination = property.destination {
      kind = .relationship(
        RelationshipSchema(
          destination: destination.name, isToMany: property.isToMany,
          inverse: inverse(of: property.slot).map { destination.properties[$0].name },
          deleteRule: property.relationship?.deleteRule.stored ?? .nullify))
    } else if case .attribute(let type) = property.kind {
      kind = .attribute(type)
    } else {
      kind = .attribute(.json)
    }
    return PropertySchema(
      name: property.name, kind: kind, isOptional: property.isOptional || property.isToMany,
      defaultValue: property.defaultValue.flatMap { $0.isNull ? nil : $0 },
      originalName: property.originalName)
  }
}

extension Schema.Relationship.DeleteRule {
  var stored: RelationshipDeleteRule {
    switch self {
    case .noAction: .noAction
    case .nullify: .nullify
    case .cascade: .cascade
    case .deny: .deny
    }
  }
}

extension StoreSchema {
  /// The schema of these classes and all they lead to, without identifiers.
  package init(models types: [any PersistentModel.Type]) {
    self.init(
      entities: ModelDescription.closure(of: types.map { $0._$description }).map(\.entitySchema))
  }
}

/// What makes classes unfit to be one schema.
enum SchemaProblems {
  static func first(in models: [ModelDescription]) -> SwiftDataError? {
    for (position, model) in models.enumerated() {
      if models[..<position].contains(where: { $0.name == model.name }) {
        return SwiftDataError.unknownSchema.because(
          "two model classes are named '\(model.name)'; a schema holds one of each name")
      }
      for property in model.properties {
        if let problem = property.problem {
          return SwiftDataError.unknownSchema.because("\(model.name).\(property.name): \(problem)")
        }
      }
    }
    return nil
  }
}

/// A property that a row holds, with what a save asks for every value of it.
struct ModelColumn: Sendable {
  let slot: Int
  let isOptional: Bool
  let isToOne: Bool

  init(_ property: PropertyDescription) {
    slot = property.slot
    isOptional = property.isOptional
    isToOne = property.isRelationship
  }
}
