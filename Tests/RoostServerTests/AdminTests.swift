import Foundation
import Glibc
import RoostModel
import RoostServer
import RoostTestSupport
import RoostWire
import Synchronization
import Testing

/// The admin port of a server on real sockets.
@MainActor @Suite(.serialized) struct AdminTests {
  private func start(
    _ store: ServerConfiguration.Store, limits: ServerLimits = ServerLimits(),
    admin: AdminEndpoint = AdminEndpoint(port: 0)
  ) throws -> RoostServer {
    let server = try RoostServer(
      ServerConfiguration(
        store: store, port: 0, schema: Sample.schema, admin: admin, limits: limits))
    try server.start()
    return server
  }

  /// Probes until the status is there: the other tests share the main actor, and may keep it so
  /// long that an answer says so.
  private func probe(
    _ server: RoostServer, _ path: String, _ status: Int
  ) async throws -> HTTPProbe {
    let port = server.adminPort
    return try await onThread {
      for _ in 0..<100 {
        if let answer = HTTPProbe(port: port, path), answer.status == status { return answer }
      }
      return try #require(HTTPProbe(port: port, path))
    }
  }

  @Test func metricsTellWhatWasServed() async throws {
    let server = try start(.memory)
    let port = server.port
    try await onThread {
      let client = try BlockingClient(port: port)
      for number in 0..<3 {
        _ = try client.call(.write) {
          WriteBatch(
            operations: [Sample.insert("F\(number)", miles: 7)], schemaVersion: 1
          ).encode(into: &$0)
        }
      }
      _ = try client.call(.echo) { $0.null() }
      for entity in [Sample.flight, Sample.flight, 99] {
        // Of an entity that is not there it fails, which counts too.
        _ = try? client.call(.get) {
          GetRequest(entity: entity, keys: [.row(1)], columns: nil).encode(into: &$0)
        }
      }
    }
    let answer = try await probe(server, "/metrics", 200)
    #expect(answer.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
    let metrics = try PrometheusParser(answer.body)
    let write = ["method": "Write"]
    for (method, outcome, count) in [("Write", "succeeded", 3.0), ("Echo", "failed", 0)] {
      let labels = ["method": method, "outcome": outcome]
      #expect(metrics.value("roost_requests_total", labels) == count)
    }
    #expect(metrics.value("roost_requests_in_flight", write) == 0)
    #expect(metrics.value("roost_request_duration_seconds_count", write) == 3)
    #expect(metrics.value("roost_request_duration_seconds_sum", write) ?? 0 > 0)
    #expect(metrics.value("roost_store_rows", ["entity": "Flight"]) == 3)
    #expect(metrics.value("roost_store_rows", ["entity": "Airline"]) == 0)
    #expect(metrics.value("roost_store_row_changes_total", ["change": "inserted"]) == 3)
    #expect(metrics.value("roost_connections_accepted_total") == 1)
    #expect(metrics.value("roost_ready") == 1)
    #expect(metrics.value("roost_store_writer_broken") == 0)
    #expect(metrics.value("process_resident_memory_bytes") ?? 0 > 1e6)
    #expect(metrics.value("process_cpu_seconds_total") ?? 0 > 0)
    #expect(metrics.value("process_max_fds") ?? 0 > 0)
    #expect(metrics.value("roost_model_gets_total", ["entity": "Flight"]) == 2)
    #expect(metrics.value("roost_model_get_misses_total", ["entity": "Flight"]) == 1)
    #expect(metrics.value("roost_statuses_total", ["status": "notFound"]) == 1)
    #expect(metrics.value("roost_slow_consumers") == 0)
    try await promtool(answer.body)
    await server.stop()
  }

  /// Prometheus' own checker, where it is installed.
  private func promtool(_ text: String) async throws {
    let tool = "/usr/bin/promtool"
    guard FileManager.default.isExecutableFile(atPath: tool) else { return }
    let (status, said) = try await onThread {
      try withTemporaryDirectory { folder in
        let file = folder.appendingPathComponent("metrics")
        try Data(text.utf8).write(to: file)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: tool)
        process.arguments = ["check", "metrics"]
        process.standardInput = try FileHandle(forReadingFrom: file)
        let output = Pipe()
        process.standardError = output
        process.standardOutput = output
        try process.run()
        process.waitUntilExit()
        let said = output.fileHandleForReading.availableData
        return (process.terminationStatus, String(decoding: said, as: UTF8.self))
      }
    }
    #expect(status == 0, "\(said)")
  }

  /// The store's engine is not asked for a reader, and its gates do not hold a scrape up.
  @Test func aStalledStoreIsStillMeasured() async throws {
    let engine = FakeEngine()
    engine.readGate.close()
    engine.writeGate.close()
    let server = try start(.engine(engine))
    #expect(try await probe(server, "/metrics", 200).body.contains("roost_writes_queued 0\n"))
    #expect(try await probe(server, "/readyz", 200).body == "ready\n")
    engine.readGate.open()
    engine.writeGate.open()
    await server.stop()
  }

  @Test func aBrokenWriterIsAliveAndNotReady() async throws {
    let engine = FakeEngine()
    let server = try start(.engine(engine))
    #expect(try await probe(server, "/readyz", 200).body == "ready\n")
    engine.isWriterBroken.store(true, ordering: .relaxed)
    #expect(try await probe(server, "/readyz", 503).body.contains("the writer is broken"))
    #expect(try await probe(server, "/healthz", 200).body == "ok\n")
    #expect(try await probe(server, "/metrics", 200).body.contains("roost_ready 0\n"))
    engine.isWriterBroken.store(false, ordering: .relaxed)
    engine.isClosed.store(true, ordering: .relaxed)
    #expect(try await probe(server, "/readyz", 503).body.contains("the store is closed"))
    await server.stop()
  }

  /// A client keeps the drain from ending; meanwhile the process answers, and says why not.
  @Test func aDrainIsToldBeforeItEnds() async throws {
    var limits = ServerLimits()
    limits.drainNotice = .seconds(3_600)
    limits.drainGrace = .seconds(3_600)
    let server = try start(.engine(FakeEngine()), limits: limits)
    let port = server.port
    let client = try await onThread { try BlockingClient(port: port) }
    _ = try await onThread { try client.call(.echo) { $0.null() } }
    let stopped = Task { await server.stop() }
    #expect(try await probe(server, "/readyz", 503).body == "not ready: draining\n")
    #expect(try await probe(server, "/healthz", 200).body == "ok\n")
    #expect(try await probe(server, "/metrics", 200).body.contains("roost_connections_open 1\n"))
    #expect(HTTPProbe.connect(port) == nil)
    client.hangUp()
    await stopped.value
    #expect(HTTPProbe.connect(server.adminPort) == nil)
  }

  @Test(arguments: [
    (AdminEndpoint(host: "0.0.0.0", port: 0), "'0.0.0.0' can be reached by other machines"),
    (AdminEndpoint(port: 0, token: "short"), "the token has 5 characters; it should be"),
    (AdminEndpoint(host: "256.0.0.1", port: 0), "no address is known for host '256.0.0.1'"),
  ])
  func badEndpointsAreRefusedBeforeTheStoreOpens(
    _ endpoint: AdminEndpoint, _ reason: String
  ) throws {
    try withTemporaryDirectory { folder in
      let path = folder.path + "/store"
      let error = #expect(throws: StoreError.self) {
        try RoostServer(ServerConfiguration(store: .file(path), port: 0, admin: endpoint))
      }
      #expect(error?.status == .invalidArgument)
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test func beyondThisMachineTheTokenIsAskedFor() async throws {
    let token = "0123456789abcdef0123456789abcdef"
    let server = try start(
      .memory, admin: AdminEndpoint(host: "0.0.0.0", port: 0, token: token))
    #expect(try await probe(server, "/healthz", 401).headers["www-authenticate"] != nil)
    let port = server.adminPort
    let status = try await onThread {
      HTTPProbe(port: port, "/healthz", headers: ["Authorization: Bearer \(token)"])?.status
    }
    #expect(status == 200)
    await server.stop()
  }

  @Test func aPortThatIsTakenIsNamedAndNothingStaysOpen() async throws {
    let server = try start(.memory)
    let second = try RoostServer(
      ServerConfiguration(
        store: .memory, port: 0, admin: AdminEndpoint(port: server.adminPort)))
    let error = #expect(throws: StoreError.self) { try second.start() }
    #expect(second.port != 0)
    #expect(HTTPProbe.connect(second.port) == nil)
    #expect(error?.message.contains("the admin address 127.0.0.1:\(server.adminPort)") == true)
    await server.stop()
  }
}
