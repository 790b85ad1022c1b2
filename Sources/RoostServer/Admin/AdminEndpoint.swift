/// Where a server answers `/metrics`, `/healthz` and `/readyz` over HTTP.
public struct AdminEndpoint: Hashable, Sendable {
  /// A numeric address or a name; one that other machines reach needs a token.
  public var host: String
  /// 0 takes a free port; ``RoostServer/adminPort`` tells which.
  public var port: UInt16
  /// What every request must bring as `Authorization: Bearer`: 16 to 1,024 visible ASCII
  /// characters. Nil asks for nothing.
  public var token: String?

  /// An endpoint for this machine only, unless the host says otherwise.
  public init(host: String = "127.0.0.1", port: UInt16, token: String? = nil) {
    self.host = host
    self.port = port
    self.token = token
  }
}
