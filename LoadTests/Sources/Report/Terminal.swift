#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where progress is shown: standard error, if it is a terminal.
struct Terminal: Sendable {
  let isInteractive: Bool

  static let standardError = Terminal(isInteractive: isatty(STDERR_FILENO) == 1)

  /// Replaces the line that is there.
  func say(_ text: String) {
    if isInteractive { Terminal.write("\r" + text + "\u{1B}[K", to: STDERR_FILENO) }
  }

  func clear() {
    if isInteractive { Terminal.write("\r\u{1B}[K", to: STDERR_FILENO) }
  }

  /// Writes all of it, or as much as the reader takes before it goes away.
  ///
  /// - Returns: Whether all of it was written.
  @discardableResult
  static func write(_ text: String, to descriptor: Int32) -> Bool {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }
}
