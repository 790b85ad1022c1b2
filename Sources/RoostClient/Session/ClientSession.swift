import RoostModel

/// The life of one client on its loop: connects when there is something to do, hands calls to the
/// connection, takes them back when it is lost, and judges what happens to each.
///
/// `@unchecked Sendable`: every member but ``url`` and ``options`` is touched by the loop's thread
/// alone; ``RoostClient`` reaches it only through ``ClientLoop/execute(_:)``.
final class ClientSession: LoopMember, @unchecked Sendable {
  enum State {
    /// Nothing to do, or nothing done yet.
    case idle
    case connecting(RoostConnection)
    case ready(RoostConnection)
    /// The last attempt failed; the timer starts the next.
    case waiting(LoopTimer)
    case closed
  }

  let url: RoostURL
  let options: ClientOptions
  var state = State.idle
  weak var scope: LoopScope?
  var queue = CallQueue<SessionCall>(countMax: ClientLimits.waitingCallsMax)
  /// Streams have a bound of their own in the server, so they do not hold up the unary calls.
  var streamQueue = CallQueue<SessionCall>(countMax: ClientLimits.waitingCallsMax)
  var connectWaiters: [(Result<ServerInfo, ClientError>) -> Void] = []
  /// Connections whose server wants no more calls; they end with those that are open.
  var leaving: [RoostConnection] = []
  var retryBudget = RetryBudget()
  let policy = RetryPolicy()
  let reconnect = Backoff(first: .milliseconds(100), factor: 1.6, most: .seconds(5))
  var failedConnects = 0
  /// The server's word on how long to stay away.
  var retryAfter = Duration.zero

  init(url: RoostURL, options: ClientOptions) {
    self.url = url
    self.options = options
  }

  func attach(_ scope: LoopScope) {
    guard self.scope == nil else { return }
    self.scope = scope
    _ = scope.add(self)
  }

  /// Sends the call now, or as soon as there is a connection with a free stream.
  func start(_ call: SessionCall) {
    if case .closed = state { return call.finish(.failure(.closed)) }
    call.isStarted = true
    if call.isCancelled { return call.finish(.failure(.cancelled)) }
    guard !call.isFinished else { return }
    let isQueueEmpty = call.isStream ? streamQueue.isEmpty : queue.isEmpty
    if case .ready(let connection) = state, isQueueEmpty, send(call, on: connection) { return }
    enqueue(call)
    connectIfNeeded()
  }

  private func enqueue(_ call: SessionCall) {
    let isQueued = call.isStream ? streamQueue.append(call) : queue.append(call)
    guard isQueued else {
      let text = "\(ClientLimits.waitingCallsMax) calls wait already (waitingCallsMax)"
      return call.finish(
        .failure(ClientError(.resourceExhausted, .local, text, detail: .queue)))
    }
    nextDeadline = min(nextDeadline, call.deadline)
  }

  /// Ends a call for its caller, who has stopped waiting for it.
  ///
  /// A write that is under way ends with the server's word, since only that is certain.
  func cancel(_ call: SessionCall) {
    guard !call.isFinished else { return }
    call.isCancelled = true
    guard call.isStarted else { return }
    guard let place = call.place else { return call.finish(.failure(.cancelled)) }
    place.connection.cancel(place.stream)
    if call.kind != .write { call.finish(.failure(.cancelled)) }
  }

  /// Sends what waits, as far as streams are free.
  func dispatch() {
    guard case .ready(let connection) = state else { return }
    while let call = queue.first {
      if call.isFinished || send(call, on: connection) { _ = queue.popFirst() } else { break }
    }
    while let call = streamQueue.first {
      if call.isFinished || send(call, on: connection) { _ = streamQueue.popFirst() } else { break }
    }
  }

  /// False when the connection has no stream free for it.
  private func send(_ call: SessionCall, on connection: RoostConnection) -> Bool {
    switch call.shape {
    case .unary:
      guard connection.hasRoom else { return false }
      call.attempt += 1
      let stream = connection.call(
        call.method, deadline: call.deadline, isWrite: call.kind == .write,
        body: { $0.raw(call.body) },
        completion: { [weak self] reply in self?.ended(call, reply) })
      if let stream, !call.isFinished { call.place = (connection, stream) }
    case .stream(let handler):
      guard connection.hasStreamRoom else { return false }
      call.attempt += 1
      let stream = connection.open(
        call.method, deadline: call.deadline, credit: call.credit,
        body: { $0.raw(call.body) }, handler: StreamRelay(self, call, handler))
      if let stream, !call.isFinished { call.place = (connection, stream) }
    }
    return true
  }

  private func ended(_ call: SessionCall, _ reply: CallReply) {
    call.place = nil
    guard let failure = reply.failure else {
      retryBudget.succeeded()
      return call.finish(.success([UInt8](reply.body)))
    }
    failed(call, failure)
  }

  /// Sends a call again if the policy and its deadline allow it.
  func failed(_ call: SessionCall, _ failure: AttemptFailure) {
    guard !call.isFinished else { return }
    call.place = nil
    if case .closed = state { return call.finish(.failure(.closed)) }
    let verdict = policy.verdict(
      call.kind, failure, attempt: call.attempt, budget: &retryBudget,
      random: .random(in: 0..<1))
    switch verdict {
    case .fail(let error):
      call.finish(.failure(error))
    case .again(let wait):
      guard let scope, LoopInstant.now.advanced(by: wait) < call.deadline else {
        return call.finish(.failure(failure.error))
      }
      scope.after(wait) { [weak self] in
        guard let self else { return call.finish(.failure(.closed)) }
        start(call)
      }
    }
  }

  override func expire(_ now: LoopInstant) {
    let late = queue.removeAll { $0.deadline <= now || $0.isFinished }
    let lateStreams = streamQueue.removeAll { $0.deadline <= now || $0.isFinished }
    nextDeadline = min(queue.earliestDeadline, streamQueue.earliestDeadline)
    for call in late + lateStreams { call.finish(.failure(notStarted)) }
  }

  /// What a call gets whose time ran out before it was sent.
  private var notStarted: ClientError {
    let why =
      switch state {
      case .ready: "no stream became free"
      default: "there was no connection to \(url)"
      }
    return ClientError(
      .deadlineExceeded, .local, "not sent within the deadline: \(why)",
      detail: .deadlineBeforeStart)
  }

  override func loopStopped() { close() }
}

extension CallQueue where Element == SessionCall {
  fileprivate var earliestDeadline: LoopInstant {
    var earliest = LoopInstant.never
    forEach { earliest = min(earliest, $0.deadline) }
    return earliest
  }
}
