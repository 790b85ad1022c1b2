#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The few socket calls the client makes, with the platforms' differences inside.
enum Socket {
  /// What one read or write did.
  enum Outcome {
    case bytes(Int)
    /// Nothing now; the poll will say when.
    case later
    /// The peer has closed its side.
    case ended
    case failed(Int32)
  }

  static func read(_ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer) -> Outcome {
    while true {
      let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .ended }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK: return .later
      default: return .failed(errno)
      }
    }
  }

  static func write(_ descriptor: Int32, from buffer: UnsafeRawBufferPointer) -> Outcome {
    while true {
      let count = send(descriptor, buffer.baseAddress, buffer.count, noSignal)
      if count >= 0 { return .bytes(count) }
      switch errno {
      case EINTR: continue
      case EAGAIN, EWOULDBLOCK, ENOBUFS: return .later
      default: return .failed(errno)
      }
    }
  }

  /// Makes a descriptor fit for the loop: no blocking, not inherited, no delay, no signals.
  static func prepare(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    set(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY)
    #if canImport(Darwin)
      set(descriptor, SOL_SOCKET, SO_NOSIGPIPE)
    #endif
  }

  /// The error that ended a connection attempt, 0 if it succeeded.
  static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size)
    return code
  }

  static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #elseif canImport(Musl)
      _ = Musl.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }

  static func describe(_ code: Int32) -> String { String(cString: strerror(code)) }

  private static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32) {
    var on: Int32 = 1
    setsockopt(descriptor, level, option, &on, socklen_t(MemoryLayout<Int32>.size))
  }

  #if canImport(Darwin)
    private static let noSignal: Int32 = 0
    static let stream = SOCK_STREAM
  #else
    private static let noSignal = Int32(MSG_NOSIGNAL)
    static let stream = Int32(SOCK_STREAM.rawValue)
  #endif
}

/// One address a name stands for.
struct SocketAddress: Sendable {
  let family: Int32
  let bytes: [UInt8]

  /// The addresses of a host; blocks for a name that must be asked for, so it has a thread of
  /// its own unless `isLiteral` is asked.
  static func resolve(_ url: RoostURL, isLiteral: Bool) throws(ClientError) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Socket.stream
    hints.ai_flags = AI_NUMERICSERV | (isLiteral ? AI_NUMERICHOST : 0)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(url.host, String(url.port), &hints, &list)
    defer { if let list { freeaddrinfo(list) } }
    guard code == 0 else {
      throw ClientError(
        .unreachable, .transport,
        "cannot find the host \(url.host): \(String(cString: gai_strerror(code)))")
    }
    var addresses: [SocketAddress] = []
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      guard let address = entry.ai_addr else { continue }
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
      addresses.append(SocketAddress(family: entry.ai_family, bytes: [UInt8](bytes)))
    }
    return addresses
  }

  /// Starts to connect; the poll says when it is done.
  func connect() -> Result<Int32, SocketFailure> {
    let descriptor = socket(family, Socket.stream, 0)
    guard descriptor >= 0 else { return .failure(SocketFailure(code: errno)) }
    Socket.prepare(descriptor)
    let result = bytes.withUnsafeBytes { raw in
      guard let address = raw.baseAddress?.assumingMemoryBound(to: sockaddr.self) else {
        return Int32(-1)
      }
      #if canImport(Glibc)
        return Glibc.connect(descriptor, address, socklen_t(raw.count))
      #elseif canImport(Musl)
        return Musl.connect(descriptor, address, socklen_t(raw.count))
      #else
        return Darwin.connect(descriptor, address, socklen_t(raw.count))
      #endif
    }
    let code = errno
    if result == 0 || code == EINPROGRESS || code == EINTR { return .success(descriptor) }
    Socket.close(descriptor)
    return .failure(SocketFailure(code: code))
  }
}

/// An errno with the words for a user.
struct SocketFailure: Error {
  let code: Int32

  func asError(connectingTo url: RoostURL) -> ClientError {
    switch code {
    case ECONNREFUSED:
      ClientError(.refused, .transport, "nothing listens on \(url)")
    case EMFILE, ENFILE:
      ClientError(
        .resourceExhausted, .local, "no more open files: \(Socket.describe(code))")
    default:
      ClientError(
        .unreachable, .transport, "cannot reach \(url): \(Socket.describe(code))")
    }
  }
}
