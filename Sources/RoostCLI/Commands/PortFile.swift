#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The file that tells scripts where a server listens.
enum PortFile {
  /// Takes away the file of an earlier run, so that nobody reads its port, and tries the folder.
  static func prepare(_ path: String) throws(CommandFault) {
    guard unlink(path) == 0 || errno == ENOENT else { throw fault(path) }
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw fault(path) }
    close(descriptor)
    unlink(draft)
  }

  /// Writes beside it and renames, so that a reader never finds half a number.
  static func write(_ port: UInt16, to path: String) throws(CommandFault) {
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard descriptor >= 0 else { throw fault(path) }
    let bytes = Array("\(port)\n".utf8)
    let count = systemWrite(descriptor, bytes)
    close(descriptor)
    guard count == bytes.count, rename(draft, path) == 0 else {
      unlink(draft)
      throw fault(path)
    }
  }

  private static func fault(_ path: String) -> CommandFault {
    CommandFault("--port-file \(path): \(String(cString: strerror(errno)))")
  }
}

private func systemWrite(_ descriptor: Int32, _ bytes: [UInt8]) -> Int {
  bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
}
