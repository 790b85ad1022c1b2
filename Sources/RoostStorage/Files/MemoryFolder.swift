import Glibc
import RoostModel

/// The folder of a store in memory: private, on a memory file system where there is one.
///
/// SQLite's own memory mode has no WAL, hence no readers beside a writer. Folders of processes
/// that died are swept by the next one.
final class MemoryFolder: Sendable {
  let path: String

  init() throws(StoreError) {
    let base = Self.base()
    Self.sweep(base)
    var template = Array("\(base)/roost-\(getpid())-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .failedPrecondition, .none,
        "no folder can be made in \(base): \(String(cString: strerror(errno)))")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { Self.remove(path) }

  private static func base() -> String {
    if access("/dev/shm", W_OK | X_OK) == 0 { return "/dev/shm" }
    return getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  }

  private static func sweep(_ base: String) {
    for name in names(in: base) where name.hasPrefix("roost-") {
      let parts = name.split(separator: "-")
      guard parts.count == 3, let process = Int32(parts[1]), process != getpid() else { continue }
      if kill(process, 0) != 0, errno == ESRCH { remove("\(base)/\(name)") }
    }
  }

  private static func remove(_ folder: String) {
    for name in names(in: folder) { unlink("\(folder)/\(name)") }
    rmdir(folder)
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
