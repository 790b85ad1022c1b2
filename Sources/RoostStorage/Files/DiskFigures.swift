import Glibc
import Synchronization

/// Sizes that the file system knows, asked for at most once a second.
///
/// A WAL store is on a local file system, which answers both questions from memory. The lock is
/// not held meanwhile: who asks at the same moment gets what was known before.
final class DiskFigures: Sendable {
  struct Sizes: Sendable {
    /// Of the store's file; nil if it cannot be seen.
    var fileBytes: Int?
    /// What is free to us on its file system.
    var freeBytes: Int?
    /// The whole file system.
    var diskBytes: Int?
  }

  private struct State {
    var sizes: Sizes?
    var asked: UInt64 = 0
  }

  private let path: String
  private let clock: StoreClock
  private let state = Mutex(State())

  init(_ path: String, _ clock: StoreClock) {
    self.path = path
    self.clock = clock
  }

  var sizes: Sizes {
    let now = clock.now()
    let known = state.withLock { state -> Sizes? in
      if let sizes = state.sizes, now &- state.asked < 1_000_000_000 { return sizes }
      state.asked = now
      return nil
    }
    if let known { return known }
    let sizes = Self.ask(path)
    state.withLock { $0.sizes = sizes }
    return sizes
  }

  private static func ask(_ path: String) -> Sizes {
    var sizes = Sizes()
    var file = stat()
    if stat(path, &file) == 0 { sizes.fileBytes = Int(file.st_size) }
    var disk = statvfs()
    if statvfs(path, &disk) == 0 {
      sizes.freeBytes = product(disk.f_bavail, disk.f_frsize)
      sizes.diskBytes = product(disk.f_blocks, disk.f_frsize)
    }
    return sizes
  }

  private static func product(_ blocks: UInt, _ size: UInt) -> Int {
    let (bytes, overflows) = blocks.multipliedReportingOverflow(by: size)
    return overflows ? .max : Int(clamping: bytes)
  }
}
