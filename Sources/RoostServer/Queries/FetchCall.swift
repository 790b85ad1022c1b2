import RoostModel
import RoostTransport
import RoostWire

/// A fetch: one snapshot, read a step ahead of what the client takes.
///
/// idle → reading → (messages wait → reading)… → done. A step is asked for only when the one
/// before has been answered, and only one answered step waits at most.
@MainActor
final class FetchCall: QueryCall {
  private var ready: [[UInt8]] = []
  private var nextReady = 0
  private var isReading = false
  private var end: FetchEnd?
  private var rowsRead = 0
  private var lastProgress = LoopInstant(nanoseconds: 0)
  private var runningSince: LoopInstant?

  override func start(_ reader: QueryReader) {
    lastProgress = session.core.loop.now
    runningSince = lastProgress
    let (body, rowBytesMax) = (body, session.connection.replyBytesMax)
    step { $0.beginFetch(body, rowBytesMax: rowBytesMax) }
  }

  private func step(_ work: @escaping @Sendable (isolated QueryReader) -> FetchStep) {
    guard let reader else { return }
    isReading = true
    let core = session.core
    reader.strand.run { [self] in
      let step = reader.assumeIsolated { work($0) }
      core.post { self.took(step) }
    }
  }

  private func took(_ step: FetchStep) {
    isReading = false
    guard !isOver else { return }
    switch step {
    case .messages(let messages, let rows):
      rowsRead += rows
      ready.append(contentsOf: messages)
      pump()
    case .end(let end):
      self.end = end
      pump()
    case .failed(let error): session.finish(self, error)
    }
  }

  /// Sends what is ready and may go, then has more read.
  private func pump() {
    while nextReady < ready.count {
      guard session.hasRoom, session.connection.isWritable(stream) else { break }
      let message = ready[nextReady]
      switch session.connection.send(stream, { $0.raw(message) }) {
      case .sent, .queued: break
      case .full, .gone: return
      case .tooLarge:
        let error = StoreError(
          .resourceExhausted, .resultTooLarge, "a chunk is over the client's max_message")
        return session.finish(self, error)
      }
      nextReady += 1
      lastProgress = session.core.loop.now
      session.core.markDirty(session)
    }
    if nextReady == ready.count {
      ready.removeAll(keepingCapacity: true)
      nextReady = 0
      if let end { return session.finish(self, end.status) }
    }
    // One step ahead: the reader works while the client takes what is ready.
    if !isReading, end == nil, ready.count - nextReady <= 1 { step { $0.nextStep() } }
  }

  override var state: CallState {
    if nextReady < ready.count, !isReading { return .sending }
    return super.state
  }

  override var query: Query? {
    let request = try? body.lend { bytes throws(MessageError) in
      try FetchRequest(bytes)
    }
    return request?.query
  }

  override var rowCount: Int { rowsRead }

  override var snapshotSince: LoopInstant? { runningSince }

  override func writable() { if runningSince != nil, !isOver { pump() } }

  override func tick(_ now: LoopInstant) {
    guard let since = runningSince, !isOver else { return }
    if nextReady < ready.count { pump() }
    guard !isOver else { return }
    let limits = session.core.limits
    let isOld = now.elapsed(since: since) >= limits.snapshotAgeMax
    let isStalled = nextReady < ready.count && now.elapsed(since: lastProgress) >= limits.stallMax
    guard isOld || isStalled else { return }
    let reason = isOld ? "the snapshot is too old" : "the client takes nothing"
    session.finish(self, StoreError(.aborted, .snapshotExpired, reason))
  }
}

/// What a reader's step came to.
enum FetchStep: Sendable {
  case messages([[UInt8]], rows: Int)
  case end(FetchEnd)
  case failed(StoreError)
}
