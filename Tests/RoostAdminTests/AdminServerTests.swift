import Dispatch
import Glibc
import RoostTestSupport
import Synchronization
import Testing

@testable import RoostAdmin

/// A source whose figures wait until they are let go.
private final class SlowSource: AdminSource {
  let gate = DispatchSemaphore(value: 0)
  let asked = DispatchSemaphore(value: 0)

  func reasonNotReady() -> String? { nil }

  func metrics() -> [MetricFamily]? {
    asked.signal()
    gate.wait()
    return []
  }
}

/// Over real sockets of this machine.
@Suite struct AdminServerTests {
  private func start(
    _ source: any AdminSource = FixedSource(), token: String? = nil
  ) throws -> (server: AdminServer, port: UInt16) {
    let socket = try #require(HTTPProbe.listener())
    let server = AdminServer(AdminRouter(source, token: token.flatMap { AdminToken($0) }))
    #expect(server.start(listening: socket.descriptor))
    return (server, socket.port)
  }

  @Test func answersAndCloses() throws {
    let (server, port) = try start()
    defer { server.stop() }
    let metrics = try #require(HTTPProbe(port: port, "/metrics?name=value"))
    #expect(metrics.status == 200)
    #expect(metrics.headers["content-type"] == PrometheusText.contentType)
    #expect(metrics.headers["connection"] == "close")
    #expect(try PrometheusParser(metrics.body).value("a_total") == 1)
    #expect(HTTPProbe(port: port, "/healthz")?.body == "ok\n")
    #expect(HTTPProbe(port: port, raw: "GET /readyz HTTP/1.0\r\n\r\n")?.status == 200)
  }

  @Test func headHasTheLengthAndNoBody() throws {
    let (server, port) = try start()
    defer { server.stop() }
    let full = try #require(HTTPProbe(port: port, "/metrics"))
    let head = try #require(HTTPProbe("HEAD", port: port, "/metrics"))
    #expect(head.status == 200)
    #expect(head.headers["content-length"] == "\(full.body.utf8.count)")
    #expect(head.body.isEmpty)
  }

  @Test func otherMethodsAndPathsAreRefused() throws {
    let (server, port) = try start()
    defer { server.stop() }
    #expect(HTTPProbe("DELETE", port: port, "/metrics")?.headers["allow"] == "GET, HEAD")
    #expect(HTTPProbe(port: port, "/")?.status == 404)
    // No body is waited for.
    let post = HTTPProbe("POST", port: port, "/metrics", headers: ["Content-Length: 1000000"])
    #expect(post?.status == 405)
  }

  @Test func aTokenIsAskedFor() throws {
    let (server, port) = try start(token: "0123456789abcdef")
    defer { server.stop() }
    let refusal = try #require(HTTPProbe(port: port, "/metrics"))
    #expect(refusal.status == 401)
    #expect(refusal.headers["www-authenticate"] == "Bearer realm=\"roost\"")
    let header = "Authorization: Bearer 0123456789abcdef"
    #expect(HTTPProbe(port: port, "/metrics", headers: [header])?.status == 200)
  }

  @Test func tooLargeARequestIsRefused() throws {
    let (server, port) = try start()
    defer { server.stop() }
    let large = String(repeating: "x", count: 2 * AdminLimits.connectionBytesMax)
    let header = try #require(HTTPProbe(port: port, "/metrics", headers: ["X: \(large)"]))
    #expect(header.status == 431 || header.status == 0)
    let path = try #require(HTTPProbe(port: port, "/" + large))
    #expect(path.status == 414 || path.status == 0)
    #expect(HTTPProbe(port: port, "/healthz")?.status == 200)
  }

  @Test(arguments: ["\r\n\r\n", "GET\r\n\r\n", "\0\u{1}\u{2}\r\n\r\n", "GET / FTP/9\r\n\r\n"])
  func nonsenseHarmsNobody(_ request: String) throws {
    let (server, port) = try start()
    defer { server.stop() }
    // A client that says no more.
    if let descriptor = HTTPProbe.connect(port) {
      _ = request.withCString { send(descriptor, $0, strlen($0), Int32(MSG_NOSIGNAL)) }
      close(descriptor)
    }
    #expect(HTTPProbe(port: port, "/healthz")?.status == 200)
  }

  /// The one waits for its figures; the other has no figures to wait for.
  @Test func aSlowScrapeHoldsUpNoProbe() throws {
    let source = SlowSource()
    let (server, port) = try start(source)
    defer { server.stop() }
    let scraped = DispatchSemaphore(value: 0)
    let status = Mutex(0)
    DispatchQueue(label: "scrape").async {
      let scrape = HTTPProbe(port: port, "/metrics")
      status.withLock { $0 = scrape?.status ?? 0 }
      scraped.signal()
    }
    source.asked.wait()
    #expect(HTTPProbe(port: port, "/healthz")?.status == 200)
    source.gate.signal()
    scraped.wait()
    #expect(status.withLock { $0 } == 200)
  }

  @Test func connectionsBeyondTheLimitWaitOrAreClosed() throws {
    let (server, port) = try start()
    defer { server.stop() }
    let idle = (0..<Int(AdminLimits.connectionsMax)).compactMap { _ in HTTPProbe.connect(port) }
    #expect(idle.count == Int(AdminLimits.connectionsMax))
    for descriptor in idle { close(descriptor) }
    // Their places are free again.
    #expect(HTTPProbe(port: port, "/healthz") != nil)
  }

  @Test func onceStoppedNothingListens() throws {
    let (server, port) = try start()
    #expect(HTTPProbe(port: port, "/healthz")?.status == 200)
    server.stop()
    server.stop()
    #expect(HTTPProbe(port: port, "/healthz") == nil)
  }
}
