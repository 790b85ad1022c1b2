import RoostModel

/// What a call does to the store, which decides whether it may be sent twice.
enum CallKind: Sendable {
  /// Changes nothing, or nothing when done twice.
  case repeatable
  /// Changes the store and leaves no trace by which a second one would be noticed.
  case write
  /// A stream: whoever reads it decides what a second one would mean.
  case stream
}

/// How an attempt ended without an answer that counts.
enum AttemptFailure {
  /// No connection could be made; nothing was sent.
  case notConnected(ClientError)
  /// The server said it would not look at it: its stream number is above GOAWAY's.
  case unprocessed(ClientError)
  /// The connection ended after the request was handed to it.
  case lost(ClientError)
  /// The server's status.
  case status(ClientError)

  var error: ClientError {
    switch self {
    case .notConnected(let error), .unprocessed(let error), .lost(let error), .status(let error):
      error
    }
  }
}

/// What to do next.
enum RetryVerdict: Equatable {
  /// Send it again after at least this long.
  case again(after: Duration)
  case fail(ClientError)
}

/// Which calls are sent again, how often and when: `Protocol/SPEC.md`, "Retry", as a value.
struct RetryPolicy: Sendable {
  var attemptsMax = ClientLimits.attemptsMax
  var backoff = Backoff(first: .milliseconds(50), factor: 2, most: .seconds(2))

  /// The verdict after attempt number `attempt`, counted from 1.
  ///
  /// `random` is uniform in 0..<1; it makes clients that failed together come back apart.
  func verdict(
    _ kind: CallKind, _ failure: AttemptFailure, attempt: Int, budget: inout RetryBudget,
    random: Double
  ) -> RetryVerdict {
    let (error, mayRepeat) = judge(kind, failure)
    guard mayRepeat, attempt < attemptsMax, budget.take() else { return .fail(error) }
    let wait = backoff.wait(before: attempt, random: random)
    return .again(after: max(wait, error.retryAfter ?? .zero))
  }

  private func judge(_ kind: CallKind, _ failure: AttemptFailure) -> (ClientError, Bool) {
    switch failure {
    case .notConnected(let error):
      return (error, error.isRetryable)
    case .unprocessed(let error):
      return (error, true)
    case .lost(let error):
      switch kind {
      case .repeatable: return (error, error.code == .connectionLost)
      case .stream: return (error, false)
      case .write: return (.outcomeUnknown(error), false)
      }
    case .status(let error):
      return (error, isProvenUndone(error, kind))
    }
  }

  /// UNAVAILABLE and full queues are said before anything ran; ABORTED is for the caller, who
  /// must read again before writing again.
  private func isProvenUndone(_ error: ClientError, _ kind: CallKind) -> Bool {
    switch (error.code, error.detail) {
    case (.status(.unavailable), .draining), (.status(.unavailable), .starting),
      (.status(.unavailable), .overloaded):
      true
    case (.resourceExhausted, .queue), (.resourceExhausted, .streams): true
    case (.status(.aborted), .snapshotExpired), (.status(.aborted), .lockConflict):
      kind == .repeatable
    default: false
    }
  }
}

/// Waits that grow by a factor, with jitter of a fifth either way.
struct Backoff: Sendable {
  var first: Duration
  var factor: Double
  var most: Duration

  func wait(before attempt: Int, random: Double) -> Duration {
    var wait = first
    for _ in 1..<max(1, min(attempt, 64)) where wait < most { wait = wait * factor }
    return min(wait, most) * (0.8 + 0.4 * random)
  }
}

/// Retries may be a tenth of what succeeds, so that a sick server is not hammered.
struct RetryBudget {
  private var tokens: Double
  private let most: Double

  init(most: Double = 100) {
    self.most = most
    tokens = most
  }

  mutating func succeeded() { tokens = min(most, tokens + 0.1) }

  /// Whether one more retry is allowed; takes it if so.
  mutating func take() -> Bool {
    guard tokens >= 1 else { return false }
    tokens -= 1
    return true
  }
}

extension ClientError {
  static func outcomeUnknown(_ cause: ClientError) -> ClientError {
    ClientError(
      .outcomeUnknown, .transport,
      "the connection was lost before the answer, so the write may or may not have happened",
      detail: .outcomeUnknown)
  }
}
