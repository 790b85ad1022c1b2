import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A row that did not go in.
struct Reject: Hashable, Sendable {
  var file: String
  var line: Int?
  var attribute: String?
  var reason: String
}

/// Collects rejected rows: the first few for the terminal, all for the file of `--rejects`.
///
/// Writing blocks: call it from a reading thread or the main actor, not from the client's loop.
final class RejectLog: Sendable {
  private struct State {
    var descriptor: Int32?
    var pending: [UInt8] = []
    var shown: [Reject] = []
    var count = 0
    var failure: String?
  }

  private let state: Mutex<State>

  /// - Throws: ``CommandFault`` if the file cannot be written.
  init(path: String?) throws(CommandFault) {
    var state = State()
    if let path {
      let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      guard descriptor >= 0 else {
        throw CommandFault("--rejects \(path): \(String(cString: strerror(errno)))")
      }
      state.descriptor = descriptor
      state.pending = Array("file,line,attribute,reason\n".utf8)
    }
    self.state = Mutex(state)
  }

  /// Notes a row; `rows` more than one for rows the server did not name one by one.
  func add(_ reject: Reject, rows: Int = 1) {
    state.withLock { state in
      state.count += rows
      if state.shown.count < CommandLimits.rejectsShown { state.shown.append(reject) }
      guard state.descriptor != nil else { return }
      let cells = [
        reject.file, reject.line.map { "\($0)" } ?? "", reject.attribute ?? "", reject.reason,
      ]
      let line = cells.map { $0.isEmpty ? "" : CSVText.cell($0) }.joined(separator: ",")
      state.pending += Array((line + "\n").utf8)
      if state.pending.count >= 64 << 10 { RejectLog.flush(&state) }
    }
  }

  var count: Int { state.withLock { $0.count } }
  var shown: [Reject] { state.withLock { $0.shown } }

  /// Writes what is left and closes the file.
  ///
  /// - Throws: ``CommandFault`` if not all of it could be written.
  func close() throws(CommandFault) {
    let failure = state.withLock { state in
      RejectLog.flush(&state)
      if let descriptor = state.descriptor { _ = closeFile(descriptor) }
      state.descriptor = nil
      return state.failure
    }
    if let failure { throw CommandFault("--rejects: \(failure)", exitCode: ExitCode.failed) }
  }

  private static func flush(_ state: inout State) {
    guard let descriptor = state.descriptor else { return }
    var offset = 0
    state.pending.withUnsafeBytes { bytes in
      while offset < bytes.count {
        let part = UnsafeRawBufferPointer(rebasing: bytes[offset...])
        let count = write(descriptor, part.baseAddress, part.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 {
          state.failure = String(cString: strerror(errno))
          return
        }
        offset += count
      }
    }
    state.pending = []
  }
}

private func closeFile(_ descriptor: Int32) -> Int32 { close(descriptor) }
