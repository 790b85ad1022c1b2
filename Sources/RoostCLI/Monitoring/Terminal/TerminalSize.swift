#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much a terminal shows.
struct TerminalSize: Hashable, Sendable {
  var columns: Int
  var rows: Int

  /// Nil for what is no terminal; 80 × 24 for one that does not say.
  static func of(_ descriptor: Int32) -> TerminalSize? {
    guard isatty(descriptor) == 1 else { return nil }
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return TerminalSize(columns: 80, rows: 24)
    }
    return TerminalSize(columns: Int(size.ws_col), rows: Int(size.ws_row))
  }
}
