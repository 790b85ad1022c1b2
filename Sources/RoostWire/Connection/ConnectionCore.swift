import RoostModel

/// What the peer accepts and how to send to it.
struct PeerLimits: Hashable, Sendable {
  // Until the peer's HELLO is read, only what every peer must accept.
  var frameBytesMax = WireLimits.frameBytesMin
  var messageBytesMax = WireLimits.messageBytesCap
  var streamWindow = WireLimits.windowMin
  var connectionWindow = WireLimits.windowMin
  var usesChecksums = false
  /// Whether the peer may deflate too.
  var mayDeflate = false
  /// 0 for never.
  var deflateThreshold = 0

  /// The longest message that goes out as it is, in one frame, with room for a checksum.
  var plainBytesMax: Int {
    let size = min(frameBytesMax - 4, messageBytesMax)
    return deflateThreshold == 0 ? size : min(size, deflateThreshold - 1)
  }
}

/// What both ends of a connection have in common: streams, credit, fragments, output, control.
///
/// Invariants, checked by ``checkInvariants()`` in tests:
/// - `queuedBytes` is the sum of all payloads in `extras[*].outbound`.
/// - An entry has `.hasExtras` if and only if `extras` has its id.
/// - `unaryCount + longCount == streams.count`.
struct ConnectionCore: Sendable {
  let limits: WireLimits
  let isServer: Bool
  var peer = PeerLimits()
  var output = PackedWriter()
  var decoder: FrameDecoder
  var streams = StreamTable()
  var extras: [UInt32: StreamExtras] = [:]
  var unaryCount = 0
  var longCount = 0
  /// The highest stream id that was opened.
  var lastStream: UInt32 = 0

  var sendCredit = WireLimits.windowMin
  var receiveCredit: Int
  /// Connection credit used up and not given back yet.
  var connectionUnreturned = 0
  /// Message bytes that owners of streams have not taken yet.
  var undelivered = 0
  var queuedBytes = 0
  /// Streams whose next frame waits for credit, in turn.
  var blocked: [UInt32] = []
  /// Streams to report as writable.
  var writable: [UInt32] = []
  /// Message bytes that may still come for streams this side ended first.
  var lateAllowance = 0
  var pingsUnanswered = 0
  /// When the last REQUEST came.
  var lastRequest: UInt64

  var control: ControlBudget
  var life: ConnectionLife
  /// Set once: nothing is read or written after it but the final GOAWAY.
  var isClosed = false

  init(limits: WireLimits, isServer: Bool, now: UInt64) {
    self.limits = limits
    self.isServer = isServer
    // HELLO comes first and is small; see ``ready()``.
    decoder = FrameDecoder(frameBytesMax: WireLimits.helloBytesMax)
    receiveCredit = limits.connectionWindow
    control = ControlBudget(
      perSecond: limits.controlFramesPerSecond, burst: limits.controlFramesBurst, now: now)
    life = ConnectionLife(now: now)
    lastRequest = now
  }

  // MARK: Streams

  mutating func open(
    _ id: UInt32, flags: StreamEntry.Flags, sendCredit: Int, receiveCredit: Int
  ) {
    streams.insert(
      StreamEntry(
        id: id, flags: flags, sendCredit: sendCredit, receiveCredit: receiveCredit))
    lastStream = id
    if flags.contains(.isLong) { longCount += 1 } else { unaryCount += 1 }
  }

  mutating func close(at index: Int) {
    let entry = streams[index]
    if entry.flags.contains(.isLong) { longCount -= 1 } else { unaryCount -= 1 }
    if isServer, !entry.flags.contains(.inputEnded) { allowLate(entry.receiveCredit) }
    undelivered -= entry.unreturned
    if entry.flags.contains(.hasExtras) { dropExtras(entry.id) }
    streams.remove(at: index)
    if entry.unreturned > 0 { returnConnectionCredit() }
  }

  private mutating func dropExtras(_ id: UInt32) {
    guard let extra = extras.removeValue(forKey: id) else { return }
    for frame in extra.outbound[extra.outboundStart...] { queuedBytes -= frame.payload.count }
    blocked.removeAll { $0 == id }
  }

  /// A stream ended before its input: what the peer had credit for may be on its way.
  mutating func allowLate(_ credit: Int) {
    lateAllowance = min(
      lateAllowance + max(0, credit) + limits.frameBytesMax, WireLimits.creditMax)
  }

  /// HELLO is done: frames may have their full size.
  mutating func ready() {
    life.isReady = true
    decoder.frameBytesMax = limits.frameBytesMax
  }

  /// Changes a stream's extras, making them first if need be and dropping them when empty.
  mutating func withExtras<Result>(
    at index: Int, _ body: (inout StreamExtras) -> Result
  ) -> Result {
    let id = streams[index].id
    var extra = extras.removeValue(forKey: id) ?? StreamExtras()
    let result = body(&extra)
    if extra.isEmpty {
      streams[index].flags.remove(.hasExtras)
    } else {
      extras[id] = extra
      streams[index].flags.insert(.hasExtras)
    }
    return result
  }

  /// Forgets what is queued on a stream.
  mutating func dropOutbound(at index: Int) {
    let id = streams[index].id
    guard streams[index].flags.contains(.hasExtras) else { return }
    let dropped = withExtras(at: index) { extra in
      let dropped = extra.outbound[extra.outboundStart...].reduce(0) { $0 + $1.payload.count }
      extra.outbound = []
      extra.outboundStart = 0
      extra.outboundEnd = nil
      return dropped
    }
    queuedBytes -= dropped
    blocked.removeAll { $0 == id }
  }

  // MARK: Closing

  /// Writes the final GOAWAY; what is in the output before it still goes.
  mutating func fail(_ error: WireError, lastStream: UInt32) {
    guard !isClosed else { return }
    writeGoAway(
      GoAway(
        lastStream: lastStream, status: error.status, phase: .final, detail: error.detail,
        text: error.message))
    isClosed = true
  }

  mutating func writeGoAway(_ goAway: GoAway) {
    writeFrame(.goAway) { goAway.encode(into: &$0) }
  }

  func checkInvariants() -> Bool {
    let queued = extras.values.reduce(0) { sum, extra in
      extra.outbound[extra.outboundStart...].reduce(sum) { $0 + $1.payload.count }
    }
    let ids = streams.ids
    let withExtras = ids.filter { id in
      streams.find(id).map { streams[$0].flags.contains(.hasExtras) } ?? false
    }
    let unreturned = ids.reduce(0) { sum, id in
      sum + (streams.find(id).map { streams[$0].unreturned } ?? 0)
    }
    return queued == queuedBytes && Set(withExtras) == Set(extras.keys)
      && unaryCount + longCount == streams.count && unreturned == undelivered
      && receiveCredit + connectionUnreturned == limits.connectionWindow
  }
}
