import Glibc
import RoostModel

/// Keeps a second process, or a second store of this one, away from a store's file.
///
/// The lock is held on a file of its own beside the store: closing any descriptor of the store
/// file itself would drop SQLite's locks. The kernel lets go of it when the process dies.
final class FileLock: Sendable {
  private let descriptor: Int32

  init(store path: String) throws(StoreError) {
    let lockPath = path + ".lock"
    let descriptor = Glibc.open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else {
      throw StoreError(
        .failedPrecondition, .lockConflict,
        "the lock file \(lockPath) cannot be made: \(String(cString: strerror(errno)))")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let owner = Self.owner(descriptor)
      Glibc.close(descriptor)
      throw StoreError(
        .failedPrecondition, .lockConflict,
        "the store \(path) is in use by process \(owner); one process serves a file at a time")
    }
    self.descriptor = descriptor
    let text = "\(getpid())\n"
    _ = ftruncate(descriptor, 0)
    _ = text.withCString { pwrite(descriptor, $0, strlen($0), 0) }
  }

  deinit { Glibc.close(descriptor) }

  private static func owner(_ descriptor: Int32) -> String {
    var bytes = [UInt8](repeating: 0, count: 24)
    let count = pread(descriptor, &bytes, bytes.count, 0)
    let digits = bytes.prefix(max(0, count)).prefix { $0 >= 0x30 && $0 <= 0x39 }
    return digits.isEmpty ? "unknown" : String(decoding: digits, as: UTF8.self)
  }
}
