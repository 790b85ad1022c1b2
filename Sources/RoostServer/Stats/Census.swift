import RoostTransport

/// What is true of all connections together at one moment.
///
/// - Complexity: O(connections + calls under way).
@MainActor
struct Census {
  private(set) var active = 0
  private(set) var unready = 0
  private(set) var slow = 0
  private(set) var unsentBytes = 0
  private(set) var unsentBytesHighest = 0
  private(set) var unsentBytesHighestClient: UInt64 = 0
  private(set) var oldestSnapshotMilliseconds: Int64 = 0
  private(set) var oldestSnapshotClient: UInt64 = 0

  init(_ sessions: some Sequence<Session>, now: LoopInstant) {
    for session in sessions {
      if !session.isReady { unready += 1 }
      if session.stalled(now) >= ServerCore.slowAfter { slow += 1 }
      add(unsent: session.channel.unsentByteCount, of: session)
      guard !session.calls.isEmpty else { continue }
      active += 1
      let age = session.snapshotMilliseconds(now)
      if age > oldestSnapshotMilliseconds {
        oldestSnapshotMilliseconds = age
        oldestSnapshotClient = session.id
      }
    }
  }

  private mutating func add(unsent: Int, of session: Session) {
    unsentBytes += unsent
    if unsent > unsentBytesHighest {
      unsentBytesHighest = unsent
      unsentBytesHighestClient = session.id
    }
  }
}

extension Session {
  /// The age of the oldest snapshot its calls hold; 0 if none does.
  func snapshotMilliseconds(_ now: LoopInstant) -> Int64 {
    var oldest: Int64 = 0
    for call in calls.values {
      if let since = call.snapshotSince { oldest = max(oldest, since.milliseconds(until: now)) }
    }
    return oldest
  }
}

extension LoopInstant {
  func milliseconds(until now: LoopInstant) -> Int64 {
    Int64(clamping: now.elapsed(since: self).clampedNanoseconds / 1_000_000)
  }
}
