import RoostClient
import RoostModel
import RoostServer
import RoostTestSupport
import Synchronization
import Testing

/// Several connections write and get the same few rows, most of them from the cache.
@Suite struct CacheCoherenceTests {
  private static let steps = 400
  private static let clients = 4

  private static let schema = StoreSchema(entities: [
    EntitySchema(
      name: "Word",
      properties: [
        SampleSchema.attribute("text", .text, isOptional: false),
        SampleSchema.attribute("value", .int),
      ], uniqueConstraints: [["text"]])
  ])

  @MainActor @Test func nobodySeesARowOlderThanWhatIsKnown() async throws {
    let hot = HotSet()
    try await Served.run(schema: Self.schema) { served in
      let url = served.url
      let sights = try await withThrowingTaskGroup(of: (Int, [CacheHistory.Sight]).self) { group in
        for number in 0..<Self.clients {
          group.addTask { (number, try await Self.client(number, url, hot)) }
        }
        var sights = Array(repeating: [CacheHistory.Sight](), count: Self.clients)
        for try await (number, seen) in group { sights[number] = seen }
        return sights
      }
      let history = CacheHistory(changes: hot.changes, sights: sights)
      #expect(history.contradictions() == [], "\(TestSeed.note)")
      #expect(history.changes.count > 200, "\(TestSeed.note): hardly anything was written")
      let hits = try #require(Self.hits(served))
      #expect(hits > 200, "\(TestSeed.note): the cache answered \(hits) times only")
    }
  }

  /// The judge itself: a stale sight and a lost write are found.
  @Test func aStaleSightIsFound() {
    let old = CacheHistory.Version(row: 1, key: "a", value: 1)
    let new = CacheHistory.Version(row: 1, key: "a", value: 2)
    let changes: [UInt64: CacheHistory.Change] = [
      5: .inserted(old), 7: .updated(row: 1, value: 2), 9: .deleted(row: 1),
    ]
    func find(_ sights: [(CacheHistory.Place, CacheHistory.Version?, UInt64)]) -> Int {
      let seen = sights.map {
        CacheHistory.Sight(seen: [(place: $0.0, version: $0.1)], acknowledged: $0.2)
      }
      return CacheHistory(changes: changes, sights: [seen]).contradictions().count
    }
    #expect(
      find([(.key("a"), nil, 0), (.row(1), old, 0), (.key("a"), new, 7), (.row(1), nil, 7)]) == 0)
    #expect(find([(.row(1), old, 7)]) == 1)
    #expect(find([(.key("a"), new, 0), (.row(1), old, 0)]) == 1)
    #expect(find([(.row(1), new, 0), (.row(1), nil, 0), (.key("a"), nil, 0)]) == 0)
    #expect(find([(.row(1), nil, 7), (.row(1), new, 7)]) == 1)
  }

  @MainActor private static func hits(_ served: Served) -> Int64? {
    let entry = served.server.statistics.first { $0.key == "server.cache.hits" }
    guard case .int(let hits)? = entry?.value else { return nil }
    return hits
  }

  private static func client(
    _ number: Int, _ url: String, _ hot: HotSet
  ) async throws -> [CacheHistory.Sight] {
    var random = SplitMix64(seed: TestSeed.current &+ UInt64(number))
    return try await withRoostClient(url) { client in
      var sights: [CacheHistory.Sight] = []
      for _ in 0..<steps {
        if random.chance(65) {
          sights.append(try await get(client, hot, &random))
        } else {
          try await write(client, hot, &random)
        }
      }
      return sights
    }
  }

  // MARK: Steps

  private static func get(
    _ client: RoostClient, _ hot: HotSet, _ random: inout SplitMix64
  ) async throws -> CacheHistory.Sight {
    let acknowledged = hot.acknowledged
    if random.chance(40), let row = hot.row(random.pick(HotSet.keys)) {
      let rows = try await client.get(1, ids: [row]).rows()
      return .init(seen: [(.row(row), try version(rows[0]))], acknowledged: acknowledged)
    }
    let keys = (0..<random.pick([1, 1, 1, 4])).map { _ in random.pick(HotSet.keys) }
    let rows = try await client.get(1, constraint: [1], keys: keys.map { [.text($0)] }).rows()
    let seen = try zip(keys, rows).map { (CacheHistory.Place.key($0), try version($1)) }
    return .init(seen: seen.map { (place: $0.0, version: $0.1) }, acknowledged: acknowledged)
  }

  private static func version(_ row: [Value]) throws -> CacheHistory.Version? {
    if row[0] == .null { return nil }
    guard case .int(let id) = row[0], case .text(let key) = row[1], case .int(let value) = row[2]
    else { throw Broken(row: row) }
    return CacheHistory.Version(row: id, key: key, value: value)
  }

  private struct Broken: Error {
    var row: [Value]
  }

  private static func write(
    _ client: RoostClient, _ hot: HotSet, _ random: inout SplitMix64
  ) async throws {
    let (key, value) = (random.pick(HotSet.keys), hot.nextValue())
    let both = [Assignment(1, .text(key)), Assignment(2, .int(value))]
    let target = hot.row(random.pick(HotSet.keys)) ?? 1
    let operation: WriteOperation =
      switch random.below(10) {
      case 0..<3: .upsert(1, row: nil, constraint: [1], both)
      case 3..<6: .update(1, .row(target), [Assignment(2, .int(value))], ifRevision: nil)
      case 6: .update(1, .row(target), both, ifRevision: nil)
      case 7, 8: .insert(1, row: nil, both)
      default: .delete(1, .row(target), ifRevision: nil)
      }
    do throws(ClientError) {
      let result = try await client.write(
        WriteBatch(operations: [operation], schemaVersion: schema.version))
      hot.note(operation, result, key: key, value: value)
    } catch {
      guard [.uniqueKey, .unknownRow].contains(error.detail) else { throw error }
      // The key is taken or the row is gone: nothing has changed.
    }
  }
}

/// What the clients know together: written by all, so locked.
private final class HotSet: Sendable {
  static let keys = (0..<12).map { "word \($0)" }

  private struct State {
    var changes: [UInt64: CacheHistory.Change] = [:]
    var acknowledged: UInt64 = 0
    /// Where a key was last; another row may have it by now.
    var rows: [String: Int64] = [:]
    var lastValue: Int64 = 0
  }

  private let state = Mutex(State())

  var changes: [UInt64: CacheHistory.Change] { state.withLock { $0.changes } }
  var acknowledged: UInt64 { state.withLock { $0.acknowledged } }
  func row(_ key: String) -> Int64? { state.withLock { $0.rows[key] } }

  func nextValue() -> Int64 {
    state.withLock { state in
      state.lastValue += 1
      return state.lastValue
    }
  }

  func note(_ operation: WriteOperation, _ result: WriteResult, key: String, value: Int64) {
    let (row, outcome) = (result.results[0].row, result.results[0].outcome)
    let version = CacheHistory.Version(row: row, key: key, value: value)
    let change: CacheHistory.Change
    switch (operation, outcome) {
    case (_, .inserted): change = .inserted(version)
    case (.upsert, _): change = .updated(row: row, value: value)
    case (.update(_, _, let assignments, _), _):
      change = assignments.count == 2 ? .renamed(version) : .updated(row: row, value: value)
    default: change = .deleted(row: row)
    }
    state.withLock { state in
      state.changes[result.commit] = change
      state.acknowledged = max(state.acknowledged, result.commit)
      if outcome == .inserted { state.rows[key] = row }
    }
  }
}
