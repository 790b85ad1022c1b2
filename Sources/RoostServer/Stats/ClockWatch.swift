import Glibc

/// Counts how often the wall clock jumped: dates that programs write are wrong around it.
///
/// Against the clock that only runs on, also while the machine sleeps.
struct ClockWatch {
  /// A jump, in nanoseconds; slewing by a time service stays far below it between two looks.
  static let jump: Int64 = 1_000_000_000

  private var offset: Int64?
  private(set) var steps: UInt64 = 0

  /// Compares two readings taken together, in nanoseconds.
  mutating func look(wall: Int64, running: Int64) {
    let now = wall &- running
    if let offset, (now &- offset).magnitude > UInt64(ClockWatch.jump) { steps &+= 1 }
    offset = now
  }

  mutating func look() {
    look(
      wall: ClockWatch.nanoseconds(CLOCK_REALTIME), running: ClockWatch.nanoseconds(CLOCK_BOOTTIME))
  }

  private static func nanoseconds(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}
