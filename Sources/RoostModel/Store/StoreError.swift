/// Why a store did not do what was asked, and what the caller may do about it.
///
/// `description` names no values and is safe to log.
public struct StoreError: Error, Hashable, Sendable {
  /// How the call ended.
  public var status: StatusCode
  /// The precise reason.
  public var detail: StatusDetail
  /// What went wrong, in a sentence without values.
  public var message: String
  /// The operation of a write that failed, from 0.
  public var operation: Int?
  /// The text of the error below, if there is one.
  public var cause: String?

  /// Makes one from its parts.
  public init(
    _ status: StatusCode, _ detail: StatusDetail, _ message: String, operation: Int? = nil,
    cause: String? = nil
  ) {
    self.status = status
    self.detail = detail
    self.message = message
    self.operation = operation
    self.cause = cause
  }

  /// Whether the same call may succeed later and is proven not to have been done.
  public var isRetryable: Bool {
    switch (status, detail) {
    case (.unavailable, _), (.aborted, _): true
    case (.resourceExhausted, .queue), (.resourceExhausted, .streams): true
    default: false
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension StoreError: CustomStringConvertible {
  public var description: String {
    let place = operation.map { " (operation \($0))" } ?? ""
    return "\(message)\(place) [\(status) \(detail.rawValue)]"
  }
}
