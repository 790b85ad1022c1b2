import RoostModel

extension ServerConnection {
  mutating func pendingEvent() -> ServerEvent? {
    if !core.writable.isEmpty {
      let stream = core.writable.removeFirst()
      if core.streams.find(stream) != nil { return .writable(stream: stream) }
    }
    if let first = barriers.first, core.streams.lowest == first { return release(first) }
    return nil
  }

  mutating func handle(
    _ type: FrameType, _ frame: Frame, now: UInt64
  ) throws(WireError) -> ServerEvent? {
    if type == .request { return try request(frame, now: now) }
    if let lastAccepted, frame.stream > lastAccepted {
      // Announced as not looked at. Its connection credit was the client's to lose.
      if type == .message { try core.chargeConnection(frame) }
      core.returnConnectionCredit()
      return nil
    }
    switch type {
    case .message: return try message(frame, now: now)
    case .end: return try endOfInput(frame, now: now)
    case .cancel: return try cancel(frame, now: now)
    case .window:
      try core.receiveWindow(frame, now: now)
      return nil
    case .ping:
      try core.receivePing(frame, now: now)
      return nil
    case .goAway: return .goAway(try core.receiveGoAway(frame, now: now))
    case .auth:
      throw WireError(.unimplemented, .missingCapability, "this server takes no tokens")
    case .hello: throw .violation("a second HELLO")
    case .request, .notice: throw .violation("frame type \(type.rawValue) from a client")
    }
  }

  // MARK: REQUEST

  private mutating func request(_ frame: Frame, now: UInt64) throws(WireError) -> ServerEvent? {
    let stream = frame.stream
    guard stream > core.lastStream else {
      throw .violation("stream \(stream) does not ascend")
    }
    core.lastRequest = now
    if let lastAccepted, stream > lastAccepted { return nil }
    var reader = PackedReader(frame.payload)
    let head: RequestHead
    let method: WireMethod
    do throws(MessageError) {
      head = try RequestHead(from: &reader)
      method = try judge(head, bodyCount: reader.remaining)
    } catch {
      refuse(frame, EndStatus(error))
      return nil
    }
    if head.timeoutMilliseconds == 0 {
      refuse(frame, EndStatus(.deadlineExceeded, .deadlineBeforeStart, "expired on arrival"))
      return nil
    }
    guard let flags = slot(for: method, frame) else { return nil }
    core.open(
      stream, flags: flags,
      sendCredit: head.initialCredit.map(Int.init) ?? core.peer.streamWindow,
      receiveCredit: core.limits.streamWindow)
    let body = UnsafeRawBufferPointer(rebasing: frame.payload[reader.offset...])
    if body.isEmpty, !frame.flags.contains(.end) {
      wait(for: stream, head)
      return nil
    }
    return deliver(stream, head, method, .view(body), credit: 0)
  }

  private func judge(
    _ head: RequestHead, bodyCount: Int
  ) throws(MessageError) -> WireMethod {
    guard let method = WireMethod(rawValue: head.method) else {
      throw MessageError(.unknownMethod, "method \(head.method) is unknown")
    }
    guard head.sequence == nil else {
      throw MessageError(.missingCapability, "this server keeps no sequence numbers")
    }
    guard !head.isBarrier || method.shape != .bidirectional else {
      throw MessageError(.protocolViolation, "BARRIER does not go with \(method.name)")
    }
    guard bodyCount <= WireLimits.requestBodyMax else {
      throw MessageError(
        .messageSize,
        "a request's body is over \(WireLimits.requestBodyMax) bytes; send it as MESSAGE")
    }
    return method
  }

  private mutating func slot(for method: WireMethod, _ frame: Frame) -> StreamEntry.Flags? {
    var flags: StreamEntry.Flags = frame.flags.contains(.end) ? .inputEnded : []
    let isLong = method.shape != .unary
    let isFree =
      isLong
      ? core.longCount < core.limits.longStreamsMax
      : core.unaryCount < core.limits.unaryStreamsMax
    guard isFree else {
      let limit = isLong ? "live_max" : "streams_max"
      refuse(frame, EndStatus(.resourceExhausted, .streams, "\(limit) streams are open"))
      return nil
    }
    if isLong { flags.insert(.isLong) }
    if method.shape == .bidirectional { flags.insert(.takesMessages) }
    return flags
  }

  /// Ends a stream that never got a slot.
  private mutating func refuse(_ frame: Frame, _ status: EndStatus) {
    core.lastStream = frame.stream
    if !frame.flags.contains(.end) { core.allowLate(core.limits.streamWindow) }
    core.writeFrame(.end, stream: frame.stream) { status.encode(into: &$0) }
  }

  private mutating func wait(for stream: UInt32, _ head: RequestHead) {
    guard let index = core.streams.find(stream) else { return }
    core.streams[index].flags.insert(.isWaiting)
    core.withExtras(at: index) { $0.head = head }
  }

  /// Gives the request to the owner, or keeps it while a barrier holds it back.
  private mutating func deliver(
    _ stream: UInt32, _ head: RequestHead, _ method: WireMethod, _ body: MessageBody,
    credit: Int
  ) -> ServerEvent? {
    if head.isBarrier, core.streams.lowest != stream {
      return hold(stream, head, body)
    }
    guard let index = core.streams.find(stream) else { return nil }
    core.streams[index].flags.remove(.isWaiting)
    let incoming = IncomingRequest(
      stream: stream, method: method,
      timeoutMilliseconds: head.timeoutMilliseconds.map {
        min($0, core.limits.timeoutMillisecondsMax)
      }, minToken: head.minToken, metadata: head.metadata,
      isLast: core.streams[index].flags.contains(.inputEnded), credit: credit)
    return .request(incoming, body)
  }

  // MARK: Barriers

  private mutating func hold(
    _ stream: UInt32, _ head: RequestHead, _ body: MessageBody
  ) -> ServerEvent? {
    guard let index = core.streams.find(stream) else { return nil }
    guard heldBytes + body.count <= core.limits.heldBytesMax else {
      end(stream, EndStatus(.resourceExhausted, .queue, "too many bytes wait behind barriers"))
      return nil
    }
    heldBytes += body.count
    let bytes = body.bytes
    core.streams[index].flags.insert(.isWaiting)
    core.withExtras(at: index) {
      $0.head = head
      $0.held = bytes
    }
    barriers.append(stream)
    return nil
  }

  private mutating func release(_ stream: UInt32) -> ServerEvent? {
    barriers.removeFirst()
    guard let index = core.streams.find(stream) else { return nil }
    let (head, bytes) = core.withExtras(at: index) { extra in
      defer {
        extra.head = nil
        extra.held = nil
      }
      return (extra.head, extra.held)
    }
    guard let head, let bytes, let method = WireMethod(rawValue: head.method) else { return nil }
    heldBytes -= bytes.count
    return deliver(stream, head, method, .owned(bytes), credit: core.streams[index].unreturned)
  }

  /// Forgets a request that waits; its stream is about to end.
  private mutating func forget(_ stream: UInt32) {
    guard let place = barriers.firstIndex(of: stream) else { return }
    barriers.remove(at: place)
    heldBytes -= core.extras[stream]?.held?.count ?? 0
  }

  // MARK: Other frames of a stream

  private mutating func message(_ frame: Frame, now: UInt64) throws(WireError) -> ServerEvent? {
    if frame.payload.isEmpty { try core.takeControl(now: now) }
    guard let index = core.streams.find(frame.stream) else {
      guard frame.stream <= core.lastStream else { throw .violation("MESSAGE for no stream") }
      try core.dropLate(frame)
      return nil
    }
    let flags = core.streams[index].flags
    guard !flags.contains(.inputEnded) else { throw .violation("MESSAGE after END") }
    let received = try core.receive(frame, at: index)
    if flags.contains(.cancelled) {
      core.returnCredit(core.streams[index].unreturned, at: index)
      return nil
    }
    switch received {
    case .partial: return nil
    case .broken(let error):
      forget(frame.stream)
      end(frame.stream, EndStatus(error))
      return flags.contains(.isWaiting) ? nil : .cancelled(stream: frame.stream)
    case .whole(let body, let credit):
      return try arrived(body, credit: credit, frame, at: index)
    }
  }

  private mutating func arrived(
    _ body: MessageBody, credit: Int, _ frame: Frame, at index: Int
  ) throws(WireError) -> ServerEvent? {
    let flags = core.streams[index].flags
    let isHeld = core.extras[frame.stream]?.held != nil
    if flags.contains(.isWaiting), !isHeld,
      let head = core.withExtras(at: index, { extra in extra.takeHead() }),
      let method = WireMethod(rawValue: head.method)
    {
      return deliver(frame.stream, head, method, body, credit: credit)
    }
    guard flags.contains(.takesMessages) else {
      throw .violation("a second message on a stream of one")
    }
    return .message(
      stream: frame.stream, body, credit: credit, isLast: flags.contains(.inputEnded))
  }

  private mutating func endOfInput(
    _ frame: Frame, now: UInt64
  ) throws(WireError) -> ServerEvent? {
    guard frame.payload.isEmpty else { throw .violation("END of a client is not empty") }
    try core.takeControl(now: now)
    guard let index = core.streams.find(frame.stream) else {
      guard frame.stream <= core.lastStream else { throw .violation("END for no stream") }
      return nil
    }
    guard !core.streams[index].flags.contains(.inputEnded) else {
      throw .violation("END twice")
    }
    guard core.extras[frame.stream]?.fragments == nil else {
      throw .violation("END inside a message")
    }
    core.streams[index].flags.insert(.inputEnded)
    let flags = core.streams[index].flags
    if flags.contains(.cancelled) { return nil }
    let isHeld = core.extras[frame.stream]?.held != nil
    guard flags.contains(.isWaiting), !isHeld else {
      return flags.contains(.isWaiting) ? nil : .inputEnded(stream: frame.stream)
    }
    guard let head = core.withExtras(at: index, { $0.takeHead() }),
      let method = WireMethod(rawValue: head.method)
    else { return nil }
    return deliver(frame.stream, head, method, .empty, credit: 0)
  }

  private mutating func cancel(_ frame: Frame, now: UInt64) throws(WireError) -> ServerEvent? {
    try core.takeControl(now: now)
    guard frame.payload.count == 1, let reason = frame.payload.first, reason == 1 || reason == 4
    else { throw .violation("CANCEL's reason is neither 1 nor 4") }
    guard let index = core.streams.find(frame.stream) else {
      guard frame.stream <= core.lastStream else { throw .violation("CANCEL for no stream") }
      return nil
    }
    let flags = core.streams[index].flags
    guard !flags.contains(.cancelled), !flags.contains(.outputEnded) else { return nil }
    core.streams[index].flags.insert(.cancelled)
    guard flags.contains(.isWaiting) else { return .cancelled(stream: frame.stream) }
    forget(frame.stream)
    end(frame.stream, EndStatus(.cancelled, .none, "cancelled before it started"))
    return nil
  }
}

extension StreamExtras {
  fileprivate mutating func takeHead() -> RequestHead? {
    defer { head = nil }
    return head
  }
}
