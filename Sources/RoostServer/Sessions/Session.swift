import RoostModel
import RoostTransport
import RoostWire

/// One connection: bytes to events, events to answers, all on the main actor.
@MainActor
final class Session: @MainActor ChannelHandler {
  let core: ServerCore
  let id: UInt64
  let channel: any Channel
  /// Beyond the limit of connections, and so only for an operator's calls.
  let isForOperator: Bool
  var connection: ServerConnection
  /// Calls that outlast their turn, by stream.
  var calls: [UInt32: Call] = [:]
  var isDirty = false
  var figures: ClientFigures
  /// What the client says of itself; empty before its HELLO.
  private(set) var agent = ""
  private(set) var isReady = false

  /// Received bytes that are no whole frame yet, or wait while too much is unsent.
  private var carry: [UInt8] = []
  /// Swapped with the connection's output, so that no turn allocates.
  private var spare: [UInt8] = []
  private(set) var isWaitingForOutput = false
  private var pauses = 0
  private(set) var isEnding = false
  private var hasInputEnded = false
  private(set) var unsentSince: LoopInstant?
  private var unsentSeen = 0
  private var isSlow = false

  init(core: ServerCore, id: UInt64, channel: any Channel, isForOperator: Bool) {
    self.core = core
    self.isForOperator = isForOperator
    self.id = id
    self.channel = channel
    figures = ClientFigures(now: core.loop.now)
    connection = ServerConnection(limits: core.wireLimits, now: core.loop.now.nanoseconds)
  }

  // MARK: In

  func channel(_ channel: any Channel, received bytes: UnsafeRawBufferPointer) {
    core.stats.bytesIn &+= UInt64(bytes.count)
    figures.bytesIn &+= UInt64(bytes.count)
    figures.lastInput = core.loop.now
    core.catchUp()
    if carry.isEmpty {
      let used = process(bytes)
      if used < bytes.count, !isEnding {
        carry.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[used...]))
      }
    } else {
      carry.append(contentsOf: bytes)
      processCarry()
    }
    core.markDirty(self)
  }

  private func processCarry() {
    guard !isWaitingForOutput, carry.count >= connection.bytesWanted else { return }
    var held: [UInt8] = []
    swap(&held, &carry)
    let used = held.withUnsafeBytes { process($0) }
    if isEnding { return }
    held.removeFirst(used)
    // A view of the bytes may not outlive its event, so nothing refers to them any more.
    carry = held.isEmpty && held.capacity > core.limits.unsentBytesMax ? [] : held
  }

  private func process(_ bytes: UnsafeRawBufferPointer) -> Int {
    var offset = 0
    let start = core.clock.now.nanoseconds
    core.answeredGets = 0
    while let event = connection.next(in: bytes, at: &offset, now: start) {
      handle(event)
      if isEnding { break }
      if connection.outputCount + channel.unsentByteCount > core.limits.unsentBytesMax {
        waitForOutput()
        break
      }
    }
    core.recordAnsweredGets(since: start)
    return offset
  }

  private func handle(_ event: ServerEvent) {
    switch event {
    case .hello(let hello): welcome(hello)
    case .request(let request, let body): dispatch(request, body)
    case .message(let stream, let body, let credit, let isLast):
      guard let call = calls[stream] else { return connection.returnCredit(credit, on: stream) }
      call.received(body, credit: credit, isLast: isLast)
    case .inputEnded(let stream): calls[stream]?.inputEnded()
    case .cancelled(let stream): calls[stream]?.cancel()
    case .writable(let stream): calls[stream]?.writable()
    case .goAway: break
    case .failed:
      core.stats.connectionsFailed &+= 1
      end()
    case .foreign: end()
    }
  }

  private func welcome(_ hello: ClientHello) {
    isReady = true
    agent = String((hello.agent ?? "").prefix(ServerCore.agentCharactersMax))
      .cut(toBytes: StatisticsLimits.agentBytesMax)
    core.sessionIsReady(self)
    if let name = hello.database, name != core.storeName {
      connection.fail(
        WireError(.notFound, .none, "this server serves '\(core.storeName)', not '\(name)'"))
      return end()
    }
    var answer = ServerHello(limits: core.wireLimits)
    answer.agent = ServerCore.agent
    answer.database = core.storeName
    answer.epoch = core.engine.storeIdentifier
    answer.nowToken = core.changes.knownCommit
    answer.schemaVersion = core.plans.schema.version
    connection.accept(answer)
    if core.isDraining { connection.drain(retryAfterMilliseconds: core.retryAfterMilliseconds()) }
  }

  // MARK: Out

  /// Gives what the connection has to say to the channel, which sends it at the turn's end.
  func flush() {
    isDirty = false
    pumpEvents()
    guard connection.outputCount > 0 else { return }
    var output = connection.takeOutput(replacement: spare)
    spare = []
    core.stats.bytesOut &+= UInt64(output.count)
    figures.bytesOut &+= UInt64(output.count)
    channel.write(swapping: &output)
    spare = output
  }

  /// Ends that were given may have made room for streams behind a barrier or without credit.
  private func pumpEvents() {
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    while connection.hasPendingEvents, !isEnding {
      var offset = 0
      guard let event = connection.next(in: nothing, at: &offset, now: core.loop.now.nanoseconds)
      else { return }
      handle(event)
    }
  }

  private func waitForOutput() {
    isWaitingForOutput = true
    pauseReading()
  }

  func channelDrained(_ channel: any Channel) {
    if isWaitingForOutput {
      isWaitingForOutput = false
      resumeReading()
      core.catchUp()
      processCarry()
    }
    for call in calls.values { call.writable() }
    flush()
  }

  /// Reading stops while anybody wants it to.
  func pauseReading() {
    pauses += 1
    if pauses == 1 { channel.pauseReading() }
  }

  func resumeReading() {
    pauses -= 1
    if pauses == 0 { channel.resumeReading() }
  }

  /// Whether a stream may add to what is unsent.
  var hasRoom: Bool {
    connection.outputCount + channel.unsentByteCount < core.limits.unsentBytesMax
  }

  // MARK: Ends

  /// Says the last words and closes; calls that run are dropped.
  func end() {
    guard !isEnding else { return }
    flush()
    isEnding = true
    carry = []
    dropCalls()
    channel.closeGracefully()
  }

  func channelInputEnded(_ channel: any Channel) {
    // The client may still wait for answers to what it has sent.
    hasInputEnded = true
    if calls.isEmpty { end() }
  }

  func channel(_ channel: any Channel, closed end: ChannelEnd) {
    isEnding = true
    dropCalls()
    core.remove(self)
  }

  func tick(_ now: LoopInstant) {
    guard !isEnding else { return }
    for call in calls.values { call.tick(now) }
    switch connection.tick(now: now.nanoseconds) {
    case .fine: break
    case .flush: core.markDirty(self)
    case .abort: return channel.abort()
    }
    if connection.isClosed || (hasInputEnded && calls.isEmpty) { return end() }
    if isForOperator, now.elapsed(since: figures.lastQuestion) >= core.limits.operatorIdleMax {
      return end()
    }
    watchUnsent(now)
  }

  private func watchUnsent(_ now: LoopInstant) {
    let unsent = channel.unsentByteCount
    if unsent == 0 || unsent < unsentSeen || unsentSince == nil {
      unsentSince = now
      isSlow = false
    }
    unsentSeen = unsent
    let stalled = stalled(now)
    if stalled >= ServerCore.slowAfter, !isSlow {
      isSlow = true
      core.stats.slowEver &+= 1
    }
    if stalled >= core.limits.unsentStallMax { channel.abort() }
  }

  /// For how long the client has taken nothing of what is unsent.
  func stalled(_ now: LoopInstant) -> Duration {
    guard unsentSeen > 0, channel.unsentByteCount > 0, let since = unsentSince else {
      return .zero
    }
    return now.elapsed(since: since)
  }
}
