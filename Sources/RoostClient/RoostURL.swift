/// Where a Roost server listens: `roost://HOST:PORT`.
///
/// The port may be left out and is 7678 then. A literal IPv6 address stands in brackets.
public struct RoostURL: Hashable, Sendable {
  /// The port of a server that was told none.
  public static let defaultPort: UInt16 = 7678

  /// A name or a literal address, without brackets.
  public var host: String
  /// 1 to 65535.
  public var port: UInt16

  /// Names a host and port directly.
  public init(host: String, port: UInt16 = RoostURL.defaultPort) {
    self.host = host
    self.port = port
  }

  /// Reads `roost://HOST:PORT`.
  ///
  /// - Throws: ``ClientError`` with code `invalidURL` that says which part is wrong.
  public init(_ text: String) throws(ClientError) {
    let rest = try RoostURL.afterScheme(text)
    let (host, portText) = try RoostURL.split(rest, of: text)
    guard !host.isEmpty else { throw .invalidURL(text, "the host is missing") }
    guard host.utf8.count <= ClientLimits.hostBytesMax else {
      throw .invalidURL(text, "the host is longer than \(ClientLimits.hostBytesMax) bytes")
    }
    self.host = host
    guard let portText else {
      port = RoostURL.defaultPort
      return
    }
    guard portText.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }), let port = UInt16(portText),
      port > 0
    else { throw .invalidURL(text, "the port must be a number from 1 to 65535") }
    self.port = port
  }

  private static func afterScheme(_ text: String) throws(ClientError) -> Substring {
    guard let colon = text.firstRange(of: "://") else {
      throw .invalidURL(text, "it must start with roost://")
    }
    switch text[..<colon.lowerBound].lowercased() {
    case "roost": break
    case "roosts": throw .invalidURL(text, "TLS is not supported yet; use roost://")
    case let other: throw .invalidURL(text, "the scheme is \(other), it must be roost")
    }
    var rest = text[colon.upperBound...]
    if rest.last == "/" { rest.removeLast() }
    if let bad = rest.first(where: { "/?#@".contains($0) || $0.isWhitespace }) {
      throw .invalidURL(text, "only a host and a port may follow roost://, found \"\(bad)\"")
    }
    return rest
  }

  private static func split(
    _ rest: Substring, of text: String
  ) throws(ClientError) -> (host: String, port: Substring?) {
    guard rest.first == "[" else {
      let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
      guard parts.count <= 2 else {
        throw .invalidURL(text, "an IPv6 address stands in brackets: roost://[::1]:7678")
      }
      return (String(parts[0]), parts.count == 2 ? parts[1] : nil)
    }
    guard let close = rest.firstIndex(of: "]") else {
      throw .invalidURL(text, "the bracket of the address is not closed")
    }
    let host = String(rest[rest.index(after: rest.startIndex)..<close])
    let tail = rest[rest.index(after: close)...]
    if tail.isEmpty { return (host, nil) }
    guard tail.first == ":" else { throw .invalidURL(text, "a colon must follow the bracket") }
    return (host, tail.dropFirst())
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RoostURL: CustomStringConvertible {
  public var description: String {
    host.contains(":") ? "roost://[\(host)]:\(port)" : "roost://\(host):\(port)"
  }
}
