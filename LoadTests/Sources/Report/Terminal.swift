#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Where progress is shown: standard error, if it is a terminal.
struct Terminal: Sendable {
  let isInteractive: Bool

  static let standardError = Terminal(isInteractive: isatty(STDERR_FILENO) == 1)

  /// Replaces what is there.
  func say(_ text: String) { say([text]) }

  /// Replaces what is there by some lines; the cursor stays in the first one.
  func say(_ lines: [String]) {
    guard isInteractive else { return }
    let width = Terminal.width
    let text = lines.map { String($0.prefix(width - 1)) }.joined(separator: "\u{1B}[K\n")
    let back = lines.count > 1 ? "\u{1B}[\(lines.count - 1)A" : ""
    Terminal.write("\r" + text + "\u{1B}[J" + back + "\r", to: STDERR_FILENO)
  }

  /// Columns of the terminal; a line beyond them would take two.
  private static var width: Int {
    var size = winsize()
    guard ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return max(20, Int(size.ws_col))
  }

  /// Writes a line that stays.
  func note(_ text: String) {
    if isInteractive { Terminal.write("\r\u{1B}[J" + text + "\n", to: STDERR_FILENO) }
  }

  func clear() {
    if isInteractive { Terminal.write("\r\u{1B}[J", to: STDERR_FILENO) }
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
