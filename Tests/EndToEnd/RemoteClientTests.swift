import FoundationEssentials
import RoostClient
import RoostModel
import RoostServer
import RoostTestSupport
import Testing

@Suite @MainActor struct RemoteClientTests {
  /// A served store with the schema every call here uses.
  private func withClient(
    _ body: (RoostClient, StoreSchema) async throws -> Void
  ) async throws {
    try await Served.run { served in
      try await withRoostClient(served.url) { client in
        let registration = try await client.register(Self.schema)
        try await body(client, registration.schema)
      }
    }
  }

  static let schema = StoreSchema(entities: [
    EntitySchema(
      name: "Word",
      properties: [
        SampleSchema.attribute("text", .text, isOptional: false),
        SampleSchema.attribute("length", .int),
      ], uniqueConstraints: [["text"]])
  ])

  private func insert(_ schema: StoreSchema, _ text: String, _ length: Int64) -> WriteOperation {
    .insert(1, row: nil, [Assignment(1, .text(text)), Assignment(2, .int(length))])
  }

  private func rows(_ range: Range<Int>, _ schema: StoreSchema) -> RowBatch {
    var writer = PackedWriter()
    for number in range {
      writer.text("word \(number)")
      writer.int(Int64(number))
    }
    return RowBatch(
      entity: 1, schemaVersion: schema.version, columns: [1, 2], rowCount: range.count,
      body: writer.bytes)
  }

  private func descriptor() -> ImportDescriptor {
    ImportDescriptor(
      id: UUID(), entity: 1, conflict: .update, constraint: [1], onRowError: .skip)
  }

  @Test func everyCallDoesItsJob() async throws {
    try await withClient { client, schema in
      #expect(try await client.health().isServing)
      let description = try await client.describe()
      #expect(description.schema == schema)
      #expect(description.methods.contains("Fetch") && !description.limits.isEmpty)
      #expect(try await client.register(Self.schema, mode: .check).differences.isEmpty)
      let written = try await client.write(
        WriteBatch(
          operations: [insert(schema, "a", 1), insert(schema, "b", 2), insert(schema, "c", 3)],
          schemaVersion: schema.version))
      let ids = written.results.map(\.row)
      let byID = try await client.get(1, ids: [ids[2], 999_999, ids[0]]).rows()
      #expect(byID[0] == [.int(ids[2]), .text("c"), .int(3)])
      #expect(byID[1] == [.null, .null, .null])
      let byKey = try await client.get(
        1, constraint: [1], keys: [[.text("b")], [.text("z")]], columns: [2])
      #expect(try byKey.rows() == [[.int(ids[1]), .int(2)], [.null, .null]])
      let long = QueryExpression.compare(
        .greater, .path(PropertyPath([2])), .literal(.int(1)))
      #expect(try await client.count(Query(entity: 1, predicate: long)) == 2)
      let names = try await client.statistics().map(\.key)
      #expect(names.contains { $0.hasPrefix("server.") })
    }
  }

  @Test func aThousandCallsAtOnceOverARealServer() async throws {
    try await withClient { client, schema in
      _ = try await client.write(
        WriteBatch(operations: [insert(schema, "a", 7)], schemaVersion: schema.version))
      let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
        for number in 0..<1_000 {
          group.addTask {
            if number % 2 == 0 {
              return try await client.echo([UInt8(number % 256)]) == [UInt8(number % 256)]
            }
            return try await client.get(1, ids: [1]).rows()[0][2] == .int(7)
          }
        }
        var wrong = 0
        for try await isRight in group where !isRight { wrong += 1 }
        return wrong
      }
      #expect(wrong == 0)
    }
  }

  @Test func refusalsCarryCodeDetailAndOperation() async throws {
    try await withClient { client, schema in
      let twice = WriteBatch(
        operations: [insert(schema, "a", 1), insert(schema, "a", 2)],
        schemaVersion: schema.version)
      let unique = await #expect(throws: ClientError.self) { try await client.write(twice) }
      #expect(unique?.code == .status(.alreadyExists) && unique?.detail == .uniqueKey)
      #expect(unique?.operation == 1 && unique?.place == .server)
      #expect(unique?.isRetryable == false)
      let count = try await client.count(Query(entity: 1))
      #expect(count == 0)
      let entity = await #expect(throws: ClientError.self) {
        _ = try await client.get(77, ids: [1])
      }
      #expect(entity?.code == .status(.notFound) && entity?.detail == .unknownEntity)
      let stream = await #expect(throws: ClientError.self) {
        for try await _ in client.fetch(Query(entity: 77)) {}
      }
      #expect(stream?.code == .status(.notFound))
      let keys = await #expect(throws: ClientError.self) {
        _ = try await client.get(1, ids: Array(0..<1_001))
      }
      #expect(keys?.code == .invalidArgument && keys?.place == .local)
    }
  }

  @Test func importsThenStreamsWhatItImported() async throws {
    try await withClient { client, schema in
      let writer = client.openImport(descriptor())
      for start in stride(from: 0, to: 40_000, by: 800) {
        try await writer.send(rows(start..<start + 800, schema))
      }
      try await writer.send(rows(0..<100, schema))
      let progress = try await writer.finish()
      #expect(progress.accepted == 40_100 && progress.rejected == 0)
      var count = 0
      var sum = 0
      for try await batch in client.fetch(
        Query(entity: 1, sort: [SortKey(.path(PropertyPath([2])))]))
      {
        // Other calls go on beside a stream.
        if count == 0 { _ = try await client.echo([1]) }
        for row in try batch.rows() {
          if case .int(let number) = row[2] { sum += number == Int64(count) ? 1 : 0 }
          count += 1
        }
      }
      #expect(count == 40_000 && sum == 40_000)
    }
  }

  @Test func aRestartedServerIsFoundAgain() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.appendingPathComponent("words.store").path
      let first = try Served(.file(path), schema: Self.schema)
      let port = first.server.port
      let client = try await RoostClient.connect(first.url)
      defer { client.close() }
      _ = try await client.write(
        WriteBatch(operations: [insert(Self.schema, "a", 1)], schemaVersion: 1))
      await first.server.stop()
      let down = await #expect(throws: ClientError.self) {
        try await client.count(Query(entity: 1))
      }
      #expect(down?.isUnreachable == true || down?.code == .connectionLost)
      let second = try Served(.file(path), port: port)
      #expect(try await client.count(Query(entity: 1)) == 1)
      await second.server.stop()
    }
  }

  @Test func anImportGoesOnAcrossARestartAndTakesNoRowTwice() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.appendingPathComponent("words.store").path
      var limits = ServerLimits()
      limits.drainGrace = .milliseconds(1)
      limits.drainNotice = .zero
      let first = try Served(.file(path), schema: Self.schema, limits: limits)
      let port = first.server.port
      let client = try await RoostClient.connect(first.url)
      defer { client.close() }
      let writer = client.openImport(descriptor())
      for start in stride(from: 0, to: 50_000, by: 1_000) {
        try await writer.send(rows(start..<start + 1_000, Self.schema))
      }
      await first.server.stop()
      let second = try Served(.file(path), port: port)
      for start in stride(from: 50_000, to: 100_000, by: 1_000) {
        try await writer.send(rows(start..<start + 1_000, Self.schema))
      }
      let progress = try await writer.finish()
      #expect(progress.accepted == 100_000 && progress.rejected == 0)
      #expect(progress.resumptions >= 1)
      #expect(try await client.count(Query(entity: 1)) == 100_000)
      await second.server.stop()
    }
  }
}
