/// Stands in for an instance of a class that no schema has.
final class MissingModel: PersistentModel {
  static let _$description = ModelDescription(MissingModel.self)
  static var schemaMetadata: [Schema.PropertyMetadata] { [] }
  var _$storage: ModelStorage

  init(_$record: ModelRecord) { _$storage = ModelStorage(_$record) }

  func _$storeConstants() {}
}
