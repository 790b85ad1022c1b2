package import RoostModel

/// A model class with the identifiers one store gave it.
package final class EntityBinding: Sendable {
  package let description: ModelDescription
  package let schema: EntitySchema
  /// By slot.
  package let properties: [PropertyID]
  package let slots: [PropertyID: Int]

  package var entity: EntityID { schema.id }

  /// nil when the store lacks a property the class has.
  package init?(_ description: ModelDescription, schema: EntitySchema) {
    var properties: [PropertyID] = []
    for property in description.properties {
      guard let stored = schema.property(named: property.name) else { return nil }
      properties.append(stored.id)
    }
    self.description = description
    self.schema = schema
    self.properties = properties
    slots = Dictionary(
      properties.enumerated().map { ($0.element, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }
}

/// How the classes of a container lie in a store; made anew when the store's schema changes.
package final class SchemaBinding: Sendable {
  package let schema: StoreSchema
  package let storeIdentifier: String
  private let byModel: [UInt32: EntityBinding]
  private let byEntity: [EntityID: EntityBinding]

  package init(_ models: [ModelDescription], schema: StoreSchema, storeIdentifier: String) {
    self.schema = schema
    self.storeIdentifier = storeIdentifier
    var byModel: [UInt32: EntityBinding] = [:]
    var byEntity: [EntityID: EntityBinding] = [:]
    for model in models {
      guard let entity = schema.entity(named: model.name),
        let binding = EntityBinding(model, schema: entity)
      else { continue }
      byModel[model.index] = binding
      byEntity[entity.id] = binding
    }
    self.byModel = byModel
    self.byEntity = byEntity
  }

  package func binding(of model: ModelDescription) -> EntityBinding? { byModel[model.index] }
  package func binding(of entity: EntityID) -> EntityBinding? { byEntity[entity] }
  package var entities: [EntityBinding] { Array(byEntity.values) }

  package func binding(named name: String) -> EntityBinding? {
    schema.entity(named: name).flatMap { byEntity[$0.id] }
  }
}
