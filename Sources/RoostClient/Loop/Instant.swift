#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A moment of the monotonic clock in nanoseconds, which is cheaper than Foundation's and
/// compares with one instruction.
public struct LoopInstant: Hashable, Comparable, Sendable {
  /// Nanoseconds since some moment before the program began.
  public var nanoseconds: UInt64

  /// A moment by its number, as another moment's arithmetic gives it.
  public init(nanoseconds: UInt64) { self.nanoseconds = nanoseconds }

  /// Later than every other.
  public static let never = LoopInstant(nanoseconds: .max)

  /// The moment of the call.
  public static var now: LoopInstant {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return LoopInstant(
      nanoseconds: UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec))
  }

  /// Which of two moments is the earlier.
  public static func < (left: LoopInstant, right: LoopInstant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// The moment after `duration`; ``never`` where that is out of range, now for a negative one.
  public func advanced(by duration: Duration) -> LoopInstant {
    let (seconds, attoseconds) = duration.components
    if seconds < 0 || attoseconds < 0 { return self }
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = whole.addingReportingOverflow(UInt64(attoseconds / 1_000_000_000))
    let (result, late) = nanoseconds.addingReportingOverflow(sum)
    return overflow || carry || late ? .never : LoopInstant(nanoseconds: result)
  }

  /// Milliseconds until this moment, rounded up; 0 when it has passed.
  func milliseconds(from now: LoopInstant) -> UInt64 {
    self <= now ? 0 : (nanoseconds - now.nanoseconds - 1) / 1_000_000 + 1
  }
}
