import Glibc
import Synchronization

/// Stands between a client and a server on loopback and cuts the first connections when the
/// server has said so many bytes: what it says beyond them is lost, although it has happened.
final class CuttingProxy: Sendable {
  struct Failure: Error {}

  private let listener: Int32
  private let target: UInt16
  private let cutAfter: Int
  private let cutsLeft: Mutex<Int>
  let port: UInt16

  init(to target: UInt16, cutAfter: Int, cuts: Int) throws {
    self.target = target
    self.cutAfter = cutAfter
    cutsLeft = Mutex(cuts)
    (listener, port) = try Self.listen()
    try Self.thread { self.acceptAll() }
  }

  var url: String { "roost://127.0.0.1:\(port)" }
  var cutsToCome: Int { cutsLeft.withLock { $0 } }

  /// Takes no more connections; those that are end with their peers.
  func stop() { shutdown(listener, Int32(SHUT_RDWR)) }

  private func acceptAll() {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { break }
      guard let server = Self.connect(to: target) else {
        close(client)
        continue
      }
      try? Self.thread { Self.copy(client, to: server, bytesMax: .max) }
      try? Self.thread { self.answers(from: server, to: client) }
    }
    close(listener)
  }

  private func answers(from server: Int32, to client: Int32) {
    let bytesMax = cutsToCome > 0 ? cutAfter : Int.max
    let isCut = Self.copy(server, to: client, bytesMax: bytesMax)
    if isCut { cutsLeft.withLock { $0 -= 1 } }
  }

  /// Copies until an end goes; true if it ended because of the bound.
  @discardableResult
  private static func copy(_ from: Int32, to other: Int32, bytesMax: Int) -> Bool {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    var total = 0
    while true {
      let count = recv(from, &buffer, buffer.count, 0)
      total += max(0, count)
      let isCut = total > bytesMax
      if count <= 0 || isCut || !send(buffer[..<count], to: other) {
        // The other direction wakes and ends too; the descriptors go with the process.
        shutdown(from, Int32(SHUT_RDWR))
        shutdown(other, Int32(SHUT_RDWR))
        return isCut
      }
    }
  }

  private static func send(_ bytes: ArraySlice<UInt8>, to socket: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  // MARK: System

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }

  private static func connect(to port: UInt16) -> Int32? {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = loopback(port)
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Glibc.connect(descriptor, $0, size)
      }
    }
    if code == 0 { return descriptor }
    close(descriptor)
    return nil
  }

  private static func listen() throws -> (Int32, UInt16) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
        bind(listener, raw, size) == 0 && Glibc.listen(listener, 16) == 0
          ? getsockname(listener, raw, &size) : -1
      }
    }
    guard code == 0 else { throw Failure() }
    return (listener, UInt16(bigEndian: address.sin_port))
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  private static func thread(_ body: @escaping @Sendable () -> Void) throws {
    let body = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let code = pthread_create(
      &thread, nil,
      { argument in
        if let argument { Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
        return nil
      }, body.toOpaque())
    guard code == 0 else { throw Failure() }
    pthread_detach(thread)
  }
}
