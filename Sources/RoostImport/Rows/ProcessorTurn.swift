#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// How reading a large file shares the processor with programs that wait for a short answer.
///
/// A scheduler lets a busy thread run for milliseconds before it looks at who has woken since; a
/// thread that offers its processor several times a millisecond keeps others' waits short. Where
/// nobody waits, the offer costs one system call.
enum ProcessorTurn {
  /// Rows between two offers: about 0.2 ms.
  static let rows = 64

  /// Call it with the number of rows read so far.
  @inline(__always)
  static func didRead(_ rowCount: Int) {
    if rowCount % rows == 0 { offer() }
  }

  private static func offer() { sched_yield() }
}
