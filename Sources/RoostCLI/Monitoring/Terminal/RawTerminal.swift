#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// The terminal of standard input and output as a full screen: keys come one by one and unseen.
@MainActor
final class RawTerminal {
  private let console: Console
  private let saved: termios
  private var isEntered = false

  /// - Throws: ``CommandFault`` where standard input is no terminal.
  init(_ console: Console) throws(CommandFault) {
    var settings = termios()
    guard tcgetattr(STDIN_FILENO, &settings) == 0 else {
      throw CommandFault("the terminal's settings cannot be read")
    }
    saved = settings
    self.console = console
  }

  /// Both are terminals.
  static func isThere(_ console: Console) -> Bool {
    console.outputWidth != nil && isatty(STDIN_FILENO) == 1
  }

  /// Takes the screen; again after the process was stopped.
  func enter() throws {
    isEntered = true
    var raw = saved
    cfmakeraw(&raw)
    _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &raw)
    // The other screen, without a cursor and without lines that wrap.
    try console.write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J")
    try console.flush()
  }

  /// Gives the screen back as it was; may be called again.
  func restore() {
    guard isEntered else { return }
    isEntered = false
    try? console.write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
    try? console.flush()
    var settings = saved
    _ = tcsetattr(STDIN_FILENO, TCSAFLUSH, &settings)
  }

  var size: TerminalSize {
    TerminalSize.of(STDOUT_FILENO) ?? TerminalSize(columns: 80, rows: 24)
  }

  /// Draws over what is there, line by line: nothing flickers.
  func draw(_ lines: [String]) throws(ClosedOutput) {
    let text = lines.map { $0 + "\u{1B}[K" }.joined(separator: "\r\n")
    try console.write("\u{1B}[H" + text + "\u{1B}[J")
    try console.flush()
  }
}
