import RoostModel
import RoostTransport
import RoostWire

/// Gives queries to readers: so many hold a snapshot at once, the others wait in order.
@MainActor
final class QueryScheduler {
  private unowned let core: ServerCore
  private var idle: [QueryReader] = []
  private(set) var readerCount = 0
  private var waiting: [QueryCall] = []
  private var firstWaiting = 0

  init(core: ServerCore) { self.core = core }

  var waitingCount: Int { waiting.count - firstWaiting }
  var runningCount: Int { readerCount - idle.count }

  /// Takes on a query; begins it here, so that its end is counted.
  func add(_ call: QueryCall) {
    let session = call.session
    session.begin(call)
    if let reader = takeReader() { return call.run(on: reader) }
    guard waitingCount < core.limits.queriesQueuedMax else {
      let limit = core.limits.queriesQueuedMax
      return session.finish(call, .queueFull("the queue of queries", limit))
    }
    waiting.append(call)
  }

  private func takeReader() -> QueryReader? {
    if let reader = idle.popLast() { return reader }
    guard readerCount < core.limits.snapshotsMax else { return nil }
    readerCount += 1
    return QueryReader(
      core.engine, feed: core.feed, clock: core.clock, strand: Strand(on: core.readers))
  }

  /// The reader's snapshot is given up; the next query may have it.
  func release(_ reader: QueryReader) {
    while firstWaiting < waiting.count {
      let call = waiting[firstWaiting]
      firstWaiting += 1
      if firstWaiting == waiting.count || firstWaiting > 1_024 {
        waiting.removeSubrange(..<firstWaiting)
        firstWaiting = 0
      }
      if call.isOver { continue }
      return call.run(on: reader)
    }
    idle.append(reader)
  }
}

/// A query and the reader that works for it.
@MainActor
class QueryCall: Call {
  let body: [UInt8]
  private(set) var reader: QueryReader?
  /// How long it waited for one.
  private var waited = Duration.zero

  init(_ request: IncomingRequest, _ body: [UInt8], in session: Session) {
    self.body = body
    super.init(request, in: session)
  }

  func run(on reader: QueryReader) {
    self.reader = reader
    waited = session.core.loop.now.elapsed(since: started)
    start(reader)
  }

  /// Sends the reader off; an override gives the work.
  func start(_ reader: QueryReader) {}

  /// The request, taken apart once more; nil if it is none.
  var query: Query? { nil }

  override var subject: CallSubject {
    // To take a large one apart again would hold up everybody whose calls are at hand.
    guard body.count <= StatisticsLimits.subjectBytesMax else {
      return CallSubject(text: "a query of \(body.count) bytes")
    }
    guard let query else { return CallSubject() }
    let schema = session.core.plans.schema
    return CallSubject(entity: query.entity, text: QueryText.text(query, schema: schema))
  }

  override func expire() {
    let detail: StatusDetail = reader == nil ? .deadlineBeforeStart : .deadlineWhileRunning
    session.finish(self, EndStatus(.deadlineExceeded, detail, "time is up"))
  }

  override var state: CallState { reader == nil ? .waiting : .running }

  override func stop(_ status: EndStatus) {
    guard let reader else { return }
    self.reader = nil
    // What it is at is cut short; then it gives its snapshot up and is free.
    reader.interrupt()
    let core = session.core
    let hasFailed = status.isFailure
    reader.strand.run { [self] in
      let cost = reader.assumeIsolated { $0.finish() }
      core.post {
        if let cost { self.record(cost, hasFailed: hasFailed) }
        core.queries.release(reader)
      }
    }
  }

  private func record(_ cost: QueryCost, hasFailed: Bool) {
    let core = session.core
    let ended = EndedQuery(
      cost: cost, waited: waited, hasFailed: hasFailed, client: session.id, agent: session.agent,
      ended: core.loop.now)
    core.record(ended) { subject.text }
  }
}

/// A count: one number from one snapshot.
@MainActor
final class CountCall: QueryCall {
  override var query: Query? {
    try? body.lend { bytes throws(MessageError) in
      try CountRequest.decode(bytes)
    }
  }

  override func start(_ reader: QueryReader) {
    let (body, session) = (body, session)
    let core = session.core
    reader.strand.run { [self] in
      let result = reader.assumeIsolated { $0.count(body) }
      core.post {
        switch result {
        case .success(let count):
          session.finish(self) { CountRequest.encodeReply(count, into: &$0) }
        case .failure(let error): session.finish(self, error)
        }
      }
    }
  }
}
