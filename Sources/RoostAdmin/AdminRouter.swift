/// Which answer a request gets: pure, but for what the source tells.
package struct AdminRouter: Sendable {
  private let source: any AdminSource
  private let token: AdminToken?

  package init(_ source: any AdminSource, token: AdminToken?) {
    self.source = source
    self.token = token
  }

  /// The path comes without the query behind `?`; the authorization is nil without that header.
  package func answer(method: String, path: String, authorization: [UInt8]?) -> AdminAnswer {
    if let token, !token.matches(authorization ?? []) {
      return AdminAnswer(
        401, "this port wants a token: Authorization: Bearer TOKEN",
        [("WWW-Authenticate", "Bearer realm=\"roost\"")])
    }
    guard let endpoint = Endpoint(rawValue: path) else {
      let known = Endpoint.allCases.map(\.rawValue).joined(separator: ", ")
      return AdminAnswer(404, "there is nothing here; there are \(known)")
    }
    guard method == "GET" || method == "HEAD" else {
      return AdminAnswer(405, "only GET and HEAD are served here", [("Allow", "GET, HEAD")])
    }
    return answer(endpoint)
  }

  private enum Endpoint: String, CaseIterable {
    case metrics = "/metrics"
    case health = "/healthz"
    case ready = "/readyz"
  }

  private func answer(_ endpoint: Endpoint) -> AdminAnswer {
    switch endpoint {
    case .health: return AdminAnswer(200, "ok")
    case .ready:
      guard let reason = source.reasonNotReady() else { return AdminAnswer(200, "ready") }
      return AdminAnswer(503, "not ready: \(reason)")
    case .metrics:
      guard let families = source.metrics() else {
        return AdminAnswer(503, "the server does not give its figures: it is busy or closing")
      }
      var answer = AdminAnswer(200, "")
      answer.body = Array(PrometheusText.text(families).utf8)
      answer.contentType = PrometheusText.contentType
      return answer
    }
  }
}

/// A status, headers and a body.
package struct AdminAnswer: Sendable {
  package var status: UInt32
  package var contentType = "text/plain; charset=utf-8"
  /// Beyond the content's type.
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]

  /// One line of text.
  init(_ status: UInt32, _ line: String, _ headers: [(name: String, value: String)] = []) {
    self.status = status
    self.headers = headers
    body = Array("\(line)\n".utf8)
  }
}
