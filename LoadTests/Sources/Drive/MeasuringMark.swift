import RoostClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A file that tells a script that the measuring has begun.
struct MeasuringMark: Sendable {
  let file: String

  /// Makes the file, empty, at `moment`; not at all if its task is cancelled before.
  func make(at moment: LoopInstant) async {
    let now = LoopInstant.now.nanoseconds
    let wait = Duration.nanoseconds(moment.nanoseconds > now ? moment.nanoseconds - now : 0)
    do { try await Task.sleep(for: wait) } catch { return }
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      let reason = String(cString: strerror(errno))
      Terminal.write("\(file) cannot be made: \(reason)\n", to: STDERR_FILENO)
      return
    }
    close(descriptor)
  }
}
