import RoostModel
import RoostTransport
import RoostWire

/// One import as statistics show it.
struct ImportFigures {
  let descriptor: ImportDescriptor
  let client: UInt64
  let agent: String
  let started: LoopInstant
  var accepted = 0
  var rejected = 0
  var chunks = 0
  var chunksWaiting = 0
  var bytes = 0
  /// Bytes of the source that are committed, as the client counts them.
  var sourceOffset: UInt64?
  var rate: RecentRate
  var ended: LoopInstant?
  var end = EndStatus.ok

  init(_ descriptor: ImportDescriptor, client: UInt64, agent: String, now: LoopInstant) {
    self.descriptor = descriptor
    self.client = client
    self.agent = agent
    started = now
    rate = RecentRate(now: now)
  }

  var rows: Int { accepted + rejected }

  func state(isPaused: Bool) -> String {
    guard ended != nil else { return isPaused ? "paused" : "running" }
    return end.isFailure ? "failed" : end.status == .ok ? "done" : "cancelled"
  }

  /// Rows a second of late, or over its life once it has ended.
  func rowsPerSecond(_ now: LoopInstant) -> Double {
    guard let ended else { return rate.perSecond(rows, now: now) }
    let seconds = Double(ended.elapsed(since: started).clampedNanoseconds) / 1e9
    return seconds > 0 ? Double(rows) / seconds : 0
  }

  /// How much of the source is in; nil if its length is not known.
  var progressShare: Double? {
    guard let total = descriptor.source?.byteCount, let offset = sourceOffset else { return nil }
    return total == 0 ? 1 : min(1, Double(offset) / Double(total))
  }

  /// What is left at the pace so far, in milliseconds.
  func eta(_ now: LoopInstant) -> Int64? {
    guard ended == nil, let share = progressShare, share > 0 else { return nil }
    let milliseconds = Double(now.elapsed(since: started).clampedNanoseconds) / 1e6
    return Int64(exactly: (milliseconds * (1 - share) / share).rounded())
  }
}

/// The last imports that ended; those that run are found through their sessions.
struct ImportLog {
  static let endedMax = 16
  /// Newest first.
  private(set) var ended: [ImportFigures] = []

  mutating func add(_ figures: ImportFigures) {
    if ended.count == ImportLog.endedMax { ended.removeLast() }
    ended.insert(figures, at: 0)
  }
}
