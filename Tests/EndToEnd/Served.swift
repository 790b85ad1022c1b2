import RoostClient
import RoostModel
import RoostServer

/// A server on a free loopback port, hosted beside the tests.
@MainActor
struct Served {
  let server: RoostServer

  init(
    _ store: ServerConfiguration.Store = .memory, port: UInt16 = 0, schema: StoreSchema? = nil,
    limits: ServerLimits = ServerLimits()
  ) throws {
    server = try RoostServer(
      ServerConfiguration(
        store: store, port: port, durability: .relaxed, schema: schema, limits: limits))
    try server.start()
  }

  var url: String { "roost://127.0.0.1:\(server.port)" }

  /// Serves, runs the body and stops, however the body ends.
  static func run(
    _ store: ServerConfiguration.Store = .memory, schema: StoreSchema? = nil,
    _ body: (Served) async throws -> Void
  ) async throws {
    let served = try Served(store, schema: schema)
    do {
      try await body(served)
    } catch {
      await served.server.stop()
      throw error
    }
    await served.server.stop()
  }
}
