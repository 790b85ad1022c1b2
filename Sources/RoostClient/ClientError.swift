public import RoostModel

/// Why a call failed, where, and what may be done about it.
///
/// `description` names no values of rows and is safe to log.
public struct ClientError: Error, Hashable, Sendable {
  /// Where the failure was found.
  public enum Place: String, Hashable, Sendable {
    /// In this program, before anything was sent.
    case local
    /// Between the two.
    case transport
    /// In the server, which answered with a status.
    case server
  }

  /// What failed; may grow, so a switch over it needs a default.
  public struct Code: Hashable, Sendable {
    enum Kind: Hashable {
      case invalidURL, unreachable, refused, notRoost, versionMismatch, connectionLost
      case outcomeUnknown, closed, badReply
      case status(StatusCode)
    }
    let kind: Kind

    /// The URL cannot be read.
    public static let invalidURL = Code(kind: .invalidURL)
    /// No way to the host, or it does not answer.
    public static let unreachable = Code(kind: .unreachable)
    /// The host answers, nothing listens at the port.
    public static let refused = Code(kind: .refused)
    /// Something listens, but it does not speak Roost's protocol.
    public static let notRoost = Code(kind: .notRoost)
    /// A Roost server without a protocol version in common.
    public static let versionMismatch = Code(kind: .versionMismatch)
    /// The connection ended before the answer.
    public static let connectionLost = Code(kind: .connectionLost)
    /// A write that may or may not have happened: its answer was lost, or the server cannot say.
    public static let outcomeUnknown = Code(kind: .outcomeUnknown)
    /// The client was closed.
    public static let closed = Code(kind: .closed)
    /// The server's answer breaks the protocol.
    public static let badReply = Code(kind: .badReply)
    /// The call was cancelled.
    public static let cancelled = Code.status(.cancelled)
    /// The call took longer than it may.
    public static let deadlineExceeded = Code.status(.deadlineExceeded)
    /// A bound was reached; the message names it.
    public static let resourceExhausted = Code.status(.resourceExhausted)
    /// The call itself is wrong.
    public static let invalidArgument = Code.status(.invalidArgument)

    /// A status of the protocol.
    public static func status(_ status: StatusCode) -> Code { Code(kind: .status(status)) }

    /// The status of the protocol that comes nearest.
    public var status: StatusCode {
      switch kind {
      case .status(let status): status
      case .invalidURL: .invalidArgument
      case .unreachable, .refused, .notRoost, .versionMismatch, .connectionLost, .closed:
        .unavailable
      case .outcomeUnknown, .badReply: .internal
      }
    }
  }

  /// What failed.
  public var code: Code
  /// Where it was found.
  public var place: Place
  /// The precise reason below a status; none for what the client found itself.
  public var detail: StatusDetail
  /// For people; names no values.
  public var message: String
  /// The operation of a write that failed, from 0.
  public var operation: Int?
  /// How long the server asks to wait before the next attempt.
  public var retryAfter: Duration?

  /// Makes an error; places other than the server's have no detail as a rule.
  public init(
    _ code: Code, _ place: Place, _ message: String, detail: StatusDetail = .none,
    operation: Int? = nil, retryAfter: Duration? = nil
  ) {
    self.code = code
    self.place = place
    self.detail = detail
    self.message = message
    self.operation = operation
    self.retryAfter = retryAfter
  }

  /// Whether the same call may succeed later and is proven not to have been done.
  ///
  /// The client has already tried as often as its policy allows.
  public var isRetryable: Bool {
    switch code.kind {
    case .unreachable, .refused: true
    case .status(let status): StoreError(status, detail, message).isRetryable
    default: false
    }
  }

  /// Whether no server could be spoken to at all.
  public var isUnreachable: Bool {
    switch code.kind {
    case .unreachable, .refused, .notRoost, .versionMismatch: true
    default: false
    }
  }
}

extension ClientError {
  static func invalidURL(_ text: String, _ reason: String) -> ClientError {
    ClientError(.invalidURL, .local, "\"\(text)\" is not a server's address: \(reason)")
  }

  static let closed = ClientError(.closed, .local, "the client is closed")

  static let cancelled = ClientError(.cancelled, .local, "the call was cancelled")

  static func badReply(_ what: String) -> ClientError {
    ClientError(.badReply, .transport, "the server's answer breaks the protocol: \(what)")
  }

  static let deadline = ClientError(
    .deadlineExceeded, .local, "no answer within the deadline", detail: .deadlineWhileRunning)
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ClientError: CustomStringConvertible {
  public var description: String {
    let step = operation.map { " (operation \($0))" } ?? ""
    guard place == .server else { return message + step }
    return "\(message)\(step) [\(code.status) \(detail.rawValue)]"
  }
}
