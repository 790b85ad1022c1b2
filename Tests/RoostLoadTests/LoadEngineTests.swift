import RoostModel
import Testing

@testable import RoostLoad

/// Keeps what an engine sends; the test answers.
private final class Script: CallPort {
  var sent: [LoadRequest] = []
  func send(_ request: LoadRequest) { sent.append(request) }

  func take() -> [LoadRequest] {
    defer { sent = [] }
    return sent
  }
}

private let success = CallOutcome.success(commit: 0, rows: 1, bytes: 10)
private let millisecond: UInt64 = 1_000_000

@Suite struct LoadEngineTests {
  private let script = Script()

  private func plan(
    connections: Int = 2, depth: Int = 1, rate: UInt64? = nil, mix: Mix = .getsOnly
  ) -> LoadPlan {
    var keys = KeySpace()
    for row in 1...100 { keys.append(Int64(row)) }
    let pacing = rate.map { Pacing(start: 0, end: 1_000 * millisecond, ratePerSecond: $0) }
    return LoadPlan(
      mix: mix, keys: keys, writes: nil,
      rows: KeyChooser(count: keys.count, distribution: .uniform), connections: connections,
      depth: depth, start: 0,
      measureFrom: 200 * millisecond, end: 1_000 * millisecond,
      grid: TimeGrid(
        start: 0, measureFrom: 200 * millisecond, end: 1_000 * millisecond, intervalSeconds: 1),
      pacing: pacing,
      random: RandomSource(seed: 1))
  }

  private func tallies(_ engine: LoadEngine<Script>) -> Tallies {
    var tallies = Tallies()
    engine.takeInterval(into: &tallies)
    return tallies
  }

  @Test func aClosedLoopKeepsEverySlotBusy() {
    let engine = LoadEngine(plan(connections: 3, depth: 2), port: script)
    for connection in 0..<3 { engine.connectionUp(connection, now: 0) }
    let first = script.take()
    #expect(first.map(\.connection).sorted() == [0, 0, 1, 1, 2, 2])
    engine.answered(first[0].slot, success, now: 5)
    let next = script.take()
    #expect(next.map(\.slot) == [first[0].slot])
    #expect(engine.underWay == 6)
  }

  @Test func whatIsSentDuringTheWarmUpIsNotMeasured() {
    let engine = LoadEngine(plan(connections: 1), port: script)
    engine.connectionUp(0, now: 0)
    engine.answered(script.take()[0].slot, success, now: 210 * millisecond)
    #expect(tallies(engine).total.requests == 0)
    engine.answered(script.take()[0].slot, success, now: 215 * millisecond)
    let tally = tallies(engine)[.get]
    #expect(tally.requests == 1)
    #expect(tally.rows == 1)
    #expect(tally.latencies.max == 5 * millisecond)
  }

  @Test func nothingIsSentAfterTheEndAndLateAnswersCount() {
    let engine = LoadEngine(plan(connections: 1), port: script)
    engine.connectionUp(0, now: 900 * millisecond)
    let request = script.take()[0]
    #expect(!engine.isFinished(now: 1_000 * millisecond))
    engine.answered(request.slot, success, now: 1_500 * millisecond)
    #expect(script.take().isEmpty)
    #expect(engine.isFinished(now: 1_500 * millisecond))
    #expect(engine.lastAnswer == 1_500 * millisecond)
    #expect(tallies(engine)[.get].latencies.max == 600 * millisecond)
  }

  @Test func anOpenLoopSendsAtThePlannedMoments() {
    let engine = LoadEngine(plan(connections: 2, depth: 4, rate: 1_000), port: script)
    engine.connectionUp(0, now: 0)
    engine.connectionUp(1, now: 0)
    #expect(engine.advance(now: 0) == 1 * millisecond)
    #expect(script.take().count == 1)
    #expect(engine.advance(now: 999_999) == 1 * millisecond)
    #expect(script.take().isEmpty)
    #expect(engine.advance(now: 3 * millisecond) == 4 * millisecond)
    #expect(script.take().count == 3)
  }

  @Test func anOpenLoopSpreadsRequestsOverConnections() {
    let engine = LoadEngine(plan(connections: 3, depth: 2, rate: 1_000), port: script)
    for connection in 0..<3 { engine.connectionUp(connection, now: 0) }
    _ = engine.advance(now: 5 * millisecond)
    let counts = Dictionary(grouping: script.take(), by: \.connection).mapValues(\.count)
    #expect(counts == [0: 2, 1: 2, 2: 2])
  }

  /// The trap every naive generator falls into: while the server stalls nothing is sent, and the
  /// requests that should have been sent leave no trace.
  @Test func aStallShowsInTheLatencyOfEveryPlannedRequest() {
    let engine = LoadEngine(plan(connections: 1, depth: 1, rate: 1_000), port: script)
    engine.connectionUp(0, now: 300 * millisecond)
    // What was planned before the connection came is due at once; let it pass.
    while let request = script.take().first {
      engine.answered(request.slot, success, now: 300 * millisecond)
      _ = engine.advance(now: 300 * millisecond)
    }
    _ = tallies(engine)
    // The request of 301 ms is answered at 401 ms, all behind it at once.
    _ = engine.advance(now: 301 * millisecond)
    while let request = script.take().first {
      engine.answered(request.slot, success, now: 401 * millisecond)
    }
    let latencies = tallies(engine)[.get].latencies
    #expect(latencies.count == 101)
    #expect(latencies.max == 100 * millisecond)
    let median = latencies.value(atQuantile: 0.5)
    #expect(median >= 50 * millisecond && median <= 51 * millisecond)
  }

  @Test func plannedRequestsThatWereNeverSentHaveWaitedUntilTheEnd() {
    let engine = LoadEngine(plan(connections: 1, rate: 1_000), port: script)
    engine.connectionUp(0, now: 0)
    _ = engine.advance(now: 0)
    #expect(script.take().count == 1)
    engine.finish(now: 1_000 * millisecond)
    #expect(engine.unsent == 800)
    let tally = tallies(engine)[.get]
    // The one that was sent belongs to the warm-up.
    #expect(tally.requests == 0)
    #expect(tally.latencies.count == 800)
    #expect(tally.latencies.max == 800 * millisecond)
  }

  /// What was planned for after an interruption has not waited, let alone until then.
  @Test func anInterruptedPlanForgetsWhatWasYetToCome() {
    let engine = LoadEngine(plan(connections: 1, rate: 1_000), port: script)
    engine.connectionUp(0, now: 0)
    _ = engine.advance(now: 300 * millisecond)
    while let request = script.take().first {
      engine.answered(request.slot, success, now: 300 * millisecond)
    }
    engine.endEarly(now: 301 * millisecond)
    #expect(engine.advance(now: 400 * millisecond) == nil)
    for request in script.take() {
      engine.answered(request.slot, success, now: 302 * millisecond)
    }
    #expect(engine.isFinished(now: 302 * millisecond))
    engine.finish(now: 302 * millisecond)
    #expect(engine.unsent <= 1)
    let tally = tallies(engine)[.get]
    #expect(tally.errors == 0)
    #expect(tally.latencies.max <= 102 * millisecond)
  }

  @Test func anInterruptionAfterTheEndChangesNothing() {
    let engine = LoadEngine(plan(connections: 1, rate: 1_000), port: script)
    engine.endEarly(now: 5_000 * millisecond)
    #expect(engine.plan.end == 1_000 * millisecond)
    #expect(engine.plan.pacing?.remaining == 1_000)
  }

  @Test func whatIsStillUnderWayAtTheEndHasFailed() {
    let engine = LoadEngine(plan(connections: 1), port: script)
    engine.connectionUp(0, now: 500 * millisecond)
    engine.finish(now: 2_000 * millisecond)
    let tally = tallies(engine)[.get]
    #expect(tally.errors == 1)
    #expect(tally.failures.keys.first?.code == .deadlineExceeded)
    #expect(tally.latencies.max == 1_500 * millisecond)
    #expect(engine.underWay == 0)
  }

  @Test func aFailedSlotRestsBeforeItSendsAgain() {
    let engine = LoadEngine(plan(connections: 1), port: script)
    engine.connectionUp(0, now: 300 * millisecond)
    let kind = FailureKind(code: .resourceExhausted, detail: .queue, message: "full")
    engine.answered(
      script.take()[0].slot, .failure(kind, isOutcomeUnknown: false), now: 301 * millisecond)
    #expect(script.take().isEmpty)
    let wake = 301 * millisecond + LoadLimits.failurePauseNanoseconds
    #expect(engine.advance(now: 302 * millisecond) == wake)
    #expect(script.take().isEmpty)
    #expect(engine.advance(now: wake) == nil)
    #expect(script.take().count == 1)
    let tally = tallies(engine)[.get]
    #expect(tally.failures == [kind: 1])
    #expect(tally.latencies.isEmpty)
  }

  @Test(arguments: [nil, UInt64(1_000)])
  func aLostConnectionSendsNothingUntilItIsBack(_ rate: UInt64?) {
    let engine = LoadEngine(plan(connections: 2, depth: 2, rate: rate), port: script)
    engine.connectionUp(0, now: 0)
    engine.connectionUp(1, now: 0)
    _ = engine.advance(now: 3 * millisecond)
    let kind = FailureKind(code: .unavailable, detail: .none, message: "lost")
    engine.connectionDown(0)
    for request in script.take() where request.connection == 0 {
      engine.answered(request.slot, .failure(kind, isOutcomeUnknown: false), now: 4 * millisecond)
    }
    _ = engine.advance(now: 50 * millisecond)
    #expect(!script.take().contains { $0.connection == 0 })
    engine.connectionUp(0, now: 60 * millisecond)
    _ = engine.advance(now: 60 * millisecond)
    let again = script.take().filter { $0.connection == 0 }
    #expect(again.count == 2)
    // Up twice is up once.
    engine.connectionUp(0, now: 61 * millisecond)
    #expect(script.take().isEmpty)
  }

  @Test func writesThatFindEveryRowBusyReadInstead() throws {
    var plan = plan(connections: 3, mix: try Mix("write=1"))
    let property = PropertySchema(id: 1, name: "a", kind: .attribute(.int), isOptional: true)
    plan.writes = WriteSet(
      entity: 1, property: property, samples: [(row: 1, value: .int(1)), (row: 2, value: .int(2))],
      revision: 5)
    plan.measureFrom = 0
    let engine = LoadEngine(plan, port: script)
    for connection in 0..<3 { engine.connectionUp(connection, now: 0) }
    let sent = script.take()
    for request in sent.prefix(2) {
      #expect(isWrite(request))
    }
    #expect(!isWrite(sent[2]))
    engine.answered(sent[2].slot, success, now: 5)
    engine.answered(sent[0].slot, .success(commit: 6, rows: 1, bytes: 8), now: 6)
    let tallies = tallies(engine)
    #expect(tallies[.get].requests == 1)
    #expect(tallies[.write].requests == 1)
  }

  private func isWrite(_ request: LoadRequest) -> Bool {
    if case .write = request.body { true } else { false }
  }

  @Test func anAnswerToNothingIsPassedOver() {
    let engine = LoadEngine(plan(connections: 1), port: script)
    engine.answered(0, success, now: 500 * millisecond)
    #expect(engine.underWay == 0)
    #expect(tallies(engine).total.requests == 0)
  }
}
