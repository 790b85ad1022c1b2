#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Files that are read and written whole.
enum ReportFile {
  /// Reads up to ``LoadLimits/fileBytesMax`` bytes.
  static func read(_ path: String) throws(RecordError) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path, "cannot be read") }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, "cannot be read") }
      if count == 0 { return bytes }
      bytes += buffer[..<count]
      guard bytes.count <= LoadLimits.fileBytesMax else {
        throw RecordError("\(path) is longer than \(LoadLimits.fileBytesMax >> 20) MB")
      }
    }
  }

  /// Replaces what the file holds.
  static func write(_ text: String, to path: String) throws(RecordError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw failure(path, "cannot be written") }
    defer { close(descriptor) }
    guard Terminal.write(text, to: descriptor) else { throw failure(path, "cannot be written") }
  }

  private static func failure(_ path: String, _ what: String) -> RecordError {
    RecordError("\(path) \(what): \(String(cString: strerror(errno)))")
  }
}
