import RoostTestSupport
import Testing

@testable import RoostAdmin

/// A source that says what it is told to.
struct FixedSource: AdminSource {
  var reason: String?
  var families: [MetricFamily]? = [MetricFamily("a_total", .counter, "A.", .natural(1))]

  func reasonNotReady() -> String? { reason }
  func metrics() -> [MetricFamily]? { families }
}

@Suite struct AdminRouterTests {
  private func answer(
    _ path: String, method: String = "GET", _ source: FixedSource = FixedSource(),
    token: String? = nil, authorization: String? = nil
  ) -> AdminAnswer {
    AdminRouter(source, token: token.flatMap { AdminToken($0) }).answer(
      method: method, path: path, authorization: authorization.map { Array($0.utf8) })
  }

  @Test func healthSaysOKWhateverTheSourceSays() {
    let source = FixedSource(reason: "draining", families: nil)
    #expect(answer("/healthz", source).status == 200)
    #expect(answer("/readyz", source).status == 503)
    #expect(String(decoding: answer("/readyz", source).body, as: UTF8.self).contains("draining"))
    #expect(answer("/metrics", source).status == 503)
    #expect(answer("/readyz").status == 200)
  }

  @Test func metricsHaveTheirContentType() {
    let metrics = answer("/metrics")
    #expect(metrics.status == 200)
    #expect(metrics.contentType == "text/plain; version=0.0.4; charset=utf-8")
    #expect(String(decoding: metrics.body, as: UTF8.self).hasSuffix("a_total 1\n"))
  }

  @Test(arguments: ["POST", "PUT", "DELETE", "OPTIONS", "TRACE", "get", "BREW"])
  func otherMethodsAreToldWhichThereAre(_ method: String) {
    let refusal = answer("/metrics", method: method)
    #expect(refusal.status == 405)
    #expect(refusal.headers.map(\.name) == ["Allow"])
    #expect(refusal.headers.map(\.value) == ["GET, HEAD"])
  }

  @Test(arguments: ["/", "", "/metrics/", "/Metrics", "/healthz/../metrics", "//metrics"])
  func otherPathsAreNotFound(_ path: String) { #expect(answer(path).status == 404) }

  @Test(arguments: ["/metrics", "/healthz", "/readyz", "/nowhere"])
  func withATokenEveryPathWantsIt(_ path: String) {
    let token = "0123456789abcdef"
    for wrong in [
      nil, "", "Bearer", "Bearer ", "Bearer 0123456789abcdeg", "Bearer 0123456789abcde",
      "Bearer 0123456789abcdef0", "Basic 0123456789abcdef", "0123456789abcdef",
      "Bearer  0123456789abcdef", "Bearer 0123456789ABCDEF",
    ] {
      let refusal = answer(path, token: token, authorization: wrong)
      #expect(refusal.status == 401, "\(wrong ?? "none")")
      #expect(refusal.headers.first?.name == "WWW-Authenticate")
    }
    for right in ["Bearer 0123456789abcdef", "bearer 0123456789abcdef"] {
      let status = answer(path, token: token, authorization: right).status
      #expect(status == (path == "/nowhere" ? 404 : 200))
    }
  }

  @Test(arguments: [
    "", "short", "0123456789abcde", "0123456789abcdef ", "0123456789 abcdef", "0123456789abcdéfg",
    String(repeating: "x", count: 1_025),
  ])
  func aTokenIsOneLongWord(_ text: String) {
    #expect(AdminToken(text) == nil)
    #expect(AdminToken.fault(in: Array(text.utf8))?.contains("16 to 1024") == true)
  }
}
