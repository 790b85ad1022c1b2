import RoostClient
import RoostModel

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What every thread of a run needs to know.
struct DriverSettings: Sendable {
  var url: RoostURL
  var entity: EntityID = 0
  var schemaVersion: UInt32 = 0
  var timeout = Duration.seconds(30)
  var fetchRows = 100
  var echo: [UInt8] = []
  var slowPause = Duration.milliseconds(50)
  var slowCreditBytes: UInt32 = 1 << 16
  var lookups = LookupKeys()
  var maker: RowMaker?
}

/// What one thread of a run has to tell when it is over.
struct DriverResult: Sendable {
  var writes: WriteSet?
  var own: OwnRows?
  var lag = Histogram()
  var unsent: UInt64 = 0
  var lastAnswer: UInt64 = 0
  /// Share of a processor while it measured.
  var processorShare = 0.0
  var lostConnections = 0
}

/// Carries the requests of a ``LoadEngine`` over the connections of one loop.
///
/// Confined to its loop's thread.
final class LoadDriver: CallPort, CallHandler {
  private let scope: LoopScope
  private let settings: DriverSettings
  private var board: ScoreBoard?
  private var connections: [RoostConnection?] = []
  private var engine: LoadEngine<LoadDriver>?
  private var interval = Tallies()
  private var warmUp = Tallies()
  /// What is counted from here on is handed over apart.
  private var handOver = UInt64.max
  /// Connections that live for one request, by their tags.
  private var churning: [UInt64: RoostConnection] = [:]
  private var armed: (moment: UInt64, timer: LoopTimer)?
  private var finished: ((DriverResult) -> Void)?
  private var result = DriverResult()
  private var processorStart: (moment: UInt64, used: UInt64)?
  private var hasMeasured = false
  private var isStopped = false
  private var isOpenLoop = false

  init(_ scope: LoopScope, settings: DriverSettings) {
    self.scope = scope
    self.settings = settings
  }

  // MARK: Connecting

  /// Makes `count` connections, a few at a time; the first that cannot be made ends it.
  ///
  /// The completion hears what one connection may carry.
  func connect(
    _ count: Int, completion: @escaping (Result<ServerInfo, ClientError>) -> Void
  ) {
    connections = Array(repeating: nil, count: count)
    let attempts = Box(ConnectAttempt(count: count, completion: completion))
    for _ in 0..<min(count, LoadLimits.connectsAtOnce) { connectNext(attempts) }
  }

  private func connectNext(_ attempts: Box<ConnectAttempt>) {
    guard let index = attempts.value.takeNext() else { return }
    open(index) { [self] result in
      switch result {
      case .failure(let error): attempts.value.end(.failure(error))
      case .success(let server):
        attempts.value.succeeded(server)
        connectNext(attempts)
      }
    }
  }

  private func open(_ index: Int, _ completion: @escaping (Result<ServerInfo, ClientError>) -> Void)
  {
    var options = ConnectionOptions()
    options.agent = "roost-load/1"
    let connection = RoostConnection(scope, options: options)
    connection.connect(to: settings.url) { [weak self] result in
      guard let self else { return }
      if case .success = result {
        connections[index] = connection
        connection.onDrain = { [weak self] _ in self?.engine?.connectionDown(index) }
        connection.onClose = { [weak self] _ in self?.lost(index) }
      }
      completion(result)
    }
  }

  private func lost(_ index: Int) {
    connections[index] = nil
    guard let engine, !isStopped else { return }
    engine.connectionDown(index)
    result.lostConnections += 1
    reconnect(index)
  }

  private func reconnect(_ index: Int) {
    scope.after(LoadLimits.reconnectPause) { [weak self] in
      guard let self, !isStopped else { return }
      open(index) { [weak self] outcome in
        guard let self, !isStopped, let engine else { return }
        switch outcome {
        case .success:
          engine.connectionUp(index, now: LoopInstant.now.nanoseconds)
          advance()
        case .failure: reconnect(index)
        }
      }
    }
  }

  // MARK: Running

  /// Runs the plan; the completion comes once, when the last answer is there or will not come.
  func begin(
    _ plan: LoadPlan, _ board: ScoreBoard, completion: @escaping (DriverResult) -> Void
  ) {
    finished = completion
    self.board = board
    handOver = plan.grid.handOver(after: plan.start)
    isOpenLoop = plan.pacing != nil
    let engine = LoadEngine(plan, port: self)
    self.engine = engine
    scope.at(LoopInstant(nanoseconds: plan.start)) { [weak self] in self?.start() }
    scope.at(LoopInstant(nanoseconds: plan.measureFrom)) { [weak self] in
      self?.processorStart = (LoopInstant.now.nanoseconds, LoadDriver.processorTime())
    }
    scope.at(LoopInstant(nanoseconds: plan.end)) { [weak self] in self?.measured() }
    tick()
  }

  private func start() {
    guard let engine else { return }
    for index in connections.indices where connections[index] != nil {
      engine.connectionUp(index, now: LoopInstant.now.nanoseconds)
    }
    advance()
  }

  /// Sends nothing more and ends when what is under way has been answered.
  func stop() {
    guard let engine else { return }
    engine.endEarly(now: LoopInstant.now.nanoseconds)
    measured()
  }

  private func measured() {
    if hasMeasured { return }
    hasMeasured = true
    if let start = processorStart {
      let wall = max(1, LoopInstant.now.nanoseconds - start.moment)
      result.processorShare = Double(LoadDriver.processorTime() - start.used) / Double(wall)
    }
    let patience = settings.timeout + LoadLimits.lastAnswerGrace
    awaitAnswers(until: LoopInstant.now.advanced(by: patience))
  }

  private func awaitAnswers(until limit: LoopInstant) {
    guard let engine, !isStopped else { return }
    let now = LoopInstant.now
    if engine.isFinished(now: now.nanoseconds) || now >= limit { return finish() }
    scope.after(.milliseconds(2)) { [weak self] in self?.awaitAnswers(until: limit) }
  }

  private func finish() {
    guard let engine, !isStopped else { return }
    isStopped = true
    let now = LoopInstant.now.nanoseconds
    publish(now)
    engine.finish(now: now)
    publish(now)
    result.writes = engine.plan.writes
    result.own = engine.plan.own
    result.lag = engine.lag
    result.unsent = engine.unsent
    result.lastAnswer = engine.lastAnswer
    for connection in connections { connection?.close() }
    for connection in churning.values { connection.close() }
    churning = [:]
    let completion = finished
    finished = nil
    completion?(result)
  }

  /// Hands over while no answer comes what was counted before.
  private func tick() {
    scope.at(LoopInstant(nanoseconds: handOver)) { [weak self] in
      guard let self, !isStopped else { return }
      let now = LoopInstant.now.nanoseconds
      if now >= handOver { publish(now) }
      tick()
    }
  }

  /// Hands over what was counted, so that the run can be watched.
  private func publish(_ now: UInt64) {
    guard let engine else { return }
    let grid = engine.plan.grid
    engine.takeInterval(into: &interval)
    engine.takeWarmUp(into: &warmUp)
    // All of it was counted before the moment of handing over.
    board?.add(interval, warmUp: warmUp, at: grid.index(of: min(now, handOver - 1)))
    handOver = grid.handOver(after: now)
  }

  private func advance() {
    guard let engine, !isStopped else { return }
    arm(engine.advance(now: LoopInstant.now.nanoseconds))
  }

  private func arm(_ moment: UInt64?) {
    guard let moment else { return }
    if let armed {
      if armed.moment <= moment { return }
      scope.cancel(armed.timer)
    }
    let timer = scope.at(LoopInstant(nanoseconds: moment)) { [weak self] in
      self?.armed = nil
      self?.advance()
    }
    armed = (moment, timer)
  }

  // MARK: Calls

  func send(_ request: LoadRequest) {
    let tag = UInt64(request.slot)
    let deadline = LoopInstant.now.advanced(by: settings.timeout)
    guard let connection = connections[request.connection] else { return refuse(tag) }
    do throws(ClientError) {
      switch request.body {
      case .get(let row):
        connection.get(settings.entity, row: row, deadline: deadline, handler: self, tag: tag)
      case .echo:
        connection.echo(settings.echo, deadline: deadline, handler: self, tag: tag)
      case .stats:
        connection.statistics(
          sections: StatisticsSection.allCases, deadline: deadline, handler: self, tag: tag)
      case .fetch(let row):
        try connection.readThrough(page(from: row), deadline: deadline, handler: self, tag: tag)
      case .count(let row):
        try connection.count(range(from: row), deadline: deadline, handler: self, tag: tag)
      case .write(let operation):
        let batch = WriteBatch(operations: [operation], schemaVersion: settings.schemaVersion)
        connection.write(batch, deadline: deadline, handler: self, tag: tag)
      case .own(let write): try send(write, connection, deadline, tag)
      case .batch(let rows):
        connection.get(settings.entity, rows: rows, deadline: deadline, handler: self, tag: tag)
      case .lookup(let place):
        connection.get(
          settings.entity, constraint: settings.lookups.constraint,
          key: settings.lookups.keys[Int(place)], deadline: deadline, handler: self, tag: tag)
      case .slow(let row):
        try connection.readSlowly(
          page(from: row), credit: settings.slowCreditBytes, pause: settings.slowPause,
          deadline: deadline, handler: self, tag: tag)
      case .churn: churn(tag, deadline)
      }
    } catch {
      refuse(tag, error)
    }
  }

  private func send(
    _ write: OwnWrite, _ connection: RoostConnection, _ deadline: LoopInstant, _ tag: UInt64
  ) throws(ClientError) {
    guard let maker = settings.maker else {
      throw ClientError(.invalidArgument, .local, "there are no rows of the run's own")
    }
    let operation: WriteOperation
    switch write {
    case .insert(let number):
      operation = .insert(settings.entity, row: nil, maker.assignments(.insert, number))
    case .upsert(let number, let version):
      operation = .upsert(
        settings.entity, row: nil, constraint: maker.constraint,
        maker.assignments(.upsert, number, version: version))
    case .delete(let row): operation = .delete(settings.entity, .row(row.id), ifRevision: nil)
    }
    let batch = WriteBatch(operations: [operation], schemaVersion: settings.schemaVersion)
    connection.write(batch, deadline: deadline, handler: self, tag: tag)
  }

  /// Makes a connection for one echo; its end closes it.
  private func churn(_ tag: UInt64, _ deadline: LoopInstant) {
    var options = ConnectionOptions()
    options.agent = "roost-load/1"
    let connection = RoostConnection(scope, options: options)
    churning[tag] = connection
    connection.connect(to: settings.url) { [weak self] result in
      guard let self, !isStopped else { return }
      switch result {
      case .failure(let error):
        churning[tag] = nil
        refuse(tag, error)
      case .success:
        connection.echo(settings.echo, deadline: deadline, handler: self, tag: tag)
      }
    }
  }

  func answered(_ tag: UInt64, _ reply: CallReply) {
    guard let engine, !isStopped else { return }
    let operation = engine.operation(Int(tag))
    if operation == .churn, let connection = churning.removeValue(forKey: tag) {
      scope.after(.zero) { connection.close() }
    }
    let outcome = CallOutcome(reply, isWrite: operation.isWrite)
    let now = LoopInstant.now.nanoseconds
    if now >= handOver { publish(now) }
    engine.answered(Int(tag), outcome, now: now)
    if case .failure = outcome { return advance() }
    // A slot that has become free may be what the next planned request waited for.
    if isOpenLoop, armed == nil { advance() }
  }

  /// Answers a request that could not be sent, though never within the sending.
  private func refuse(_ tag: UInt64, _ error: ClientError? = nil) {
    let kind = FailureKind(
      code: error?.code.status ?? .unavailable, detail: error?.detail ?? .none,
      message: error?.message ?? "the connection is lost")
    scope.after(.zero) { [weak self] in
      guard let self, !isStopped else { return }
      engine?.answered(
        Int(tag), .failure(kind, isOutcomeUnknown: false), now: LoopInstant.now.nanoseconds)
      advance()
    }
  }

  private func page(from row: Int64) -> Query {
    Query(
      entity: settings.entity,
      predicate: .compare(.greaterOrEqual, .path(rowID), .literal(.int(row))),
      limit: settings.fetchRows)
  }

  private func range(from row: Int64) -> Query {
    let end = row.addingReportingOverflow(Int64(settings.fetchRows))
    return Query(
      entity: settings.entity,
      predicate: .and([
        .compare(.greaterOrEqual, .path(rowID), .literal(.int(row))),
        .compare(.less, .path(rowID), .literal(.int(end.overflow ? .max : end.partialValue))),
      ]))
  }

  private let rowID = PropertyPath([0])

  private static func processorTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}

extension CallOutcome {
  init(_ reply: CallReply, isWrite: Bool) {
    guard let error = reply.error else {
      self = CallOutcome.success(of: reply, isWrite: isWrite)
      return
    }
    self = CallOutcome.failure(error, isWrite: isWrite)
  }

  private static func success(of reply: CallReply, isWrite: Bool) -> CallOutcome {
    if isWrite {
      do throws(ClientError) {
        let result = try reply.writeResult()
        return .success(
          commit: result.commit, rows: 1, bytes: UInt64(reply.byteCount),
          row: result.results.first?.row ?? 0)
      } catch {
        return failure(error, isWrite: true)
      }
    }
    var rows: UInt64 = 1
    for entry in reply.trailers {
      if entry.key == "rows", case .int(let count) = entry.value { rows = UInt64(max(0, count)) }
    }
    return .success(commit: 0, rows: rows, bytes: UInt64(reply.byteCount))
  }

  private static func failure(_ error: ClientError, isWrite: Bool) -> CallOutcome {
    let kind = FailureKind(
      code: error.code.status, detail: error.detail, message: error.message)
    // Only the server's own word says that a write did not happen.
    let isUnknown = isWrite && (error.place != .server || error.detail == .outcomeUnknown)
    return .failure(kind, isOutcomeUnknown: isUnknown)
  }
}
