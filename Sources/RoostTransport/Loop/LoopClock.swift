import Glibc
import Synchronization

/// A point of monotonic time in nanoseconds.
package struct LoopInstant: Hashable, Comparable, Sendable {
  package var nanoseconds: UInt64

  package init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  package static func < (left: LoopInstant, right: LoopInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Saturates: a time beyond the end of the clock is its end.
  package func advanced(by duration: Duration) -> LoopInstant {
    let (sum, overflow) = nanoseconds.addingReportingOverflow(duration.clampedNanoseconds)
    return LoopInstant(nanoseconds: overflow ? .max : sum)
  }

  /// Zero if `earlier` is later.
  package func elapsed(since earlier: LoopInstant) -> Duration {
    .nanoseconds(
      Int64(
        clamping: nanoseconds > earlier.nanoseconds
          ? nanoseconds - earlier.nanoseconds : 0))
  }
}

extension Duration {
  /// Nanoseconds, 0 for what is negative.
  package var clampedNanoseconds: UInt64 {
    let (seconds, attoseconds) = components
    guard seconds >= 0, attoseconds >= 0 else { return 0 }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    return overflow ? .max : whole &+ UInt64(attoseconds / 1_000_000_000)
  }
}

/// Where a loop takes the time from; tests bring a clock that they move by hand.
package protocol LoopClock: Sendable {
  var now: LoopInstant { get }
}

/// The kernel's monotonic clock.
package struct SystemLoopClock: LoopClock {
  package init() {}

  package var now: LoopInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return LoopInstant(
      nanoseconds: UInt64(max(0, time.tv_sec)) * 1_000_000_000 + UInt64(max(0, time.tv_nsec)))
  }
}

/// A clock that stands until it is moved.
package final class ManualLoopClock: LoopClock {
  private let nanoseconds = Atomic<UInt64>(1_000_000_000)

  package init() {}

  package var now: LoopInstant {
    LoopInstant(nanoseconds: nanoseconds.load(ordering: .acquiring))
  }

  package func advance(by duration: Duration) {
    nanoseconds.wrappingAdd(duration.clampedNanoseconds, ordering: .acquiringAndReleasing)
  }
}
