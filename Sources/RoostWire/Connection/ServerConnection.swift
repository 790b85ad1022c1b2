import RoostModel

/// The server's end of one connection: bytes in, events and bytes out; no socket, no clock.
///
/// Give it received bytes through ``next(in:at:now:)`` until that gives nil, then send what
/// ``takeOutput(replacement:)`` has. Times are nanoseconds of any monotonic clock.
///
/// Invariant: a stream's slot is free only after this side's END is in the output, so neither a
/// cancel nor a flood of short calls makes room for more work than the limits allow.
package struct ServerConnection: Sendable {
  /// What follows what: preface → hello → open → closed, any → closed.
  private enum Phase: Sendable {
    case preface
    case hello
    /// HELLO is with the owner; nothing is read until it is accepted.
    case judging(ClientHello)
    case open
    case closed
  }

  var core: ConnectionCore
  private var phase = Phase.preface
  /// Requests that wait behind a barrier, in order.
  var barriers: [UInt32] = []
  var heldBytes = 0
  /// Streams above it are not looked at; set by the final GOAWAY of a drain.
  var lastAccepted: UInt32?
  package private(set) var isDraining = false

  package init(limits: WireLimits = WireLimits(), now: UInt64) {
    core = ConnectionCore(limits: limits, isServer: true, now: now)
  }

  package var limits: WireLimits { core.limits }
  package var isClosed: Bool { core.isClosed }
  package var isReady: Bool { core.life.isReady }
  package var streamCount: Int { core.streams.count }
  package var openStreams: [UInt32] { core.streams.ids }
  /// Bytes that ``takeOutput(replacement:)`` would give.
  // These two change nothing: `mutating` has them called in place, where the connection of an
  // object would else be copied for the call, part by part.
  package var outputCount: Int { mutating get { core.output.byteCount } }
  /// Bytes of one message the client takes; a longer reply need not be made.
  package var replyBytesMax: Int { mutating get { core.peer.messageBytesMax } }
  /// Message bytes that wait for the client's credit.
  package var queuedBytes: Int { core.queuedBytes }
  /// Bytes the receive buffer must hold from the offset on before there is another event.
  package var bytesWanted: Int { core.decoder.bytesWanted }
  /// Whether ``next(in:at:now:)`` has an event even without new bytes.
  package var hasPendingEvents: Bool {
    !core.writable.isEmpty || barriers.first.map { $0 == core.streams.lowest } ?? false
  }

  /// What is to be sent; the owner may swap it for an empty buffer.
  package var output: [UInt8] {
    get { core.output.bytes }
    _modify { yield &core.output.bytes }
  }

  /// Hands over what is to be sent and takes an empty buffer for what follows.
  package mutating func takeOutput(replacement: consuming [UInt8] = []) -> [UInt8] {
    let full = core.output.bytes
    core.output = PackedWriter(appendingTo: replacement)
    return full
  }

  // MARK: In

  /// The next event in the bytes from `offset` on, which moves behind what is done with.
  ///
  /// nil when more bytes are needed: keep those from `offset` on and add to them. A message's
  /// body may be a view into `buffer`.
  package mutating func next(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) -> ServerEvent? {
    guard !core.isClosed else {
      offset = buffer.count
      return nil
    }
    do throws(WireError) {
      return try step(in: buffer, at: &offset, now: now)
    } catch {
      core.fail(error, lastStream: lastAccepted ?? core.lastStream)
      phase = .closed
      offset = buffer.count
      return .failed(error)
    }
  }

  private mutating func step(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) throws(WireError) -> ServerEvent? {
    switch phase {
    case .open: break
    case .preface:
      let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
      let verdict = Preface.judge(client: rest)
      guard case .version(let version) = verdict else { return refuse(verdict) }
      offset += Preface.byteCount
      core.output.raw(Preface.server(chosen: version))
      phase = .hello
      return try hello(in: buffer, at: &offset, now: now)
    case .hello: return try hello(in: buffer, at: &offset, now: now)
    case .judging, .closed: return nil
    }
    if let event = pendingEvent() { return event }
    while let (type, frame) = try core.nextFrame(in: buffer, at: &offset, now: now) {
      if let event = try handle(type, frame, now: now) { return event }
      if let event = pendingEvent() { return event }
    }
    return nil
  }

  private mutating func refuse(_ verdict: Preface.Verdict) -> ServerEvent? {
    switch verdict {
    case .incomplete, .version: return nil
    case .noCommonVersion: core.output.raw(Preface.server(chosen: 0))
    case .http:
      core.output.raw(Array("HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n".utf8))
    case .foreign: break
    }
    core.isClosed = true
    phase = .closed
    return .foreign(verdict)
  }

  private mutating func hello(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) throws(WireError) -> ServerEvent? {
    guard let (type, frame) = try core.nextFrame(in: buffer, at: &offset, now: now) else {
      return nil
    }
    guard type == .hello else { throw .violation("the first frame is not HELLO") }
    do throws(MessageError) {
      let hello = try ClientHello(frame.payload)
      phase = .judging(hello)
      return .hello(hello)
    } catch {
      throw WireError(.invalidArgument, error.detail, "HELLO: \(error.message)")
    }
  }

  // MARK: HELLO

  /// Lets the client in. What `hello` says of checksums and DEFLATE is settled here.
  package mutating func accept(_ hello: ServerHello) {
    guard case .judging(let client) = phase else { return }
    var answer = hello
    let limits = core.limits
    answer.check = client.check && limits.allowsChecksums
    let deflates = client.deflate > 0 && limits.deflateThreshold > 0
    answer.deflate = deflates ? max(client.deflate, limits.deflateThreshold) : 0
    core.writeFrame(.hello) { answer.encode(into: &$0) }
    core.peer = PeerLimits(
      frameBytesMax: min(client.frameBytesMax, limits.frameBytesMax),
      messageBytesMax: min(client.messageBytesMax, WireLimits.messageBytesCap),
      streamWindow: client.streamWindow,
      connectionWindow: client.connectionWindow, usesChecksums: answer.check,
      mayDeflate: deflates, deflateThreshold: answer.deflate)
    core.sendCredit = client.connectionWindow
    core.ready()
    phase = .open
  }

  /// Ends the connection with a final GOAWAY in the output.
  package mutating func fail(_ error: WireError) {
    core.fail(error, lastStream: lastAccepted ?? core.lastStream)
    phase = .closed
  }

  /// Asks the client to open no more streams; those that come all the same are still served.
  package mutating func drain(retryAfterMilliseconds: UInt32 = 0) {
    guard !core.isClosed, core.life.isReady, !isDraining else { return }
    isDraining = true
    core.writeGoAway(
      GoAway(
        lastStream: UInt32.max, status: .unavailable, phase: .soft, detail: .draining,
        retryAfterMilliseconds: retryAfterMilliseconds, text: "draining"))
  }

  /// From here on new streams are not looked at; close when ``streamCount`` is 0.
  package mutating func finishDraining(retryAfterMilliseconds: UInt32 = 0) {
    guard !core.isClosed, lastAccepted == nil else { return }
    lastAccepted = core.lastStream
    isDraining = true
    core.writeGoAway(
      GoAway(
        lastStream: core.lastStream, status: .unavailable, phase: .final, detail: .draining,
        retryAfterMilliseconds: retryAfterMilliseconds, text: "draining"))
  }

  /// Does what time asks for: handshake and frame deadlines, keepalive, idle close.
  package mutating func tick(now: UInt64) -> TimeOutcome {
    let outcome = core.tick(now: now)
    guard outcome == .fine, !core.isClosed, core.life.isReady, core.streams.count == 0,
      now >= max(core.life.busy, core.lastRequest) + core.limits.idleTimeout
    else { return outcome }
    fail(WireError(.unavailable, .none, "idle"))
    return .flush
  }

  package var nextDeadline: UInt64 { core.nextDeadline }
}
