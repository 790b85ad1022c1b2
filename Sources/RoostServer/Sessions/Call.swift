import RoostModel
import RoostTransport
import RoostWire

/// A request that takes longer than the turn it came in, from its arrival to its end.
///
/// Whoever works for it on another thread hands the result to the main actor, where a call that is
/// over lets it fall.
@MainActor
class Call {
  let session: Session
  let stream: UInt32
  let method: WireMethod
  let started: LoopInstant
  /// On the loop's clock, so that tests move it.
  let deadline: LoopInstant?
  fileprivate(set) var isOver = false
  fileprivate var timer: TimerToken?

  init(_ request: IncomingRequest, in session: Session) {
    self.session = session
    stream = request.stream
    method = request.method
    let now = session.core.loop.now
    started = now
    deadline = request.timeoutMilliseconds.map { now.advanced(by: .milliseconds(Int($0))) }
  }

  /// What the client hears when its answer finds no room; nil if it may call again.
  var undeliverable: EndStatus? { nil }

  /// Stops what works for it; called once, when the call is over.
  func stop(_ status: EndStatus) {}

  /// The client no longer wants it. An override may let it run to its true outcome.
  func cancel() { session.finish(self, EndStatus(.cancelled, .none, "cancelled")) }

  /// Its time is up. An override may let it run to its true outcome.
  func expire() {
    session.finish(self, EndStatus(.deadlineExceeded, .deadlineWhileRunning, "time is up"))
  }

  /// An operator does not want it. An override may let it run to its true outcome.
  func endByOperator() {
    session.finish(self, EndStatus(.aborted, .endedByOperator, "ended by an operator"))
  }

  /// The client takes messages again.
  func writable() {}

  /// Another message of the client.
  func received(_ body: MessageBody, credit: Int, isLast: Bool) {}

  func inputEnded() {}

  /// Called now and then with the time; for stalls.
  func tick(_ now: LoopInstant) {}

  // MARK: For statistics

  var state: CallState { .running }

  /// Since when it holds a snapshot.
  var snapshotSince: LoopInstant? { nil }

  /// Rows it has sent or taken.
  var rowCount: Int { 0 }

  /// What it works on: the entity, if it is one, and words for people.
  ///
  /// - Complexity: Not for every call: it may take the request apart again.
  var subject: CallSubject { CallSubject() }
}

/// How far a call is, in the words of the section of operations.
enum CallState: String {
  /// For a reader or the writer.
  case waiting
  case running
  /// It waits for the client to take what is ready.
  case sending
}

/// What a call is about.
struct CallSubject {
  var entity: EntityID?
  var text = ""
}

extension Session {
  /// Keeps a call until it is finished, and watches its deadline.
  func begin(_ call: Call) {
    calls[call.stream] = call
    core.stats[call.method].start()
    guard let deadline = call.deadline else { return }
    let delay = deadline.elapsed(since: core.loop.now)
    call.timer = core.loop.schedule(after: delay) { [weak call] in
      if let call, !call.isOver { call.expire() }
    }
  }

  /// Ends a call without a reply, or with trailers only.
  func finish(_ call: Call, _ status: EndStatus) {
    guard close(call, status) else { return }
    connection.end(call.stream, status)
  }

  /// Ends a call with its only message.
  func finish(_ call: Call, reply body: (inout PackedWriter) -> Void) {
    guard close(call, .ok) else { return }
    connection.reply(call.stream, undeliverable: call.undeliverable, body)
  }

  func finish(_ call: Call, _ error: StoreError) { finish(call, EndStatus(error)) }

  private func close(_ call: Call, _ status: EndStatus) -> Bool {
    guard !call.isOver else { return false }
    over(call, status)
    calls[call.stream] = nil
    core.markDirty(self)
    return true
  }

  /// The connection is gone: nobody waits any more.
  func dropCalls() {
    let dropped = calls.values
    calls = [:]
    let gone = EndStatus(.cancelled, .none, "the connection is gone")
    for call in dropped where !call.isOver { over(call, gone) }
  }

  private func over(_ call: Call, _ status: EndStatus) {
    call.isOver = true
    if let timer = call.timer { core.loop.cancel(timer) }
    call.timer = nil
    let elapsed = core.loop.now.elapsed(since: call.started)
    countEnd(of: call.method, status, nanoseconds: elapsed.clampedNanoseconds)
    call.stop(status)
  }

  /// Counts a call that has ended for the server and for this client.
  func countEnd(of method: WireMethod, _ status: EndStatus, nanoseconds: UInt64) {
    core.stats.end(method, status, nanoseconds: nanoseconds)
    if status.isFailure { figures.failed &+= 1 }
  }
}
