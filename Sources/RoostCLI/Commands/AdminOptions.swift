import RoostImport
import RoostServer

/// What `roost serve` was asked for its admin port.
struct AdminOptions: Hashable {
  var host: String
  var port: UInt16
  var tokenFile: String?

  /// Nil without `--admin`.
  init?(_ arguments: ParsedArguments) throws(CommandFault) {
    tokenFile = arguments.value("admin-token-file")
    guard let text = arguments.value("admin") else {
      guard tokenFile == nil else {
        throw CommandFault("--admin-token-file: there is no admin port; name it, --admin HOST:PORT")
      }
      return nil
    }
    (host, port) = try AdminOptions.address(text)
  }

  /// The host as a URL has it.
  var name: String { host.contains(":") ? "[\(host)]" : host }

  /// `HOST:PORT`, `[::1]:PORT` or `:PORT`; there is no usual port to leave out.
  static func address(_ text: String) throws(CommandFault) -> (host: String, port: UInt16) {
    let fault = CommandFault(
      "--admin \(text): should be HOST:PORT with a port of 0 to 65535, such as 127.0.0.1:7679")
    guard let colon = text.lastIndex(of: ":") else { throw fault }
    var host = text[..<colon]
    let digits = text[text.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits) else {
      throw fault
    }
    if host.hasPrefix("["), host.hasSuffix("]") {
      host = host.dropFirst().dropLast()
      guard host.contains(":") else { throw fault }
    } else if host.contains(":") {
      throw CommandFault("--admin \(text): an IPv6 address stands in brackets, such as [::1]:7679")
    }
    return (host.isEmpty ? "127.0.0.1" : String(host), port)
  }

  func endpoint() throws -> AdminEndpoint {
    AdminEndpoint(host: host, port: port, token: try tokenFile.map(AdminOptions.token))
  }

  private static func token(_ path: String) throws -> String {
    let name = "--admin-token-file \(path)"
    let bytes = try InputFile.readAll(path, bytesMax: tokenFileBytesMax)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if let index = lines.dropFirst().firstIndex(where: { !$0.isEmpty }) {
      throw CommandFault("\(name), line \(index + 1): should not be there; a token is one line")
    }
    var line = Array(lines.first ?? [])
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    if let fault = AdminEndpoint.fault(inToken: line) {
      throw CommandFault("\(name), line 1: \(fault)")
    }
    return String(decoding: line, as: UTF8.self)
  }

  private static let tokenFileBytesMax = 1 << 20
}
