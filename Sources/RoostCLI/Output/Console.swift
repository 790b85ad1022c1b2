import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Where a command writes: standard output in blocks, standard error at once.
///
/// A closed output (`roost query … | head`) ends the command without a word, as SIGPIPE does.
final class Console: Sendable {
  /// Takes bytes for one of the two outputs; false when nobody reads them any more.
  typealias Write = @Sendable (UnsafeRawBufferPointer) -> Bool

  private let pending = Mutex<[UInt8]>([])
  private let output: Write
  private let errors: Write
  /// Standard output is a terminal of this many columns; nil if it is none.
  let outputWidth: Int?
  /// Standard error is a terminal of this many columns; nil if it is none.
  let errorWidth: Int?
  /// Standard input can be asked.
  let isInteractive: Bool
  /// The lines of the terminal that standard output is, as it is now; nil if it is none.
  private let findHeight: @Sendable () -> Int?

  static let blockBytes = 64 << 10

  init(
    output: @escaping Write, errors: @escaping Write, outputWidth: Int? = nil,
    errorWidth: Int? = nil, isInteractive: Bool = false,
    findHeight: @escaping @Sendable () -> Int? = { nil }
  ) {
    self.output = output
    self.errors = errors
    self.outputWidth = outputWidth
    self.errorWidth = errorWidth
    self.isInteractive = isInteractive
    self.findHeight = findHeight
  }

  var outputHeight: Int? { findHeight() }

  /// The process's own outputs.
  static func standard() -> Console {
    Console(
      output: { Console.writeAll($0, to: STDOUT_FILENO) },
      errors: { Console.writeAll($0, to: STDERR_FILENO) },
      outputWidth: width(of: STDOUT_FILENO), errorWidth: width(of: STDERR_FILENO),
      isInteractive: isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1,
      findHeight: { TerminalSize.of(STDOUT_FILENO)?.rows })
  }

  private static func width(of descriptor: Int32) -> Int? {
    TerminalSize.of(descriptor)?.columns
  }

  private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var offset = 0
    while offset < bytes.count {
      let part = UnsafeRawBufferPointer(rebasing: bytes[offset...])
      let count = systemWrite(descriptor, part)
      if count < 0, errno != EINTR { return false }
      offset += max(0, count)
    }
    return true
  }

  // MARK: Standard output

  /// Appends bytes; they leave in blocks.
  ///
  /// - Throws: ``ClosedOutput`` when nobody reads any more.
  func write(_ bytes: UnsafeRawBufferPointer) throws(ClosedOutput) { try append { $0 += bytes } }

  func write(_ bytes: [UInt8]) throws(ClosedOutput) { try append { $0 += bytes } }

  func write(_ text: String) throws(ClosedOutput) { try append { $0 += text.utf8 } }

  private func append(_ add: (inout [UInt8]) -> Void) throws(ClosedOutput) {
    let block = pending.withLock { pending -> [UInt8]? in
      add(&pending)
      guard pending.count >= Console.blockBytes else { return nil }
      defer { pending = [] }
      return pending
    }
    guard let block else { return }
    guard block.withUnsafeBytes({ output($0) }) else { throw ClosedOutput() }
  }

  func flush() throws(ClosedOutput) {
    let block = pending.withLock { pending -> [UInt8] in
      defer { pending = [] }
      return pending
    }
    guard block.isEmpty || block.withUnsafeBytes({ output($0) }) else { throw ClosedOutput() }
  }

  // MARK: Standard error

  /// Writes text to standard error at once, without a newline of its own.
  func show(_ text: String) { _ = Array(text.utf8).withUnsafeBytes { errors($0) } }

  /// Writes a line to standard error, after what stands in standard output.
  func note(_ line: String) {
    try? flush()
    show(line + "\n")
  }
}

/// Nobody reads the output any more; not worth a message.
struct ClosedOutput: Error {}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
  write(descriptor, bytes.baseAddress, bytes.count)
}
