import FoundationEssentials

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The time of day where the command runs.
enum WallClock {
  /// Seconds since 2001.
  static var now: Double { Date().timeIntervalSinceReferenceDate }

  /// Seconds since the process first asked, by a clock that only goes forward.
  static var unset: Double {
    let parts = start.duration(to: .now).components
    return Double(parts.seconds) + Double(parts.attoseconds) / 1e18
  }

  private static let start = ContinuousClock.now

  /// `14:03:22`, of seconds since 2001.
  static func text(_ secondsSince2001: Double) -> String {
    let unix = (secondsSince2001 + Date.timeIntervalBetween1970AndReferenceDate).rounded(.down)
    guard var time = time_t(exactly: unix) else { return "--:--:--" }
    var parts = tm()
    guard localtime_r(&time, &parts) != nil else { return "--:--:--" }
    return [parts.tm_hour, parts.tm_min, parts.tm_sec]
      .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
  }
}
