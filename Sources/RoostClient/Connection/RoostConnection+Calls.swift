public import RoostModel
package import RoostWire

/// Calls and what becomes of them without the server.
extension RoostConnection {
  /// Whether one more unary call may be open now.
  public var hasRoom: Bool {
    isOpen && !isDraining && pending.count - longCount < server.unaryStreamsMax
      && unsentBytes < ClientLimits.unsentBytesMax
  }

  var hasStreamRoom: Bool { isOpen && !isDraining && longCount < server.longStreamsMax }

  /// Calls that are open, also those nobody waits for any more.
  public var openCalls: Int { pending.count }

  /// Sends one message and gives the completion the one that comes back.
  ///
  /// - Parameters:
  ///   - method: What is called.
  ///   - deadline: When the caller stops waiting; the server is told, too.
  ///   - isWrite: Whether an answer that never comes leaves the outcome unknown.
  ///   - body: Writes the request behind what is there.
  ///   - completion: Runs once on the loop's thread, never inside this call.
  /// - Returns: The number to cancel it by; nil if it could not be sent, which the completion
  ///   hears, too.
  @discardableResult
  package func call(
    _ method: WireMethod, deadline: LoopInstant = .never, isWrite: Bool = false,
    body: (inout PackedWriter) -> Void, completion: @escaping (CallReply) -> Void
  ) -> UInt32? {
    start(method, deadline, isWrite: isWrite, isLast: true, .unary(completion), credit: nil, body)
  }

  /// Sends one message and tells the handler what comes back; makes no closure.
  ///
  /// - Parameters:
  ///   - method: What is called.
  ///   - deadline: When the caller stops waiting; the server is told, too.
  ///   - isWrite: Whether an answer that never comes leaves the outcome unknown.
  ///   - handler: Hears the end once, never inside this call.
  ///   - tag: Names the call to the handler.
  ///   - body: Writes the request behind what is there.
  /// - Returns: The number to cancel it by; nil if it could not be sent, which the handler
  ///   hears, too.
  @discardableResult
  package func call(
    _ method: WireMethod, deadline: LoopInstant = .never, isWrite: Bool = false,
    handler: any CallHandler, tag: UInt64, body: (inout PackedWriter) -> Void
  ) -> UInt32? {
    start(
      method, deadline, isWrite: isWrite, isLast: true, .handler(handler, tag: tag), credit: nil,
      body)
  }

  /// The row of an entity by its identifier, as a batch of one.
  public func getRow(
    _ entity: EntityID, _ row: Int64, deadline: LoopInstant = .never,
    completion: @escaping (CallReply) -> Void
  ) {
    call(
      .get, deadline: deadline, body: { MethodCodec.getRow(entity, row, into: &$0) },
      completion: completion)
  }

  /// Opens a stream whose messages go to the handler.
  func open(
    _ method: WireMethod, deadline: LoopInstant, credit: UInt32?,
    body: (inout PackedWriter) -> Void, handler: any StreamHandler
  ) -> UInt32? {
    let stream = start(
      method, deadline, isWrite: false, isLast: method.shape != .bidirectional,
      .stream(handler), credit: credit, body)
    if let stream { handler.opened(self, stream: stream) }
    return stream
  }

  private func start(
    _ method: WireMethod, _ deadline: LoopInstant, isWrite: Bool, isLast: Bool,
    _ waiter: PendingCall.Waiter, credit: UInt32?, _ body: (inout PackedWriter) -> Void
  ) -> UInt32? {
    var head = RequestHead(method)
    if deadline != .never {
      let milliseconds = max(1, deadline.milliseconds(from: scope.now))
      head.timeoutMilliseconds = UInt32(clamping: milliseconds)
    }
    head.initialCredit = credit
    do throws(CallError) {
      guard isOpen else { throw .closing }
      let isLong = method.shape != .unary
      let stream = try wire.start(head, shape: method.shape, isLast: isLast, body)
      // A server that is asked in time says what became of a write; only its silence does not.
      let local = isWrite ? deadline.advanced(by: ClientLimits.writeGrace) : deadline
      pending.insert(
        PendingCall(
          stream: stream, deadline: local, isWrite: isWrite, isLong: isLong, waiter: waiter))
      if isLong { longCount += 1 }
      if local < nextDeadline { nextDeadline = local }
      scope.markDirty(self)
      return stream
    } catch {
      refuse(waiter, error)
      return nil
    }
  }

  private func refuse(_ waiter: PendingCall.Waiter, _ error: CallError) {
    let failure = AttemptFailure(refused: error)
    scope.soon { waiter.end(CallReply(failure)) }
    if error == .exhausted, !isDraining {
      isDraining = true
      scope.soon { [self] in
        let onDrain = onDrain
        self.onDrain = nil
        onDrain?(.zero)
        settle()
      }
    }
  }

  /// Asks the server to stop.
  ///
  /// The completion of a read does not run any more; that of a write runs with what the server
  /// says became of it.
  public func cancel(_ call: UInt32) { stop(call, deadlinePassed: false) }

  private func stop(_ stream: UInt32, deadlinePassed: Bool) {
    wire.cancel(stream, deadlinePassed: deadlinePassed)
    pending.update(stream) { if !$0.isWrite { $0.waiter = .nobody } }
    scope.markDirty(self)
  }

  /// Whether a further message of a stream would leave soon; if not, its handler hears when.
  func mayStream(_ stream: UInt32) -> Bool {
    guard isOpen, unsentBytes < ClientLimits.unsentStreamBytesMax else {
      if isOpen { waitsForDrain = true }
      return false
    }
    return wire.isWritable(stream)
  }

  /// Sends a further message of a stream; false if the stream has ended.
  func message(_ stream: UInt32, body: (inout PackedWriter) -> Void) -> SendResult {
    scope.markDirty(self)
    return wire.send(stream, body)
  }

  /// Says that no further message of a stream comes.
  func endInput(_ stream: UInt32) {
    scope.markDirty(self)
    wire.finish(stream)
  }

  /// Lets the server send so many message bytes more.
  func release(_ stream: UInt32, _ credit: Int) {
    guard isOpen else { return }
    wire.returnCredit(credit, on: stream)
    if wire.outputCount > 0 { scope.markDirty(self) }
  }

  /// The socket has taken what was written: streams that waited for it may go on.
  func outputDrained() {
    guard waitsForDrain else { return }
    waitsForDrain = false
    for stream in pending.streams(where: { $0.isLong }) {
      if case .stream(let handler)? = pending.waiter(stream) { handler.creditReturned() }
    }
  }

  func expireCalls(_ now: LoopInstant) {
    if stageDeadline <= now { return stageExpired() }
    nextDeadline = stageDeadline
    if isOpen {
      switch wire.tick(now: now.nanoseconds) {
      case .fine: break
      case .flush: scope.markDirty(self)
      case .abort:
        return fail(
          ClientError(
            .connectionLost, .transport, "the server \(url) did not answer a PING"))
      }
      if wire.isClosed {
        return fail(ended("the server stopped in the middle of a frame"))
      }
      nextDeadline = LoopInstant(nanoseconds: wire.nextDeadline)
    }
    for stream in pending.streams(where: { $0.deadline <= now }) { expire(stream) }
    pending.forEach { nextDeadline = min(nextDeadline, $0.deadline) }
  }

  private func expire(_ stream: UInt32) {
    let waiter = pending.update(stream) { call in
      defer {
        call.waiter = .nobody
        call.deadline = .never
      }
      return (call.waiter, call.isWrite)
    }
    guard let (waiter, isWrite) = waiter else { return }
    wire.cancel(stream, deadlinePassed: true)
    scope.markDirty(self)
    let failure = isWrite ? AttemptFailure.lost(.deadline) : .status(.deadline)
    waiter.end(CallReply(failure))
  }

  /// Ends every call with the end of the connection.
  func endAll(_ error: ClientError) {
    let failure = AttemptFailure.lost(error)
    for stream in pending.streams(where: { _ in true }) {
      guard let call = pending.remove(stream) else { continue }
      call.waiter.end(CallReply(failure))
    }
    longCount = 0
  }
}

extension AttemptFailure {
  /// A request the state machine did not take was not sent.
  init(refused error: CallError) {
    switch error {
    case .closing, .exhausted:
      self = .unprocessed(
        ClientError(.connectionLost, .transport, "the connection takes no more calls"))
    case .tooManyStreams:
      self = .unprocessed(
        ClientError(
          .resourceExhausted, .local, "too many calls are open on the connection",
          detail: .streams))
    case .full:
      self = .unprocessed(
        ClientError(
          .resourceExhausted, .local, "too many bytes wait for the server (queuedBytesMax)",
          detail: .queue))
    case .tooLarge:
      self = .status(
        ClientError(
          .resourceExhausted, .local, "the request is over the server's max_message",
          detail: .messageSize))
    }
  }
}
