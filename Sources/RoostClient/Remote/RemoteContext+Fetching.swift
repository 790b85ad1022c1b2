public import Roost
import RoostModel
import RoostWire

extension RemoteContext {
  /// The instances a descriptor asks for, as of one snapshot of the store.
  ///
  /// To-one relationships of the result and those the descriptor prefetches are loaded with it.
  /// What is inserted or changed here and not saved does not take part; what is marked for
  /// deletion here is left out.
  ///
  /// - Parameters:
  ///   - descriptor: What to fetch.
  ///   - timeout: How long to wait; nil for the client's own deadline.
  /// - Returns: The instances in order.
  /// - Throws: ``ClientError``; `SwiftDataError.unsupportedPredicate` naming the expression.
  public func fetch<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, timeout: Duration? = nil
  ) async throws -> [T] {
    let query = try QueryLowering(graph, binding).query(descriptor)
    let found = try await records(query, timeout: timeout)
    let result = found.filter { !graph.isMarkedForDeletion($0) }
      .compactMap { graph.instance($0, as: T.self) }
    graph.sweepWhenLarge()
    return result
  }

  /// How many rows a descriptor asks for in the store, limit and offset included.
  ///
  /// - Parameters:
  ///   - descriptor: What to count.
  ///   - timeout: How long to wait; nil for the client's own deadline.
  /// - Returns: The number of rows; pending changes do not count.
  /// - Throws: As ``fetch(_:timeout:)``.
  public func fetchCount<T: PersistentModel>(
    _ descriptor: FetchDescriptor<T>, timeout: Duration? = nil
  ) async throws -> Int {
    var query = try QueryLowering(graph, binding).query(descriptor)
    query.prefetch = []
    query.sort = []
    return try await client.count(query, timeout: timeout)
  }

  /// Loads what a relationship leads to, and gives it.
  ///
  /// - Parameters:
  ///   - model: An instance of this context; one that is not saved has nothing to load.
  ///   - keyPath: A to-one or to-many relationship of its class.
  /// - Returns: The property's value, changes that are pending here included.
  /// - Throws: ``ClientError``, NOT_FOUND 31 when the row is gone;
  ///   `invalidArgument` when the key path is no relationship.
  @discardableResult
  public func load<T: PersistentModel, Related>(
    _ model: T, _ keyPath: KeyPath<T, Related>
  ) async throws -> Related {
    let record = model._$remoteRecord
    guard let entity = binding.binding(of: record.description),
      let slot = record.description.slot(stored: keyPath),
      record.description.properties[slot].isRelationship
    else {
      throw ClientError(
        .invalidArgument, .local,
        "load takes a relationship of a registered class; this is none of '\(T.self)'")
    }
    let row = graph.permanentRow(record.row)
    guard row > 0 else { return model[keyPath: keyPath] }
    let query = rowQuery(entity.entity, row, prefetch: [[entity.properties[slot]]])
    guard try await !records(query).isEmpty else {
      throw ClientError(
        .status(.notFound), .server, "\(entity.schema.name) \(row) does not exist any more",
        detail: .unknownRow)
    }
    return model[keyPath: keyPath]
  }

  /// The query of one row.
  func rowQuery(_ entity: EntityID, _ row: Int64, prefetch: [[PropertyID]]) -> Query {
    let own = QueryExpression.path(PropertyPath([]))
    let wanted = QueryExpression.literal(.reference(RowReference(entity: entity, row: row)))
    return Query(
      entity: entity, predicate: .compare(.equal, own, wanted), prefetch: prefetch)
  }

  /// Runs a query and registers all it brings; gives the records of its own rows.
  func records(_ query: Query, timeout: Duration? = nil) async throws -> [ModelRecord] {
    var records: [ModelRecord] = []
    let limit = timeout ?? client.options.timeout
    for try await message in client.fetchMessages(query, timeout: limit) {
      for batch in message.related { _ = graph.register(batch) }
      records.append(contentsOf: graph.register(message.rows))
      for links in message.links { learn(links) }
    }
    return records
  }

  private func learn(_ links: LinkBatch) {
    guard let entity = binding.binding(of: links.entity), let slot = entity.slots[links.property]
    else { return }
    for owner in links.owners {
      graph.learn(entity.description, row: owner.row, slot: slot, related: owner.related)
    }
  }
}
