public import RoostModel
import RoostWire

/// The unary calls. Each throws ``ClientError``, ends at `timeout` or else at the client's own, and
/// is cancelled with its task.
extension RoostClient {
  /// The same bytes back from the server.
  public func echo(_ bytes: [UInt8], timeout: Duration? = nil) async throws(ClientError) -> [UInt8]
  {
    try await unary(.echo, body: bytes, timeout: timeout)
  }

  /// Whether the server serves, and since when.
  public func health(timeout: Duration? = nil) async throws(ClientError) -> ServerHealth {
    let bytes = try await unary(.health, body: [], timeout: timeout)
    let health = try MethodCodec.reply(bytes, Health.init)
    return ServerHealth(
      isServing: health.isServing, lastCommit: health.token,
      uptime: .milliseconds(health.uptimeMilliseconds), store: health.store)
  }

  /// The schema, the methods and the limits of the server.
  public func describe(timeout: Duration? = nil) async throws(ClientError) -> ServerDescription {
    let bytes = try await unary(.describe, body: [], timeout: timeout)
    let description = try MethodCodec.reply(bytes, Description.init)
    return ServerDescription(
      schema: description.schema, methods: description.methods.map(\.name),
      limits: description.limits)
  }

  /// The schema of the store as it is now.
  public func schema(timeout: Duration? = nil) async throws(ClientError) -> StoreSchema {
    try await describe(timeout: timeout).schema
  }

  /// Compares a schema with the store's or adds what the store lacks.
  ///
  /// - Returns: The store's schema with identifiers, and what differs or was changed.
  /// - Throws: ``ClientError`` with FAILED_PRECONDITION 71 when the difference is more than
  ///   additions.
  public func register(
    _ schema: StoreSchema, mode: SchemaMode = .apply, timeout: Duration? = nil
  ) async throws(ClientError) -> SchemaRegistration {
    let body = try MethodCodec.request { writer throws(MessageError) in
      SchemaRegisterRequest(schema: schema, mode: mode).encode(into: &writer)
    }
    // Done twice it changes nothing the second time.
    let bytes = try await unary(.schemaRegister, body: body, timeout: timeout)
    return try MethodCodec.reply(bytes, SchemaRegistration.init)
  }

  /// Rows by identifier, in the order asked for; one that is missing is null throughout.
  ///
  /// - Parameters:
  ///   - entity: Whose rows.
  ///   - ids: At most ``Limits/getKeysMax``.
  ///   - columns: Which properties beside the identifier; nil for all.
  ///   - timeout: How long to wait.
  /// - Returns: One row for each id.
  /// - Throws: ``ClientError``.
  public func get(
    _ entity: EntityID, ids: [Int64], columns: [PropertyID]? = nil, timeout: Duration? = nil
  ) async throws(ClientError) -> RowBatch {
    try await get(
      GetRequest(entity: entity, keys: ids.map(GetKey.row), columns: columns), timeout)
  }

  /// Rows by the values of a unique constraint, in the order asked for.
  ///
  /// - Parameters:
  ///   - entity: Whose rows.
  ///   - constraint: The properties of the unique constraint.
  ///   - keys: One list of values for each row, at most ``Limits/getKeysMax``.
  ///   - columns: Which properties beside the identifier; nil for all.
  ///   - timeout: How long to wait.
  /// - Returns: One row for each key.
  /// - Throws: ``ClientError``.
  public func get(
    _ entity: EntityID, constraint: [PropertyID], keys: [[Value]], columns: [PropertyID]? = nil,
    timeout: Duration? = nil
  ) async throws(ClientError) -> RowBatch {
    let keys = keys.map { GetKey.constraint(constraint, $0) }
    return try await get(GetRequest(entity: entity, keys: keys, columns: columns), timeout)
  }

  private func get(
    _ request: GetRequest, _ timeout: Duration?
  ) async throws(ClientError) -> RowBatch {
    guard request.keys.count <= Limits.getKeysMax else {
      throw ClientError(
        .invalidArgument, .local,
        "a get takes at most \(Limits.getKeysMax) keys (getKeysMax), not \(request.keys.count)")
    }
    let body = try MethodCodec.request { writer throws(MessageError) in
      request.encode(into: &writer)
    }
    let bytes = try await unary(.get, body: body, timeout: timeout)
    return try MethodCodec.reply(bytes, RowBatch.init(message:))
  }

  /// How many rows the query gives; its limit and offset count, too.
  public func count(
    _ query: Query, timeout: Duration? = nil
  ) async throws(ClientError) -> Int {
    let body = try MethodCodec.request { writer throws(MessageError) in
      try CountRequest.encode(query, into: &writer)
    }
    let bytes = try await unary(.count, body: body, timeout: timeout)
    return try MethodCodec.reply(bytes, CountRequest.decodeReply)
  }

  /// Commits the operations together or not at all.
  ///
  /// - Returns: The commit, and for each operation its row and what happened.
  /// - Throws: ``ClientError``; with `operation` where one is to blame. With the code
  ///   `outcomeUnknown` the write may have happened: look before writing again.
  public func write(
    _ batch: WriteBatch, timeout: Duration? = nil
  ) async throws(ClientError) -> WriteResult {
    guard batch.operations.count <= Limits.writeOperationsMax else {
      throw ClientError(
        .invalidArgument, .local,
        "a write takes at most \(Limits.writeOperationsMax) operations (writeOperationsMax)")
    }
    let body = try MethodCodec.request { writer throws(MessageError) in
      batch.encode(into: &writer)
    }
    let bytes = try await unary(.write, .write, body: body, timeout: timeout)
    return try MethodCodec.reply(bytes, WriteResult.init)
  }

  /// Counters and gauges of the server by name, and lists of what was asked for beside them.
  ///
  /// - Parameters:
  ///   - sections: Each adds a list of maps under its name.
  ///   - limit: Entries of each list at most, 1 to 1,000; nil for 100.
  ///   - timeout: How long to wait.
  /// - Returns: Keys ascending; `Protocol/SPEC.md`, "Stats", says what each means.
  /// - Throws: ``ClientError``.
  public func statistics(
    sections: [StatisticsSection] = [], limit: Int? = nil, timeout: Duration? = nil
  ) async throws(ClientError) -> [MapEntry] {
    let request = StatisticsRequest(
      sections: sections, limit: limit ?? WireLimits.statisticsEntries)
    let body = try MethodCodec.request { writer throws(MessageError) in
      request.encode(into: &writer)
    }
    let bytes = try await unary(.stats, body: body, timeout: timeout)
    return try MethodCodec.reply(bytes, Statistics.decode)
  }

  /// Ends a call of any client: it gets ABORTED 83.
  ///
  /// A write or a chunk that the store has taken runs to its true outcome all the same.
  ///
  /// - Parameters:
  ///   - client: The connection's number in the section of operations.
  ///   - stream: The call's number there.
  ///   - timeout: How long to wait.
  /// - Returns: Whether there was such a call.
  /// - Throws: ``ClientError``.
  public func cancelOperation(
    client: UInt64, stream: UInt32, timeout: Duration? = nil
  ) async throws(ClientError) -> Bool {
    let body = try MethodCodec.request { writer throws(MessageError) in
      CancelOperation(client: client, stream: stream).encode(into: &writer)
    }
    let bytes = try await unary(.cancelOperation, body: body, timeout: timeout)
    return try MethodCodec.reply(bytes, CancelOperation.decodeReply)
  }
}

/// A server's word on its own state.
public struct ServerHealth: Hashable, Sendable {
  /// False while it drains.
  public var isServing: Bool
  /// The number of the last commit.
  public var lastCommit: UInt64
  /// How long it has been running.
  public var uptime: Duration
  /// The name of its store.
  public var store: String
}

/// What a server serves.
public struct ServerDescription: Hashable, Sendable {
  /// The schema with identifiers.
  public var schema: StoreSchema
  /// Names of the methods it knows.
  public var methods: [String]
  /// Its limits by name.
  public var limits: [MapEntry]
}
