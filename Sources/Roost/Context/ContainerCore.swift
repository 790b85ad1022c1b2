package import RoostModel
import Synchronization

/// What all contexts of a container share; closes the store with the last of them.
package final class ContainerCore: Sendable {
  package let engine: any StoreEngine
  package let schema: Schema
  let configuration: ModelConfiguration
  private let current: Mutex<SchemaBinding>
  /// The main context's turn, so that a save in the same turn shows at once.
  let turnThread = TurnThread()
  /// Set on the main actor only; gives every handle the same main context.
  @MainActor weak var mainContext: ModelContext?

  package init(
    engine: any StoreEngine, schema: Schema, configuration: ModelConfiguration
  ) {
    self.engine = engine
    self.schema = schema
    self.configuration = configuration
    current = Mutex(
      SchemaBinding(
        schema.models, schema: engine.schema, storeIdentifier: engine.storeIdentifier))
  }

  deinit { engine.close() }

  package var binding: SchemaBinding { current.withLock { $0 } }

  /// Looks the classes up again after the store's schema changed.
  func rebind() {
    let fresh = SchemaBinding(
      schema.models, schema: engine.schema, storeIdentifier: engine.storeIdentifier)
    current.withLock { $0 = fresh }
  }
}
