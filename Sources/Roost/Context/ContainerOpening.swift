import Foundation
import RoostModel
import RoostStorage

/// Opens the store of a configuration and registers the classes in it.
enum ContainerOpening {
  static func open(
    _ schema: Schema, _ configuration: ModelConfiguration
  ) throws(SwiftDataError) -> ContainerCore {
    let wanted = StoreSchema(entities: schema.models.map(\.entitySchema))
    let engine = try engine(configuration)
    do {
      _ = try engine.register(wanted, mode: .apply)
    } catch {
      engine.close()
      throw SwiftDataError.unknownDataStoreSchema.because(error.message, underlying: error)
    }
    return ContainerCore(engine: engine, schema: schema, configuration: configuration)
  }

  private static func engine(
    _ configuration: ModelConfiguration
  ) throws(SwiftDataError) -> any StoreEngine {
    let location: StoreLocation =
      configuration.isStoredInMemoryOnly ? .memory : .file(configuration.url.path)
    do {
      if !configuration.isStoredInMemoryOnly {
        try FileManager.default.createDirectory(
          at: configuration.url.deletingLastPathComponent(), withIntermediateDirectories: true)
      }
      return try SQLiteStore.open(location, durability: configuration.durability)
    } catch {
      let message = (error as? StoreError)?.message ?? "\(error)"
      throw SwiftDataError.loadIssueModelContainer.because(message, underlying: error)
    }
  }
}
