/// How many control frames a peer may send: a bucket that refills with time.
struct ControlBudget: Sendable {
  private let perSecond: Int
  private let burst: Int
  private var tokens: Int
  private var refilled: UInt64

  init(perSecond: Int, burst: Int, now: UInt64) {
    self.perSecond = perSecond
    self.burst = burst
    tokens = burst
    refilled = now
  }

  /// Takes one; false when there is none left.
  mutating func take(now: UInt64) -> Bool {
    if tokens <= burst / 2, now > refilled {
      let elapsed = min(now - refilled, 60_000_000_000)
      let earned = Int(elapsed) / 1_000 * perSecond / 1_000_000
      if earned > 0 {
        tokens = min(burst, tokens + earned)
        refilled = now
      }
    }
    guard tokens > 0 else { return false }
    tokens -= 1
    return true
  }
}

/// When a connection was last heard of and what it is waited for.
struct ConnectionLife: Sendable {
  let opened: UInt64
  /// The last moment any byte came.
  var heard: UInt64
  /// The last moment it was seen to have a stream.
  var busy: UInt64
  /// When the frame that is not complete began; nil when none is.
  var frameSince: UInt64?
  /// Bytes of that frame so far.
  var restBytes = 0
  var pingSent: UInt64?
  var isReady = false

  init(now: UInt64) {
    opened = now
    heard = now
    busy = now
  }
}

/// What the passing of time did to a connection.
package enum TimeOutcome: Hashable, Sendable {
  case fine
  /// A PING or GOAWAY is in the output; flush it.
  case flush
  /// The peer is dead: drop the socket without a word.
  case abort
}
