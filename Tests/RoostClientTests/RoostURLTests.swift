import RoostClient
import Testing

@Suite struct RoostURLTests {
  @Test(
    arguments: [
      ("roost://127.0.0.1:7678", "127.0.0.1", 7_678),
      ("roost://localhost", "localhost", 7_678),
      ("ROOST://db.example:1/", "db.example", 1),
      ("roost://[::1]:65535", "::1", 65_535),
      ("roost://[fe80::1]", "fe80::1", 7_678),
    ] as [(String, String, UInt16)])
  func readsHostAndPort(_ text: String, _ host: String, _ port: UInt16) throws {
    let url = try RoostURL(text)
    #expect(url == RoostURL(host: host, port: port))
    #expect(try RoostURL(url.description) == url)
  }

  @Test(
    arguments: [
      ("", "must start with roost://"),
      ("127.0.0.1:7678", "must start with roost://"),
      ("http://localhost", "the scheme is http"),
      ("roosts://localhost", "TLS is not supported yet"),
      ("roost://", "host is missing"),
      ("roost://:80", "host is missing"),
      ("roost://[]:80", "host is missing"),
      ("roost://host:", "port must be a number"),
      ("roost://host:0", "port must be a number"),
      ("roost://host:65536", "port must be a number"),
      ("roost://host:+80", "port must be a number"),
      ("roost://host:8x", "port must be a number"),
      ("roost://::1:80", "stands in brackets"),
      ("roost://[::1", "not closed"),
      ("roost://[::1]80", "colon must follow"),
      ("roost://host/path", "only a host and a port"),
      ("roost://user@host", "only a host and a port"),
      ("roost://ho st", "only a host and a port"),
      ("roost://host:80?x=1", "only a host and a port"),
      ("roost://" + String(repeating: "a", count: 254), "longer than 253"),
    ])
  func saysWhatIsWrong(_ text: String, _ reason: String) {
    let error = #expect(throws: ClientError.self) { try RoostURL(text) }
    #expect(error?.code == .invalidURL)
    #expect(error?.place == .local)
    #expect(error?.description.contains(reason) == true)
  }
}
