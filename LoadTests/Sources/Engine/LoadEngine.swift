import RoostModel

/// Decides what is sent when, and counts what comes back; no clock, no sockets.
///
/// Each connection has `depth` slots, each slot carries one request at a time. In a closed loop a
/// slot sends when its answer came; in an open loop planned requests take whichever slot is free,
/// and wait, their clock running, when none is. What counts is every request whose (planned)
/// sending lies within the measured time, however late its answer comes.
///
/// Belongs to one thread.
final class LoadEngine<Port: CallPort> {
  private enum SlotState {
    /// Waits for its connection. Next: underWay or free.
    case idle
    /// In ``free``. Next: underWay, or idle when its connection is gone.
    case free
    /// Next: any other.
    case underWay
    /// In ``paused`` after a failure. Next: any other.
    case paused
  }

  private struct Slot {
    var state = SlotState.idle
    var operation = Operation.get
    var planned: UInt64 = 0
    /// The row of the write set a write works on.
    var writeIndex = 0
    /// What a write of the run's own rows does.
    var own: OwnWrite?
  }

  private(set) var plan: LoadPlan
  private(set) var underWay = 0
  /// Counted since the last ``takeInterval()``.
  private var interval = Tallies()
  /// What was sent before measuring began, to be shown only.
  private var warmUp = Tallies()
  /// How late open-loop requests were sent though a slot was free: the generator's own delay.
  private(set) var lag = Histogram()
  /// Planned requests that were never sent; see ``finish(now:)``.
  private(set) var unsent: UInt64 = 0
  /// When the last measured answer came.
  private(set) var lastAnswer: UInt64

  private unowned let port: Port
  /// Beside the plan, whose other parts it is used with.
  private var random: RandomSource
  private var slots: [Slot]
  private var isUp: [Bool]
  private var free: SlotQueue
  /// Slots that wait a moment because their last request failed.
  private var paused: [(slot: Int, until: UInt64)] = []

  init(_ plan: LoadPlan, port: Port) {
    self.plan = plan
    self.port = port
    random = plan.random
    let count = plan.connections * plan.depth
    slots = Array(repeating: Slot(), count: count)
    isUp = Array(repeating: false, count: plan.connections)
    free = SlotQueue(capacity: count)
    lastAnswer = plan.measureFrom
  }

  /// A connection can carry requests: its slots start.
  func connectionUp(_ connection: Int, now: UInt64) {
    isUp[connection] = true
    // Slots by turns over the connections, so that an open loop spreads its requests.
    for position in 0..<plan.depth {
      let slot = connection + position * plan.connections
      if slots[slot].state == .idle { release(slot, now: now) }
    }
  }

  /// A connection is gone; its requests have been answered with failures.
  func connectionDown(_ connection: Int) { isUp[connection] = false }

  /// A request has ended.
  func answered(_ index: Int, _ outcome: CallOutcome, now: UInt64) {
    let slot = slots[index]
    guard slot.state == .underWay else { return }
    slots[index].state = .idle
    underWay -= 1
    record(slot, outcome, now: now)
    settleWrite(slot, outcome)
    if case .failure = outcome {
      slots[index].state = .paused
      paused.append((index, now &+ LoadLimits.failurePauseNanoseconds))
    } else {
      release(index, now: now)
    }
  }

  /// What the request a slot carries does.
  func operation(_ slot: Int) -> Operation { slots[slot].operation }

  /// Sends what is due.
  ///
  /// - Returns: When to call again at the latest; nil when only answers matter.
  func advance(now: UInt64) -> UInt64? {
    resume(now: now)
    sendDue(now: now)
    let planned = free.isEmpty ? nil : plan.pacing?.next
    let pause = paused.first?.until
    guard let planned, let pause else { return planned ?? pause }
    return min(planned, pause)
  }

  /// Nothing is sent any more and nothing is under way.
  func isFinished(now: UInt64) -> Bool { now >= plan.end && underWay == 0 }

  /// Gives what was counted since the last time.
  func takeInterval(into tallies: inout Tallies) {
    swap(&interval, &tallies)
    interval.reset()
  }

  /// Gives what requests of the warm-up counted since the last time.
  func takeWarmUp(into tallies: inout Tallies) {
    swap(&warmUp, &tallies)
    warmUp.reset()
  }

  /// Nothing is sent from now on, as if the plan had ended here; answers still count.
  func endEarly(now: UInt64) {
    guard now < plan.end else { return }
    plan.end = now
    plan.pacing?.end(at: now)
  }

  /// Ends the run: what is still under way has failed, what is planned and was never sent has
  /// waited until now, which its latency has to say.
  func finish(now: UInt64) {
    let silence = FailureKind(
      code: .deadlineExceeded, detail: .none, message: "no answer when the run ended")
    for index in slots.indices where slots[index].state == .underWay {
      answered(index, .failure(silence, isOutcomeUnknown: true), now: now)
    }
    while let planned = plan.pacing?.next {
      plan.pacing?.advance()
      guard planned >= plan.measureFrom else { continue }
      unsent += 1
      let waited = now > planned ? now - planned : 0
      interval[plan.mix.choose(&random)].latencies.record(waited)
    }
  }

  private func record(_ slot: Slot, _ outcome: CallOutcome, now: UInt64) {
    let latency = now > slot.planned ? now - slot.planned : 0
    guard slot.planned >= plan.measureFrom else {
      return warmUp[slot.operation].add(outcome, after: latency)
    }
    lastAnswer = max(lastAnswer, now)
    interval[slot.operation].add(outcome, after: latency)
  }

  private func settleWrite(_ slot: Slot, _ outcome: CallOutcome) {
    if let own = slot.own { return settle(own, outcome) }
    guard slot.operation == .write else { return }
    switch outcome {
    case .success(let commit, _, _, _): plan.writes?.committed(slot.writeIndex, commit)
    case .failure(let kind, let isUnknown):
      let isForeign = kind.code == .failedPrecondition || kind.code == .notFound
      if isUnknown || isForeign {
        plan.writes?.abandoned(slot.writeIndex)
      } else {
        plan.writes?.refused(slot.writeIndex)
      }
    }
  }

  private func settle(_ write: OwnWrite, _ outcome: CallOutcome) {
    switch outcome {
    case .success(_, _, _, let row):
      switch write {
      case .insert(let number): plan.own?.inserted(number, row: row)
      case .upsert(let number, let version):
        plan.own?.upserted(number, row: row, version: version)
      case .delete(let row): plan.own?.deleted(row)
      }
    case .failure(_, let isUnknown):
      if isUnknown { plan.own?.abandoned(write) } else { plan.own?.refused(write) }
    }
  }

  /// The slot may carry the next request.
  private func release(_ slot: Int, now: UInt64) {
    slots[slot].state = .idle
    guard isUp[slot % plan.connections] else { return }
    guard let pacing = plan.pacing else {
      if now < plan.end { start(slot, planned: now) }
      return
    }
    if free.isEmpty, let planned = pacing.next, planned <= now {
      plan.pacing?.advance()
      start(slot, planned: planned)
    } else {
      slots[slot].state = .free
      free.append(slot)
    }
  }

  private func sendDue(now: UInt64) {
    while let planned = plan.pacing?.next, planned <= now, let slot = free.popFirst() {
      slots[slot].state = .idle
      // A slot of a lost connection comes back when the connection does.
      guard isUp[slot % plan.connections] else { continue }
      plan.pacing?.advance()
      if planned >= plan.measureFrom { lag.record(now - planned) }
      start(slot, planned: planned)
    }
  }

  private func resume(now: UInt64) {
    guard let first = paused.first, first.until <= now else { return }
    let due = paused.prefix { $0.until <= now }.map(\.slot)
    paused.removeFirst(due.count)
    for slot in due { release(slot, now: now) }
  }

  private func start(_ index: Int, planned: UInt64) {
    let operation = plan.mix.choose(&random)
    slots[index].operation = operation
    slots[index].planned = planned
    slots[index].own = nil
    slots[index].state = .underWay
    underWay += 1
    let body = makeBody(operation, slot: index)
    port.send(LoadRequest(body: body, connection: index % plan.connections, slot: index))
  }

  private func makeBody(_ operation: Operation, slot: Int) -> LoadRequest.Body {
    switch operation {
    case .get: return .get(row: chooseRow())
    case .batch: return .batch(rows: (0..<plan.batchKeys).map { _ in chooseRow() })
    case .lookup: return .lookup(plan.lookups.choose(&random))
    case .fetch: return .fetch(from: chooseRow())
    case .slow: return .slow(from: chooseRow())
    case .count: return .count(from: chooseRow())
    case .echo: return .echo
    case .stats: return .stats
    case .churn: return .churn
    case .upsert, .insert, .delete: return makeOwnWrite(operation, slot)
    case .write:
      guard let (index, write) = plan.writes?.begin(&random) else {
        // Every row near the chosen one is being written: this slot reads instead.
        slots[slot].operation = .get
        return .get(row: chooseRow())
      }
      slots[slot].writeIndex = index
      return .write(write)
    }
  }

  private func chooseRow() -> Int64 { plan.keys.row(at: plan.rows.choose(&random)) ?? 0 }

  /// A delete without a row to delete inserts one, an insert beyond the bound deletes one.
  private func makeOwnWrite(_ operation: Operation, _ slot: Int) -> LoadRequest.Body {
    var write: OwnWrite?
    switch operation {
    case .upsert: write = plan.own?.beginUpsert(&random).map { .upsert($0, version: $1) }
    case .delete: write = plan.own?.beginDelete(&random).map(OwnWrite.delete)
    default:
      if plan.own?.isFull == true {
        write = plan.own?.beginDelete(&random).map(OwnWrite.delete)
      }
    }
    let chosen = write ?? .insert(plan.own?.beginInsert() ?? 0)
    switch chosen {
    case .insert: slots[slot].operation = .insert
    case .upsert: slots[slot].operation = .upsert
    case .delete: slots[slot].operation = .delete
    }
    slots[slot].own = chosen
    return .own(chosen)
  }
}
