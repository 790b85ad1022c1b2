import RoostModel
import RoostWire

/// From bytes to completions.
extension RoostConnection {
  /// Handles every event in the bytes and gives how many bytes are done with.
  func process(_ bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    while let event = wire.next(in: bytes, at: &offset, now: scope.now.nanoseconds) {
      handle(event)
      if case .closed = stage { return bytes.count }
    }
    return offset
  }

  private func handle(_ event: ClientEvent) {
    switch event {
    case .message(let stream, let body, let credit, let isLast):
      body.withBytes { received($0, on: stream, credit: credit, isLast: isLast) }
    case .ended(let stream, let status): ended(stream, status)
    case .writable(let stream):
      if case .stream(let handler)? = pending.waiter(stream) { handler.creditReturned() }
    case .ready(let hello): greeted(hello)
    case .goAway(let goAway): drain(goAway)
    case .notice: break
    case .failed(let error): broken(error)
    }
  }

  private func received(
    _ message: UnsafeRawBufferPointer, on stream: UInt32, credit: Int, isLast: Bool
  ) {
    if isLast {
      guard let call = remove(stream) else { return }
      switch call.waiter {
      case .stream(let handler):
        handler.received(message, wireBytes: credit)
        handler.ended(nil, trailers: [])
      default: call.waiter.end(CallReply(body: message))
      }
      return
    }
    switch pending.waiter(stream) {
    case .stream(let handler)?: handler.received(message, wireBytes: credit)
    case .unary?, .handler?:
      pending.update(stream) { $0.reply = [UInt8](message) }
      wire.returnCredit(credit, on: stream)
    case .nobody?, nil: wire.returnCredit(credit, on: stream)
    }
  }

  private func ended(_ stream: UInt32, _ status: EndStatus) {
    guard let call = remove(stream) else { return }
    let failure = status.isOK ? nil : RoostConnection.failure(status)
    if let failure {
      return call.waiter.end(CallReply(failure, trailers: status.trailers))
    }
    (call.reply ?? []).withUnsafeBytes {
      call.waiter.end(CallReply(body: $0, trailers: status.trailers))
    }
  }

  private func remove(_ stream: UInt32) -> PendingCall? {
    guard let call = pending.remove(stream) else { return nil }
    if call.isLong { longCount -= 1 }
    hasFreed = true
    return call
  }

  /// UNAVAILABLE without a reason is what the state machine says of calls that the end of the
  /// connection has cut off; a server always gives one.
  static func failure(_ status: EndStatus) -> AttemptFailure {
    var wait: Duration?
    if case .int(let milliseconds)? = status["retry_ms"], milliseconds >= 0 {
      wait = .milliseconds(min(milliseconds, 60_000))
    }
    let stored = status.error
    let message = stored?.message ?? "\(status.status)"
    if status.status == .unavailable, status.detail == .none {
      return .lost(ClientError(.connectionLost, .transport, message))
    }
    let code: ClientError.Code =
      status.detail == .outcomeUnknown ? .outcomeUnknown : .status(status.status)
    return .status(
      ClientError(
        code, .server, message, detail: status.detail,
        operation: stored?.operation, retryAfter: wait))
  }

  private func greeted(_ hello: ServerHello) {
    guard case .greeting(let completion) = stage else { return }
    stage = .open
    stageDeadline = .never
    server = ServerInfo(hello)
    completion(.success(server))
  }

  private func drain(_ goAway: GoAway) {
    let wait = Duration.milliseconds(Int64(min(goAway.retryAfterMilliseconds, 60_000)))
    if case .greeting = stage {
      let error = goAway.error
      return fail(
        ClientError(
          .status(error.status), .server, error.message, detail: error.detail, retryAfter: wait))
    }
    isDraining = true
    let onDrain = onDrain
    self.onDrain = nil
    onDrain?(wait)
  }

  private func broken(_ error: WireError) {
    if case .greeting = stage {
      if error.detail == .missingCapability {
        return fail(ClientError(.versionMismatch, .transport, "\(url): \(error.message)"))
      }
      return fail(
        ClientError(
          .notRoost, .transport,
          "something listens on \(url) but it is not a Roost server: \(error.message)"))
    }
    fail(.badReply(error.message))
  }

  /// After a batch of events: what they made possible or necessary.
  func settle() {
    if case .closed = stage { return }
    nextDeadline = min(nextDeadline, LoopInstant(nanoseconds: wire.nextDeadline))
    if hasFreed {
      hasFreed = false
      onRoom?()
    }
    if wire.outputCount > 0 { scope.markDirty(self) }
    if wire.isClosed || (isDraining && pending.count == 0) {
      fail(ClientError(.connectionLost, .transport, "the server \(url) closed the connection"))
    }
  }
}
