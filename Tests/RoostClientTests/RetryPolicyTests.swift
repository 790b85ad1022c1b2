import RoostModel
import Testing

@testable import RoostClient

@Suite struct RetryPolicyTests {
  static func status(_ code: StatusCode, _ detail: StatusDetail = .none) -> AttemptFailure {
    .status(ClientError(.status(code), .server, "x", detail: detail))
  }
  static let lost = AttemptFailure.lost(ClientError(.connectionLost, .transport, "x"))
  static let unprocessed = AttemptFailure.unprocessed(
    ClientError(.status(.unavailable), .server, "x", detail: .draining))
  static let refused = AttemptFailure.notConnected(ClientError(.refused, .transport, "x"))

  private func retries(_ kind: CallKind, _ failure: AttemptFailure) -> Bool {
    var budget = RetryBudget()
    let verdict = RetryPolicy().verdict(kind, failure, attempt: 1, budget: &budget, random: 0.5)
    if case .again = verdict { return true }
    return false
  }

  @Test(arguments: [CallKind.repeatable, .write, .stream])
  func whatTheServerNeverSawIsSentAgain(_ kind: CallKind) {
    #expect(retries(kind, Self.unprocessed))
    #expect(retries(kind, Self.refused))
    for detail in [StatusDetail.draining, .starting, .overloaded] {
      #expect(retries(kind, Self.status(.unavailable, detail)))
    }
    #expect(retries(kind, Self.status(.resourceExhausted, .streams)))
    #expect(retries(kind, Self.status(.resourceExhausted, .queue)))
  }

  @Test func aLostReadIsSentAgainALostStreamIsNot() {
    #expect(retries(.repeatable, Self.lost))
    #expect(!retries(.stream, Self.lost))
  }

  @Test func aLostWriteHasAnUnknownOutcome() {
    var budget = RetryBudget()
    let verdict = RetryPolicy().verdict(
      .write, Self.lost, attempt: 1, budget: &budget, random: 0)
    guard case .fail(let error) = verdict else {
      Issue.record("a lost write was sent again")
      return
    }
    #expect(error.code == .outcomeUnknown)
    #expect(error.detail == .outcomeUnknown)
    #expect(!error.isRetryable)
  }

  @Test(
    arguments: [
      StatusCode.invalidArgument, .deadlineExceeded, .notFound, .alreadyExists,
      .permissionDenied, .failedPrecondition, .outOfRange, .unimplemented, .internal, .dataLoss,
      .unauthenticated, .cancelled,
    ])
  func aDecidedAnswerIsFinal(_ code: StatusCode) {
    for kind in [CallKind.repeatable, .write, .stream] {
      #expect(!retries(kind, Self.status(code)))
    }
    #expect(!retries(.repeatable, Self.status(.resourceExhausted, .messageSize)))
    #expect(!retries(.repeatable, Self.status(.resourceExhausted, .diskFull)))
  }

  @Test func anAbortedReadIsRepeatedAnAbortedWriteIsTheCallersToJudge() {
    #expect(retries(.repeatable, Self.status(.aborted, .snapshotExpired)))
    #expect(!retries(.write, Self.status(.aborted, .lockConflict)))
    #expect(!retries(.stream, Self.status(.aborted, .importSuperseded)))
  }

  @Test func stopsAfterTheLastAttempt() {
    var budget = RetryBudget()
    let policy = RetryPolicy()
    for attempt in 1..<ClientLimits.attemptsMax {
      let verdict = policy.verdict(
        .repeatable, Self.lost, attempt: attempt, budget: &budget, random: 0.5)
      #expect(verdict != .fail(Self.lost.error))
    }
    let last = policy.verdict(
      .repeatable, Self.lost, attempt: ClientLimits.attemptsMax, budget: &budget, random: 0.5)
    #expect(last == .fail(Self.lost.error))
  }

  @Test func anEmptyBudgetStopsRetriesUntilCallsSucceed() {
    var budget = RetryBudget(most: 2)
    let taken = (0..<3).map { _ in budget.take() }
    #expect(taken == [true, true, false])
    for _ in 0..<9 { budget.succeeded() }
    let early = budget.take()
    #expect(!early)
    for _ in 0..<2 { budget.succeeded() }
    let later = budget.take()
    #expect(later)
  }

  @Test func waitsGrowWithinJitterAndNeverPassTheirBound() {
    let backoff = Backoff(first: .milliseconds(50), factor: 2, most: .seconds(2))
    #expect(backoff.wait(before: 1, random: 0) == .milliseconds(40))
    #expect(backoff.wait(before: 1, random: 0.5) == .milliseconds(50))
    #expect(backoff.wait(before: 3, random: 0.5) == .milliseconds(200))
    for attempt in [20, 1_000, Int.max] {
      #expect(backoff.wait(before: attempt, random: 0.999) <= .milliseconds(2_400))
    }
  }

  @Test func aServersWordOnWaitingIsHeard() {
    var budget = RetryBudget()
    let error = ClientError(
      .resourceExhausted, .server, "x", detail: .queue, retryAfter: .seconds(3))
    let verdict = RetryPolicy().verdict(
      .write, .status(error), attempt: 1, budget: &budget, random: 0.5)
    #expect(verdict == .again(after: .seconds(3)))
  }
}
