public import Foundation
import RoostModel

/// The instances one actor works with: what it fetched, what it changed and has not saved.
///
/// A context is confined to the actor or thread that uses it and is not `Sendable`. What another
/// context saved is seen at this one's next call: clean instances are refreshed, changed ones
/// keep what was set.
///
/// Instances read their values from the packed rows they were fetched in. One that is kept keeps
/// its whole batch of rows, up to 4 MiB, until it is refreshed or goes.
public final class ModelContext {
  package let core: ContainerCore
  @usableFromInline package let graph = ObjectGraph()
  let store: ContextStore
  let turn: ContextTurn
  private weak var handle: ModelContainer?
  var isMainContext = false
  /// Whether a turn's changes are saved when the turn is over; true for the main context.
  ///
  /// Other contexts have no turns: there it only means that a context that goes away saves first.
  public var autosaveEnabled = false
  /// Who is named in history as the author of this context's saves.
  public var author: String?
  /// Why the last save the context made by itself failed; the changes are still pending.
  public internal(set) var autosaveError: (any Error)?
  var isAutosaveScheduled = false

  /// Makes a context of a container.
  public convenience init(_ container: ModelContainer) {
    self.init(core: container.core, container: container)
  }

  init(core: ContainerCore, container: ModelContainer?) {
    self.core = core
    handle = container
    store = ContextStore(core.engine)
    turn = ContextTurn(store)
    graph.context = self
    turn.context = self
    graph.source = store
    graph.binding = core.binding
    graph.link?.follow = turn
    graph.onChange = { [weak self] in self?.somethingChanged() }
  }

  deinit {
    if autosaveEnabled, graph.hasChanges { try? save(posting: false) }
    graph.reset()
  }

  /// The store this context reads and writes.
  public var container: ModelContainer { handle ?? ModelContainer(core: core) }

  // MARK: Pending changes

  /// Whether a save would write anything.
  public var hasChanges: Bool { graph.hasChanges }
  /// Inserted and not saved yet, in the order of insertion.
  public var insertedModelsArray: [any PersistentModel] { shells(graph.inserted.values) }
  /// Changed and not saved yet.
  public var changedModelsArray: [any PersistentModel] { shells(graph.changed.values) }
  /// Marked for deletion by the next save.
  public var deletedModelsArray: [any PersistentModel] { shells(graph.deleted.values) }

  private func shells(_ records: [ModelRecord]) -> [any PersistentModel] {
    records.sorted { ($0.sequence, $0.row) < ($1.sequence, $1.row) }.map(graph.shell)
  }

  /// Registers an instance for the next save, with everything it is linked with.
  ///
  /// Inserting a registered instance again does nothing.
  public func insert<T: PersistentModel>(_ model: T) { graph.insert(model) }

  /// Marks an instance for deletion by the next save; its relationships' delete rules apply.
  ///
  /// An instance that was never saved is dropped at once. A deleted instance stays readable.
  public func delete<T: PersistentModel>(_ model: T) { graph.delete(model._$record) }

  /// Marks all instances of a class that satisfy a predicate for deletion.
  public func delete<T: PersistentModel>(
    model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
  ) throws {
    for instance in try fetch(FetchDescriptor<T>(predicate: predicate)) { delete(instance) }
  }

  func deleteAll(of model: ModelDescription) throws {
    func delete<T: PersistentModel>(_ type: T.Type) throws { try self.delete(model: type) }
    try delete(model.type)
  }

  /// Does nothing: changes are never held back.
  public func processPendingChanges() {}

  // MARK: Instances by identifier

  /// The instance of an identifier; if there is no such row, an empty one that reads as nothing.
  public func model(for persistentModelID: PersistentIdentifier) -> any PersistentModel {
    refresh()
    if let record = record(persistentModelID, loads: true) { return graph.shell(record) }
    let model =
      core.schema.models.first { $0.name == persistentModelID.entityName }
      ?? MissingModel._$description
    return model.makeShell(ModelRecord(model, row: persistentModelID.row, base: nil))
  }

  /// The instance of an identifier if the context has it already; never asks the store.
  public func registeredModel<T: PersistentModel>(
    for persistentModelID: PersistentIdentifier
  ) -> T? {
    record(persistentModelID, loads: false).flatMap { graph.shell($0) as? T }
  }

  /// The record of an identifier; nil for another store's, another class's or a missing row.
  func record(_ identifier: PersistentIdentifier, loads: Bool) -> ModelRecord? {
    guard let entity = graph.binding?.binding(named: identifier.entityName),
      identifier.row < 0 || identifier.storeIdentifier == core.engine.storeIdentifier
    else { return nil }
    if let known = graph.record(entity.description, identifier.row) { return known }
    guard loads else { return nil }
    let row = graph.resolve(identifier.row)
    graph.load(entity.description, rows: [row])
    return graph.record(entity.description, row)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ModelContext: Equatable {
  public static func == (lhs: ModelContext, rhs: ModelContext) -> Bool { lhs === rhs }
}

extension ModelContext {
  /// Posted before a save, with the context as object.
  public static let willSave = Notification.Name("RoostModelContextWillSave")
  /// Posted after a save, with the context as object and identifiers by ``NotificationKey``.
  public static let didSave = Notification.Name("RoostModelContextDidSave")

  /// Names what ``didSave`` carries.
  public enum NotificationKey: String {
    /// The number of the commit that holds the save.
    case queryGeneration
    /// Never set here: contexts follow what was saved.
    case invalidatedAllIdentifiers
    /// Identifiers of inserted rows.
    case insertedIdentifiers
    /// Identifiers of updated rows.
    case updatedIdentifiers
    /// Identifiers of deleted rows.
    case deletedIdentifiers
  }
}
