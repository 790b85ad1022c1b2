import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file, a pipe or standard input (`-`), read from one thread at a time; reading blocks.
final class InputFile: Sendable {
  private struct State {
    var descriptor: Int32
    /// Bytes of a pipe that were looked at and are still to be read.
    var unread: ArraySlice<UInt8> = []
    var isClosed = false
  }

  /// As the caller wrote it, for messages.
  let name: String
  /// nil if it cannot be known: a pipe.
  let byteCount: Int?
  private let state: Mutex<State>

  var isPipe: Bool { byteCount == nil }

  /// - Throws: ``CommandFault`` if there is nothing to read.
  init(_ name: String, path: String? = nil) throws(CommandFault) {
    self.name = name
    let path = path ?? name
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw CommandFault("\(path): \(InputFile.errorText())") }
    var information = stat()
    guard fstat(descriptor, &information) == 0 else {
      throw CommandFault("\(path): \(InputFile.errorText())")
    }
    let kind = information.st_mode & S_IFMT
    if kind == S_IFDIR {
      close(descriptor)
      throw CommandFault("\(path): is a folder; name the files in it")
    }
    byteCount = kind == S_IFREG && path != "-" ? Int(information.st_size) : nil
    state = Mutex(State(descriptor: descriptor))
  }

  deinit {
    state.withLock { if $0.descriptor > STDIN_FILENO, !$0.isClosed { close($0.descriptor) } }
  }

  /// Reads the next bytes; 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(CommandFault) -> Int {
    let count = state.withLock { state -> Int in
      if !state.unread.isEmpty {
        let next = state.unread.prefix(buffer.count)
        buffer.copyBytes(from: next)
        state.unread = state.unread.dropFirst(next.count)
        if state.unread.isEmpty { state.unread = [] }
        return next.count
      }
      if state.isClosed { return 0 }
      while true {
        let count = systemRead(state.descriptor, buffer)
        if count >= 0 || errno != EINTR { return count }
      }
    }
    guard count >= 0 else { throw CommandFault("\(name): \(InputFile.errorText())", exitCode: 1) }
    return count
  }

  /// Goes back to the beginning of a file, or gives a pipe back what was read of it.
  func rewind(giving bytes: [UInt8]) throws(CommandFault) {
    let isDone = state.withLock { state in
      if isPipe {
        state.unread = bytes + state.unread
        return true
      }
      return lseek(state.descriptor, 0, SEEK_SET) == 0
    }
    guard isDone else { throw CommandFault("\(name): \(InputFile.errorText())", exitCode: 1) }
  }

  /// Lets go of the file before the object goes.
  func finish() {
    state.withLock { state in
      if state.descriptor > STDIN_FILENO, !state.isClosed { close(state.descriptor) }
      state.isClosed = true
    }
  }

  private static func errorText() -> String { String(cString: strerror(errno)) }

  /// A whole small file.
  static func readAll(_ path: String, bytesMax: Int) throws(CommandFault) -> [UInt8] {
    let file = try InputFile(path)
    var bytes: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    defer { buffer.deallocate() }
    while true {
      let count = try file.read(into: buffer)
      if count == 0 { return bytes }
      bytes.append(contentsOf: buffer[..<count])
      guard bytes.count <= bytesMax else {
        throw CommandFault("\(path): larger than \(bytesMax >> 20) MiB")
      }
    }
  }
}

private func systemRead(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
  read(descriptor, buffer.baseAddress, buffer.count)
}
