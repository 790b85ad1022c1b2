package import RoostModel

/// The client's end of one connection: calls and received bytes in, events and bytes out.
///
/// Preface and HELLO are in the output from the start, so that requests can follow at once.
/// No socket, no clock: times are nanoseconds of any monotonic clock.
package struct ClientConnection: Sendable {
  /// preface → hello → open → closed, any → closed.
  private enum Phase: Sendable { case preface, hello, open, closed }

  var core: ConnectionCore
  private var phase = Phase.preface
  private var nextStream: UInt32 = 1
  private let hello: ClientHello
  /// nil until HELLO; then what the server said of itself.
  package private(set) var server: ServerHello?
  package private(set) var isDraining = false
  /// Streams that ended without a frame of their own, to report.
  var endedHere: [(UInt32, EndStatus)] = []

  package init(hello: ClientHello, limits: WireLimits = WireLimits(), now: UInt64) {
    var hello = hello
    var limits = limits
    limits.connectionWindow = hello.connectionWindow
    limits.streamWindow = hello.streamWindow
    limits.frameBytesMax = hello.frameBytesMax
    limits.messageBytesMax = hello.messageBytesMax
    hello.check = hello.check && limits.allowsChecksums
    self.hello = hello
    core = ConnectionCore(limits: limits, isServer: false, now: now)
    core.output.raw(Preface.client)
    core.writeFrame(.hello) { hello.encode(into: &$0) }
  }

  package var limits: WireLimits { core.limits }
  package var isClosed: Bool { core.isClosed }
  package var isReady: Bool { core.life.isReady }
  package var streamCount: Int { core.streams.count }
  package var openStreams: [UInt32] { core.streams.ids }
  package var outputCount: Int { core.output.bytes.count }
  package var queuedBytes: Int { core.queuedBytes }
  package var bytesWanted: Int {
    phase == .preface ? Preface.byteCount : core.decoder.bytesWanted
  }
  package var hasPendingEvents: Bool { !core.writable.isEmpty || !endedHere.isEmpty }

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

  // MARK: Calls

  /// Starts a call; `isLast` says that its message is the only one.
  ///
  /// The message goes inside REQUEST when it fits, else as MESSAGE frames under credit.
  /// - Returns: The stream its events will name.
  package mutating func start(
    _ head: RequestHead, shape: MethodShape, isLast: Bool = true,
    _ body: (inout PackedWriter) -> Void
  ) throws(CallError) -> UInt32 {
    guard !core.isClosed, !isDraining else { throw .closing }
    let isLong = shape != .unary
    guard
      isLong
        ? core.longCount < (server?.longStreamsMax ?? core.limits.longStreamsMax)
        : core.unaryCount < (server?.unaryStreamsMax ?? core.limits.unaryStreamsMax)
    else { throw .tooManyStreams }
    guard nextStream <= WireLimits.streamIDMax else { throw .exhausted }
    let stream = nextStream
    let start = core.beginFrame()
    head.encode(into: &core.output)
    let bodyStart = core.output.bytes.count
    body(&core.output)
    let bodyCount = core.output.bytes.count - bodyStart
    let fits =
      bodyCount <= WireLimits.requestBodyMax
      && core.output.bytes.count - start - FrameHeader.byteCount <= core.peer.frameBytesMax - 4
      && (bodyCount > 0 || isLast)
    var flags: StreamEntry.Flags = isLong ? .isLong : []
    if shape == .bidirectional { flags.insert(.takesMessages) }
    var message: [UInt8] = []
    if fits {
      if isLast { flags.insert(.outputEnded) }
    } else {
      guard bodyCount <= core.peer.messageBytesMax else {
        core.output.bytes.removeSubrange(start...)
        throw .tooLarge
      }
      guard core.queuedBytes == 0 || core.queuedBytes + bodyCount <= core.limits.queuedBytesMax
      else {
        core.output.bytes.removeSubrange(start...)
        throw .full
      }
      message = [UInt8](core.output.bytes[bodyStart...])
      core.output.bytes.removeSubrange(bodyStart...)
    }
    core.finishFrame(start, type: .request, flags: fits && isLast ? .end : [], stream: stream)
    nextStream += 1
    core.open(
      stream, flags: flags, sendCredit: core.peer.streamWindow,
      receiveCredit: head.initialCredit.map(Int.init) ?? core.limits.streamWindow)
    if !fits, bodyCount > 0 { send(stream, isLast: isLast) { $0.raw(message) } }
    return stream
  }

  /// Sends a further message of a bidirectional call; ask ``isWritable(_:)`` first.
  @discardableResult
  package mutating func send(
    _ stream: UInt32, isLast: Bool = false, _ body: (inout PackedWriter) -> Void
  ) -> SendResult {
    guard !core.isClosed, let index = core.streams.find(stream),
      !core.streams[index].flags.contains(.cancelled)
    else { return .gone }
    return core.sendMessage(at: index, end: isLast, body)
  }

  /// Says that no further message comes, behind what is queued.
  @discardableResult
  package mutating func finish(_ stream: UInt32) -> SendResult {
    guard !core.isClosed, let index = core.streams.find(stream),
      !core.streams[index].flags.contains(.outputEnded),
      !core.streams[index].flags.contains(.cancelled)
    else { return .gone }
    core.streams[index].flags.insert(.outputEnded)
    if core.hasOutbound(stream) {
      core.withExtras(at: index) { $0.outboundEnd = [] }
      return .queued
    }
    core.writeFrame(.end, stream: stream)
    return .sent
  }

  /// Asks the server to stop; the call's end still comes, as CANCELLED or as what it had become.
  package mutating func cancel(_ stream: UInt32, deadlinePassed: Bool = false) {
    guard !core.isClosed, let index = core.streams.find(stream),
      !core.streams[index].flags.contains(.cancelled)
    else { return }
    core.streams[index].flags.insert(.cancelled)
    core.dropOutbound(at: index)
    core.writeFrame(.cancel, stream: stream) { $0.byte(deadlinePassed ? 4 : 1) }
  }

  package mutating func isWritable(_ stream: UInt32) -> Bool {
    guard !core.isClosed, let index = core.streams.find(stream),
      !core.streams[index].flags.contains(.cancelled)
    else { return false }
    return core.isWritable(at: index)
  }

  /// Gives back the credit of a message that has been taken.
  package mutating func returnCredit(_ byteCount: Int, on stream: UInt32) {
    guard !core.isClosed, let index = core.streams.find(stream) else { return }
    core.returnCredit(byteCount, at: index)
  }

  /// Says goodbye; close when the output is flushed.
  package mutating func close() {
    core.fail(WireError(.ok, .none, "goodbye"), lastStream: 0)
    phase = .closed
  }

  /// Does what time asks for: handshake and frame deadlines, keepalive.
  package mutating func tick(now: UInt64) -> TimeOutcome { core.tick(now: now) }
  package var nextDeadline: UInt64 { core.nextDeadline }

  // MARK: In

  /// The next event in the bytes from `offset` on, which moves behind what is done with.
  ///
  /// nil when more bytes are needed. A message's body may be a view into `buffer`.
  package mutating func next(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) -> ClientEvent? {
    if !endedHere.isEmpty {
      let (stream, status) = endedHere.removeFirst()
      return .ended(stream: stream, status)
    }
    guard !core.isClosed else {
      offset = buffer.count
      return nil
    }
    do throws(WireError) {
      return try step(in: buffer, at: &offset, now: now)
    } catch {
      core.fail(error, lastStream: 0)
      phase = .closed
      offset = buffer.count
      return .failed(error)
    }
  }

  private mutating func step(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) throws(WireError) -> ClientEvent? {
    if phase == .preface {
      let rest = UnsafeRawBufferPointer(rebasing: buffer[offset...])
      guard try Preface.judge(server: rest) != nil else { return nil }
      offset += Preface.byteCount
      phase = .hello
    }
    if let event = pendingEvent() { return event }
    while let (type, frame) = try core.nextFrame(in: buffer, at: &offset, now: now) {
      if phase == .hello {
        // A server that refuses may say so instead of HELLO.
        guard type == .hello || type == .goAway else {
          throw .violation("the first frame is not HELLO")
        }
        if type == .hello { return .ready(try greet(frame)) }
      }
      if let event = try handle(type, frame, now: now) { return event }
      if let event = pendingEvent() { return event }
    }
    return nil
  }

  private mutating func greet(_ frame: Frame) throws(WireError) -> ServerHello {
    let answer: ServerHello
    do throws(MessageError) {
      answer = try ServerHello(frame.payload)
    } catch {
      throw WireError(.invalidArgument, error.detail, "HELLO: \(error.message)")
    }
    let assumed = core.peer
    core.peer = PeerLimits(
      frameBytesMax: min(answer.frameBytesMax, hello.frameBytesMax),
      messageBytesMax: answer.messageBytesMax, streamWindow: answer.streamWindow,
      connectionWindow: answer.connectionWindow, usesChecksums: answer.check && hello.check,
      mayDeflate: answer.deflate > 0 && hello.deflate > 0,
      deflateThreshold: hello.deflate > 0 ? answer.deflate : 0)
    server = answer
    core.ready()
    phase = .open
    core.widen(
      streamsBy: answer.streamWindow - assumed.streamWindow,
      connectionBy: answer.connectionWindow - assumed.connectionWindow)
    return answer
  }

  mutating func beginDraining() { isDraining = true }
  mutating func closeHere() { phase = .closed }
}
