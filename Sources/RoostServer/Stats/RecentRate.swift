import RoostTransport

/// How fast a counter grew over the last five to ten seconds, or since it began.
struct RecentRate {
  private static let step = Duration.seconds(5)

  private var older: (total: Int, time: LoopInstant)
  private var newer: (total: Int, time: LoopInstant)

  init(now: LoopInstant) {
    older = (0, now)
    newer = older
  }

  /// Called now and then, at least every second.
  mutating func look(_ total: Int, now: LoopInstant) {
    guard now.elapsed(since: newer.time) >= RecentRate.step else { return }
    older = newer
    newer = (total, now)
  }

  func perSecond(_ total: Int, now: LoopInstant) -> Double {
    let seconds = Double(now.elapsed(since: older.time).clampedNanoseconds) / 1e9
    return seconds > 0 ? Double(total - older.total) / seconds : 0
  }
}
