import RoostModel
import RoostWire

/// Counters of one method. `started == succeeded + failed + cancelled + inFlight`.
struct MethodStats {
  private(set) var started: UInt64 = 0
  private(set) var succeeded: UInt64 = 0
  private(set) var failed: UInt64 = 0
  private(set) var cancelled: UInt64 = 0
  private(set) var latency = LatencyHistogram()

  var inFlight: UInt64 { started - succeeded - failed - cancelled }

  mutating func start() { started += 1 }

  mutating func end(_ status: StatusCode, nanoseconds: UInt64) {
    count(status)
    latency.record(nanoseconds: nanoseconds)
  }

  /// Calls that were answered within one turn and so took the same time.
  mutating func startAndSucceed(_ calls: UInt64, nanoseconds: UInt64) {
    started += calls
    succeeded += calls
    latency.record(nanoseconds: nanoseconds, times: calls)
  }

  private mutating func count(_ status: StatusCode) {
    switch status {
    case .ok: succeeded += 1
    case .cancelled: cancelled += 1
    default: failed += 1
    }
  }

  var entries: [MapEntry] {
    [
      MapEntry("cancelled", .natural(cancelled)), MapEntry("failed", .natural(failed)),
      MapEntry("inFlight", .natural(inFlight)),
    ] + latency.quantileEntries + [
      MapEntry("started", .natural(started)), MapEntry("succeeded", .natural(succeeded)),
    ]
  }
}
