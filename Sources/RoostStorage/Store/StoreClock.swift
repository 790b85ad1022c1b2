import Glibc

/// Nanoseconds since some moment, on a clock that does not go back: what figures are timed by.
///
/// Only figures: nothing that the store does waits for this clock.
package struct StoreClock: Sendable {
  package let now: @Sendable () -> UInt64

  package init(now: @escaping @Sendable () -> UInt64) { self.now = now }

  /// The system's.
  package static let monotonic = StoreClock {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
