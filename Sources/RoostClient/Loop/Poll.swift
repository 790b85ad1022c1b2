#if os(Linux)
  import CLinux
#endif
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The wait of a loop's turn.
enum Poll {
  /// A loop that has nothing to wait for still looks around so often.
  private static let nanosecondsMax: UInt64 = 60_000_000_000

  /// Waits until a descriptor is ready or the moment has come; on Linux to the microsecond.
  static func wait(_ polls: inout [pollfd], until due: LoopInstant) {
    let now = LoopInstant.now
    let wait = due <= now ? 0 : min(due.nanoseconds - now.nanoseconds, nanosecondsMax)
    #if os(Linux)
      _ = clinux_ppoll(
        &polls, UInt(polls.count), Int(wait / 1_000_000_000), Int(wait % 1_000_000_000))
    #else
      _ = poll(&polls, nfds_t(polls.count), Int32((wait + 999_999) / 1_000_000))
    #endif
  }
}
