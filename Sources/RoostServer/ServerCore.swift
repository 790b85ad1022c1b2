import RoostModel
import RoostTransport
import RoostWire

/// The server's heart on the main actor: sessions, the row cache, and the ways to other threads.
@MainActor
final class ServerCore {
  static let agent = "roost/1"
  /// Of a client's own name, as statistics show it.
  static let agentCharactersMax = 64
  /// A client that takes nothing for so long counts as slow.
  static let slowAfter = Duration.seconds(1)

  let limits: ServerLimits
  let wireLimits: WireLimits
  let engine: any StoreEngine
  let storeName: String
  let loop: EventLoop
  private let mailbox: Mailbox
  let clock: any LoopClock
  let opened: LoopInstant
  /// Tells this server from one that had the same address before.
  let instance = String(UInt64.random(in: .min ... .max), radix: 16)

  let feed: any ChangeFeed
  let cache: RowCache
  var changes: RecentChanges
  var plans: EntityPlans
  var stats = ServerStats()
  var window: RollingWindow<WindowFigures>
  var models = ModelTable()
  var imports = ImportLog()
  var shapes: ShapeTable
  private(set) var clockWatch = ClockWatch()
  /// Calls answered from the cache since the last clock call.
  var answeredGets: UInt64 = 0
  /// Positions of the rows of the get at hand; kept so that none allocates.
  var positions: [UInt32] = []

  let readers: ThreadPool
  let pointThread: ThreadPool
  let points: PointReader
  let writers: ThreadPool
  let inserter: Inserter
  private(set) lazy var queries = QueryScheduler(core: self)
  /// Gets of this turn that the cache cannot answer.
  var missed: [PointRead] = []
  var getsQueued = 0
  var neighbours = Neighbours()
  var writesQueued = 0
  var writeBytesQueued = 0
  var importsRunning = 0
  var importBytesQueued = 0
  /// Sessions that are not read because too many chunks wait.
  var importersPaused: [Session] = []

  private(set) var sessions: [UInt64: Session] = [:]
  /// Connections beyond the limit, of operators.
  private var operatorCount = 0
  private var unready: Set<UInt64> = []
  private var dirty: [Session] = []
  private var lastSessionID: UInt64 = 0
  private var ticker: TimerToken?
  private(set) var isDraining = false
  private var drained: (() -> Void)?

  init(
    engine: any StoreEngine, storeName: String, limits: ServerLimits, loop: EventLoop,
    clock: any LoopClock, wireLimits: WireLimits = WireLimits()
  ) throws(TransportError) {
    self.engine = engine
    self.storeName = storeName
    self.limits = limits
    self.wireLimits = wireLimits
    self.loop = loop
    mailbox = loop.mailbox
    self.clock = clock
    opened = clock.now
    shapes = ShapeTable(opened: opened)
    feed = engine.makeChangeFeed()
    changes = RecentChanges(knownCommit: feed.latestCommit)
    plans = EntityPlans(engine.schema)
    cache = RowCache(bytesMax: limits.rowCacheBytes)
    window = RollingWindow(WindowFigures(), now: clock.now.nanoseconds)
    readers = try ThreadPool(name: "roost-read", threads: limits.readerThreads)
    pointThread = try ThreadPool(name: "roost-get", threads: 1)
    writers = try ThreadPool(name: "roost-write", threads: limits.writerThreads)
    points = PointReader(engine, feed: feed, clock: clock, strand: Strand(on: pointThread))
    inserter = Inserter(engine, strand: Strand(on: writers))
    loop.atTurnEnd { [unowned self] in endTurn() }
  }

  /// Ends what belongs to other threads and waits for it; the loop has ended before.
  nonisolated func close() {
    readers.stop()
    pointThread.stop()
    writers.stop()
  }

  // MARK: Turns

  func markDirty(_ session: Session) {
    guard !session.isDirty else { return }
    session.isDirty = true
    dirty.append(session)
    loop.wake()
  }

  private func endTurn() {
    sendMisses()
    var index = 0
    while index < dirty.count {
      dirty[index].flush()
      index += 1
    }
    dirty.removeAll(keepingCapacity: true)
    // Flushing may have released requests that waited behind a barrier.
    sendMisses()
  }

  /// Brings the work of another thread home.
  nonisolated func post(_ work: @escaping @MainActor @Sendable () -> Void) {
    // Never refused for want of room: what can be under way is bounded well below the mailbox.
    mailbox.post { _ in MainActor.assumeIsolated { work() } }
  }

  // MARK: Commits

  /// Takes what was committed since the last look, so that everything acknowledged is seen.
  ///
  /// - Complexity: One atomic load when nothing was.
  func catchUp() {
    guard feed.latestCommit != changes.knownCommit else { return }
    // The number after the drain: commits that came meanwhile may have been dropped with the rest.
    guard let commits = feed.drain() else { return forgetEverything(feed.latestCommit) }
    for commit in commits {
      if commit.schemaChanged { forgetEverything(commit.commit) }
      for part in commit.entities {
        if cache.rowCount > 0 {
          for row in part.updated { cache.remove(entity: part.entity, row: row) }
          for row in part.deleted { cache.remove(entity: part.entity, row: row) }
        }
      }
      changes.add(commit)
    }
  }

  private func forgetEverything(_ commit: UInt64) {
    cache.removeAll()
    neighbours.forget()
    changes.forgetEverything(knownCommit: commit)
    let before = plans.schema.version
    plans = EntityPlans(engine.schema)
    guard plans.schema.version != before else { return }
    for session in sessions.values {
      session.connection.notice(1, .int(Int64(plans.schema.version)))
      markDirty(session)
    }
  }

  // MARK: Sessions

  /// Who deals with a new connection: a session, or a refusal if there are too many.
  func accept(_ channel: any Channel) -> (any ChannelHandler)? {
    let isForOperator = sessions.count - operatorCount >= limits.connectionsMax
    guard !isDraining, unready.count < limits.unreadyConnectionsMax,
      !isForOperator || operatorCount < limits.operatorConnectionsMax
    else {
      stats.connectionsRefused &+= 1
      return Refusal(channel, retryAfterMilliseconds: retryAfterMilliseconds())
    }
    lastSessionID += 1
    let session = Session(
      core: self, id: lastSessionID, channel: channel, isForOperator: isForOperator)
    if isForOperator { operatorCount += 1 }
    stats.connectionsAccepted &+= 1
    sessions[session.id] = session
    unready.insert(session.id)
    if ticker == nil { scheduleTick() }
    return session
  }

  func sessionIsReady(_ session: Session) { unready.remove(session.id) }

  func remove(_ session: Session) {
    guard sessions.removeValue(forKey: session.id) != nil else { return }
    if session.isForOperator { operatorCount -= 1 }
    unready.remove(session.id)
    if sessions.isEmpty { finishDrain() }
  }

  private func scheduleTick() {
    ticker = loop.schedule(after: limits.tickInterval) { [weak self] in self?.tick() }
  }

  private func tick() {
    ticker = nil
    let now = loop.now
    rollWindow()
    clockWatch.look()
    for session in sessions.values { session.tick(now) }
    if !sessions.isEmpty { scheduleTick() }
  }

  // MARK: Drain

  /// Each client gets a moment of its own to come back, so that they do not come all at once.
  func retryAfterMilliseconds() -> UInt32 { UInt32.random(in: 500...5_000) }

  /// Lets what runs finish within the grace, refuses what is new, then calls `done`.
  func drain(_ done: @escaping () -> Void) {
    guard !isDraining else { return }
    isDraining = true
    drained = done
    for session in sessions.values {
      session.connection.drain(retryAfterMilliseconds: retryAfterMilliseconds())
      markDirty(session)
    }
    loop.schedule(after: limits.drainGrace) { [weak self] in self?.endSessions(force: true) }
    loop.schedule(after: limits.drainNotice) { [weak self] in self?.checkDrain() }
    if sessions.isEmpty { finishDrain() }
  }

  /// Waits for nothing any more.
  func endGrace() { if isDraining { endSessions(force: true) } }

  private func checkDrain() {
    guard isDraining else { return }
    endSessions(force: false)
    if sessions.isEmpty { return finishDrain() }
    loop.schedule(after: .milliseconds(20)) { [weak self] in self?.checkDrain() }
  }

  private func endSessions(force: Bool) {
    for session in sessions.values where !session.isEnding {
      guard force || session.connection.streamCount == 0 else { continue }
      session.connection.finishDraining(retryAfterMilliseconds: retryAfterMilliseconds())
      session.end()
    }
  }

  private func finishDrain() {
    guard isDraining, let done = drained else { return }
    drained = nil
    done()
  }
}
