/// How long to wait between two rows: the interval, longer while the server is lost.
struct WatchPauses {
  let interval: Double
  private var failures = 0

  init(every interval: Double) { self.interval = interval }

  mutating func succeeded() { failures = 0 }

  mutating func failed() { failures = min(failures + 1, 16) }

  /// Seconds: the interval at first, then twice as long each time, within a bound.
  var next: Double {
    guard failures > 1 else { return interval }
    let longest = max(interval, MonitorLimits.watchBackoffMax)
    var pause = interval
    for _ in 1..<failures where pause < longest { pause *= 2 }
    return min(pause, longest)
  }
}
