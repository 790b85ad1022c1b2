import Foundation

/// A store with its schema, shared by contexts on any actor.
///
/// It stays open while the container or one of its contexts is alive.
///
/// Opening the first one has SQLite keep no statistics of its memory, in the whole process, unless
/// something else has used SQLite before: they cost each allocation a lock. A program that uses
/// SQLite itself sees 0 from `sqlite3_memory_used`, and its soft heap limit does nothing.
public final class ModelContainer: Sendable {
  package let core: ContainerCore
  /// The classes and all they lead to.
  public let schema: Schema
  // A metatype has no state.
  /// The plan the container was made with.
  public nonisolated(unsafe) let migrationPlan: (any SchemaMigrationPlan.Type)?
  /// Where the rows are.
  public let configurations: Set<ModelConfiguration>
  @MainActor private var heldMainContext: ModelContext?

  /// Opens or makes the store for these classes.
  public convenience init(
    for forTypes: any PersistentModel.Type...,
    migrationPlan: (any SchemaMigrationPlan.Type)? = nil, configurations: ModelConfiguration...
  ) throws {
    try self.init(
      for: Schema(forTypes), migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens or makes the store for a schema.
  public convenience init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: ModelConfiguration...
  ) throws {
    try self.init(for: givenSchema, migrationPlan: migrationPlan, configurations: configurations)
  }

  /// Opens or makes the store for a schema; additive changes are applied at once.
  ///
  /// - Throws: ``SwiftDataError/unknownSchema`` for classes that cannot be stored,
  ///   ``SwiftDataError/loadIssueModelContainer`` when the file cannot be opened,
  ///   ``SwiftDataError/unknownDataStoreSchema`` when the schemas differ by more than additions.
  public init(
    for givenSchema: Schema, migrationPlan: (any SchemaMigrationPlan.Type)? = nil,
    configurations: [ModelConfiguration]
  ) throws {
    if let problem = givenSchema.problem { throw problem }
    try ModelContainer.check(migrationPlan)
    let configuration = configurations.first ?? ModelConfiguration()
    for configuration in configurations { try configuration.validate() }
    if configurations.count > 1 {
      throw SwiftDataError.duplicateConfiguration.because(
        "a container has one configuration; make one container for each store")
    }
    core = try ContainerOpening.open(givenSchema, configuration)
    schema = givenSchema
    self.migrationPlan = migrationPlan
    self.configurations = [configuration]
  }

  /// Another handle of the same store.
  package init(core: ContainerCore) {
    self.core = core
    schema = core.schema
    migrationPlan = nil
    configurations = [core.configuration]
  }

  private static func check(_ plan: (any SchemaMigrationPlan.Type)?) throws {
    for stage in plan?.stages ?? [] {
      guard case .custom(let from, let to, let will, let did) = stage else { continue }
      if will != nil || did != nil {
        throw SwiftDataError.unsupportedMigration.because(
          "custom migration steps are not supported yet: "
            + "\(from.versionIdentifier) to \(to.versionIdentifier)")
      }
    }
  }

  /// The context of the main actor, the same for every handle of the store.
  ///
  /// It saves by itself: what a turn of the main actor changed is saved together when the turn is
  /// over, and what is left when the context goes away is saved then.
  @MainActor public var mainContext: ModelContext {
    if let context = core.mainContext {
      heldMainContext = context
      return context
    }
    let context = ModelContext(core: core, container: self)
    context.becomeMainContext()
    core.mainContext = context
    heldMainContext = context
    return context
  }

  /// Deletes every row of every class; relationships are left without a check.
  public func erase() throws {
    let context = ModelContext(self)
    for model in schema.models { try context.deleteAll(of: model) }
    try context.save()
  }

  /// Deletes every row of every class; what cannot be deleted stays.
  public func deleteAllData() { try? erase() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ModelContainer: Equatable {
  public static func == (lhs: ModelContainer, rhs: ModelContainer) -> Bool {
    lhs.core === rhs.core
  }
}
