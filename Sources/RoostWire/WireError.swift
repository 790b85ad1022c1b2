package import RoostModel

/// The peer broke the contract: the connection ends with a final GOAWAY that says so.
package struct WireError: Error, Hashable, Sendable {
  package var status: StatusCode
  package var detail: StatusDetail
  package var message: String

  package init(_ status: StatusCode, _ detail: StatusDetail, _ message: String) {
    self.status = status
    self.detail = detail
    self.message = message
  }

  package static func violation(_ message: String) -> WireError {
    WireError(.invalidArgument, .protocolViolation, message)
  }
}

extension WireError: CustomStringConvertible {
  package var description: String { "\(message) [\(status) \(detail.rawValue)]" }
}

/// A message's bytes do not say what its method expects; ends the stream, not the connection.
package struct MessageError: Error, Hashable, Sendable {
  package var detail: StatusDetail
  package var message: String

  package init(_ detail: StatusDetail, _ message: String) {
    self.detail = detail
    self.message = message
  }

  package init(_ error: PackedError) {
    self.init(.badValue, error.description)
  }

  package var storeError: StoreError { StoreError(.invalidArgument, detail, message) }
}
