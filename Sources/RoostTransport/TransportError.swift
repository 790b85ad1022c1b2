/// Why a socket or the loop could not do what was asked.
package struct TransportError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    case badAddress
    case addressInUse
    case refused
    case permission
    case descriptors
    case closed
    case system
  }

  package var code: Code
  package var message: String
  /// `errno` of the call that failed; 0 if none did.
  package var errorNumber: Int32

  package init(_ code: Code, _ message: String, errorNumber: Int32 = 0) {
    self.code = code
    self.message = message
    self.errorNumber = errorNumber
  }

  package var description: String { message }
}
