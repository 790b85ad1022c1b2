import RoostAdmin
import RoostModel
import RoostTransport

/// An admin endpoint whose address and token have been looked at.
struct AdminOpening {
  private let address: SocketAddress
  private let token: AdminToken?
  private let name: String

  /// - Throws: INVALID_ARGUMENT for an address that is not known, one that other machines reach
  ///   without a token, or a token that is none.
  init(_ endpoint: AdminEndpoint) throws(StoreError) {
    name = "\(endpoint.host):\(endpoint.port)"
    token = try AdminOpening.token(endpoint)
    do throws(TransportError) {
      let found = try SocketAddress.resolve(host: endpoint.host, port: endpoint.port)
      guard let first = found.first else {
        throw TransportError(.badAddress, "no address is known for '\(endpoint.host)'")
      }
      address = first
    } catch {
      throw StoreError(.invalidArgument, .badValue, "the admin address: \(error.message)")
    }
    guard address.isLoopback || token != nil else {
      throw StoreError(
        .invalidArgument, .badValue,
        """
        the admin address '\(endpoint.host)' can be reached by other machines, and there is no \
        token; use 127.0.0.1, or give one with --admin-token-file
        """)
    }
  }

  /// Listens and starts to answer.
  func serve(_ figures: AdminFigures) throws(StoreError) -> (server: AdminServer, port: UInt16) {
    let server = AdminServer(AdminRouter(figures, token: token))
    do throws(TransportError) {
      let socket = try Listener.socket(address, backlog: Int(AdminLimits.backlog))
      guard server.start(listening: socket.descriptor) else {
        throw TransportError(.system, "its thread cannot be started")
      }
      return (server, socket.port)
    } catch {
      throw StoreError(
        error.storeError.status, .none, "the admin address \(name): \(error.message)")
    }
  }

  private static func token(_ endpoint: AdminEndpoint) throws(StoreError) -> AdminToken? {
    guard let text = endpoint.token else { return nil }
    guard let token = AdminToken(text) else {
      let fault = AdminToken.fault(in: Array(text.utf8)) ?? "the token is not sound"
      throw StoreError(.invalidArgument, .badValue, "the admin address: \(fault)")
    }
    return token
  }
}

extension AdminEndpoint {
  /// What is wrong with a token and what would be right; nil if it is sound.
  package static func fault(inToken bytes: [UInt8]) -> String? { AdminToken.fault(in: bytes) }
}
