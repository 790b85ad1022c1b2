public import Roost
public import RoostModel

/// A context whose store is a server: Roost's API, async, over a ``RoostClient``.
///
/// Instances are the same classes as in process, one for each row. A fetch brings the instances
/// its to-one relationships lead to and those of its prefetch paths; what is deeper comes by
/// ``load(_:_:)``. Reading what was not loaded never waits and never traps: it gives what is
/// known: an empty instance with its identifier, the members of a to-many that were added here.
///
/// Another client's changes are seen by the next fetch that brings the row; values that were set
/// here and not saved stay.
///
/// - Isolation: Not Sendable; its methods run in the caller's isolation and may suspend.
public final class RemoteContext {
  /// The connection it works over.
  public let client: RoostClient
  /// Who is named in history as the author of this context's saves.
  public var author: String?
  let graph = ObjectGraph()
  let binding: SchemaBinding
  private var isSaving = false

  /// Registers the classes, and all they are related with, in the server's schema.
  ///
  /// - Parameters:
  ///   - client: The connection to use; other contexts and calls may share it.
  ///   - models: The classes the context works with.
  ///   - mode: `apply` adds what the server's schema lacks, `check` only compares.
  /// - Throws: ``ClientError``: FAILED_PRECONDITION 71 when the schema differs by more than
  ///   additions, or at all in mode `check`; `SwiftDataError` for classes that are no schema.
  public init(
    _ client: RoostClient, for models: any PersistentModel.Type..., mode: SchemaMode = .apply
  ) async throws {
    let descriptions = ModelDescription.closure(of: models.map { $0._$description })
    if let problem = ModelDescription.problem(in: descriptions) { throw problem }
    let wanted = StoreSchema(entities: descriptions.map(\.entitySchema))
    let registration = try await client.register(wanted, mode: mode)
    if mode == .check, !registration.differences.isEmpty {
      throw ClientError(
        .status(.failedPrecondition), .server,
        "the server's schema differs: " + registration.differences.joined(separator: "; "),
        detail: .schemaChanged)
    }
    let server = try await client.connected()
    let binding = SchemaBinding(
      descriptions, schema: registration.schema, storeIdentifier: server.storeIdentifier)
    for description in descriptions where binding.binding(of: description) == nil {
      throw ClientError(
        .status(.failedPrecondition), .server,
        "the server's schema lacks properties of '\(description.name)'", detail: .schemaChanged)
    }
    self.client = client
    self.binding = binding
    graph.binding = binding
  }

  deinit { graph.reset() }

  /// Whether a save would write anything.
  public var hasChanges: Bool { graph.hasChanges }

  /// Registers an instance for the next save, with everything it is linked with.
  public func insert<T: PersistentModel>(_ model: T) { graph.insert(model) }

  /// Marks an instance for deletion by the next save; its relationships' delete rules apply, in
  /// the server also to rows that are not loaded here.
  public func delete<T: PersistentModel>(_ model: T) { graph.delete(model._$remoteRecord) }

  /// Drops everything pending; instances go back to what was last saved or fetched.
  public func rollback() { graph.rollback() }

  /// Writes everything pending in one transaction; all of it or nothing.
  ///
  /// Where a unique value is there already, the stored row takes the new values. What changes
  /// while the save is under way stays pending for the next. At most
  /// ``Limits/writeOperationsMax`` instances go into one save; import more.
  ///
  /// - Parameter timeout: How long to wait; nil for the client's own deadline.
  /// - Throws: ``ClientError``; everything stays pending then. With the code `outcomeUnknown` the
  ///   save may have happened: fetch before saving again. `SwiftDataError` for values that break a
  ///   rule of their class.
  public func save(timeout: Duration? = nil) async throws {
    guard graph.hasChanges else { return }
    guard !isSaving else {
      throw ClientError(
        .invalidArgument, .local, "another save of this context has not ended yet")
    }
    isSaving = true
    defer { isSaving = false }
    let flight = try graph.beginSave()
    if flight.operationCount == 0 {
      _ = graph.endSave(flight, results: [])
      return
    }
    let result = try await client.write(flight.batch(author: author), timeout: timeout)
    guard result.results.count == flight.operationCount else {
      throw ClientError.badReply(
        "\(result.results.count) results for \(flight.operationCount) operations")
    }
    _ = graph.endSave(flight, results: result.results)
  }

  /// The instance of an identifier if the context has it already; never asks the server.
  public func registeredModel<T: PersistentModel>(for identifier: PersistentIdentifier) -> T? {
    guard let entity = binding.binding(named: identifier.entityName),
      identifier.row < 0 || identifier.storeIdentifier == binding.storeIdentifier,
      let record = graph.registered(entity.description, row: identifier.row)
    else { return nil }
    return graph.instance(record, as: T.self)
  }

  /// The instance of an identifier, fetched anew from the server.
  ///
  /// - Parameters:
  ///   - identifier: Of a row of this store, or of an instance that is not saved.
  ///   - type: The class.
  /// - Returns: nil when there is no such row, or it is of another class or store.
  /// - Throws: ``ClientError``.
  public func model<T: PersistentModel>(
    for identifier: PersistentIdentifier, as type: T.Type = T.self
  ) async throws -> T? {
    guard let entity = binding.binding(named: identifier.entityName),
      entity.description.type == type,
      identifier.row < 0 || identifier.storeIdentifier == binding.storeIdentifier
    else { return nil }
    let row = graph.permanentRow(identifier.row)
    if row < 0 { return registeredModel(for: identifier) }
    let query = rowQuery(entity.entity, row, prefetch: [])
    return try await records(query).first.flatMap { graph.instance($0, as: type) }
  }
}
