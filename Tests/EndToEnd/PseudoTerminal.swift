import Dispatch
import Foundation
import Glibc
import Synchronization

/// A `roost` command on a terminal of its own, which the test types on and looks at.
final class PseudoTerminal: Sendable {
  struct Failure: Error, CustomStringConvertible {
    var what: String
    var description: String { what }
  }

  private let terminal: Int32
  private let process: Mutex<Process>
  private let processIdentifier: Int32
  private let written = Mutex<[UInt8]>([])
  /// The terminal's settings before the command began.
  let settingsBefore: termios

  /// How long a wait may take on a busy machine.
  private static let patienceSeconds = 60.0

  init(_ arguments: [String], columns: Int, rows: Int) throws {
    var (terminal, inner): (Int32, Int32) = (-1, -1)
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    guard openpty(&terminal, &inner, nil, nil, &size) == 0 else {
      throw Failure(what: "no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    defer { close(inner) }
    self.terminal = terminal
    var settings = termios()
    tcgetattr(terminal, &settings)
    settingsBefore = settings
    let process = Process()
    process.executableURL = PseudoTerminal.executable
    process.arguments = arguments
    let handle = FileHandle(fileDescriptor: inner, closeOnDealloc: false)
    process.standardInput = handle
    process.standardOutput = handle
    process.standardError = handle
    try process.run()
    processIdentifier = process.processIdentifier
    self.process = Mutex(process)
  }

  deinit {
    kill(processIdentifier, SIGKILL)
    close(terminal)
  }

  /// Beside the test bundle, where the build puts it.
  private static var executable: URL {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0])
    return bundle.deletingLastPathComponent().appendingPathComponent("roost")
  }

  // MARK: What a person does

  func type(_ text: String) throws {
    let bytes = Array(text.utf8)
    guard write(terminal, bytes, bytes.count) == bytes.count else {
      throw Failure(what: "the terminal does not take “\(text)”")
    }
  }

  /// Another size, and the word of it that a terminal gives its foreground process.
  func resize(columns: Int, rows: Int) {
    var size = winsize()
    size.ws_col = UInt16(columns)
    size.ws_row = UInt16(rows)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
    signal(SIGWINCH)
  }

  func signal(_ number: Int32) { kill(processIdentifier, number) }

  var settings: termios {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return settings
  }

  /// Lines are edited by the terminal and typed keys are shown: as a shell wants it.
  static func isOrdinary(_ settings: termios) -> Bool {
    settings.c_lflag & UInt32(ICANON | ECHO | ISIG) == UInt32(ICANON | ECHO | ISIG)
  }

  // MARK: What is seen

  /// Everything the command wrote.
  var text: String { written.withLock { String(decoding: $0, as: UTF8.self) } }

  /// The last whole screen that was drawn, without colours.
  var screen: String {
    let frames = text.components(separatedBy: "\u{1B}[H")
    let whole = frames.last { $0.contains("\u{1B}[J") } ?? ""
    var plain = ""
    for (index, part) in whole.components(separatedBy: "\u{1B}[").enumerated() {
      plain += index == 0 ? part : String(part.drop { !$0.isLetter }.dropFirst())
    }
    return plain
  }

  /// Reads until the last screen, or without one all text, is as wanted; gives it.
  @discardableResult
  func until(
    _ what: String, ofText: Bool = false, _ isSeen: @escaping @Sendable (String) -> Bool
  ) async throws -> String {
    let end = Date().addingTimeInterval(PseudoTerminal.patienceSeconds)
    return try await onThread { [self] in
      while true {
        let seen = ofText ? text : screen
        if isSeen(seen) { return seen }
        guard Date() < end, readSome() else {
          throw Failure(what: "\(what) was not seen; the last was:\n\(seen)")
        }
      }
    }
  }

  @discardableResult
  func until(_ words: String) async throws -> String {
    try await until(words) { $0.contains(words) }
  }

  /// The exit code, 128 and more for a signal; reads to the end first.
  func ended() async throws -> Int32 {
    let end = Date().addingTimeInterval(PseudoTerminal.patienceSeconds)
    return try await onThread { [self] in
      while readSome() {
        guard Date() < end else { throw Failure(what: "it did not end; it wrote:\n\(screen)") }
      }
      return process.withLock { process in
        process.waitUntilExit()
        let isSignal = process.terminationReason == .uncaughtSignal
        return process.terminationStatus + (isSignal ? 128 : 0)
      }
    }
  }

  /// Waits a little for more; false when the command has closed its terminal.
  private func readSome() -> Bool {
    var polled = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&polled, 1, 100) > 0 else { return true }
    var bytes = [UInt8](repeating: 0, count: 4_096)
    let count = read(terminal, &bytes, bytes.count)
    if count > 0 { written.withLock { $0 += bytes.prefix(count) } }
    return count > 0
  }

  private func onThread<Result: Sendable>(
    _ work: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue(label: "pseudo-terminal").async {
        continuation.resume(with: Swift.Result { try work() })
      }
    }
  }
}
