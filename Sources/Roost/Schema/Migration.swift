/// One version of a program's models.
public protocol VersionedSchema {
  /// The model classes of this version.
  static var models: [any PersistentModel.Type] { get }
  /// How its author counts it.
  static var versionIdentifier: Schema.Version { get }
}

/// The versions of a program's models in ascending order, and the steps between them.
public protocol SchemaMigrationPlan {
  /// All versions, oldest first.
  static var schemas: [any VersionedSchema.Type] { get }
  /// The steps between neighbours.
  static var stages: [MigrationStage] { get }
}

/// One step from a version to the next.
public enum MigrationStage {
  /// A step that the schemas alone describe.
  case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
  /// A step with code before and after it.
  case custom(
    fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
    willMigrate: ((_ context: ModelContext) throws -> Void)?,
    didMigrate: ((_ context: ModelContext) throws -> Void)?)
}
