import CLinux
import Glibc

/// A host and port as the kernel wants them.
package struct SocketAddress: Sendable {
  private var storage: sockaddr_storage
  private var length: socklen_t

  private init(storage: sockaddr_storage, length: socklen_t) {
    self.storage = storage
    self.length = length
  }

  /// Finds the addresses of a name, IPv4 first as `localhost` servers mostly listen there.
  ///
  /// A name that is not a literal may ask the network and block: not for a loop's thread.
  package static func resolve(host: String, port: UInt16) throws(TransportError) -> [SocketAddress]
  {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var head: UnsafeMutablePointer<addrinfo>?
    let bare =
      host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
    guard getaddrinfo(bare, String(port), &hints, &head) == 0, let head else {
      throw TransportError(.badAddress, "no address is known for host '\(host)'")
    }
    defer { freeaddrinfo(head) }
    var found: [SocketAddress] = []
    var next: UnsafeMutablePointer<addrinfo>? = head
    while let info = next?.pointee, found.count < 16 {
      if let address = info.ai_addr, info.ai_addrlen <= MemoryLayout<sockaddr_storage>.size {
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) {
          $0.copyMemory(
            from: UnsafeRawBufferPointer(start: address, count: Int(info.ai_addrlen)))
        }
        found.append(SocketAddress(storage: storage, length: info.ai_addrlen))
      }
      next = info.ai_next
    }
    return found.filter { $0.family == AF_INET } + found.filter { $0.family != AF_INET }
  }

  /// The address a socket is bound to.
  static func local(of descriptor: Int32) throws(TransportError) -> SocketAddress {
    try named("getsockname") { getsockname(descriptor, $0, $1) }
  }

  /// The address of a connected socket's other end.
  static func peer(of descriptor: Int32) throws(TransportError) -> SocketAddress {
    try named("getpeername") { getpeername(descriptor, $0, $1) }
  }

  private static func named(
    _ name: String,
    _ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32
  ) throws(TransportError) -> SocketAddress {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
    }
    try SystemCall.check(result, name)
    return SocketAddress(storage: storage, length: length)
  }

  /// `127.0.0.1:7678` or `[::1]:7678`, never a name: nobody is asked.
  package var text: String {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    let result = withPointer { address, length in
      getnameinfo(
        address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST | NI_NUMERICSERV)
    }
    guard result == 0 else { return "" }
    let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    let name = String(decoding: bytes, as: UTF8.self)
    return family == AF_INET6 ? "[\(name)]:\(port)" : "\(name):\(port)"
  }

  var family: Int32 { Int32(storage.ss_family) }

  package var port: UInt16 {
    withUnsafeBytes(of: storage) {
      // The port stands at the same place in both families, in network order.
      UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
    }
  }

  /// Whether only this machine can reach it.
  package var isLoopback: Bool {
    withUnsafeBytes(of: storage) { bytes in
      switch family {
      case AF_INET: return bytes[4] == 127
      case AF_INET6:
        let address = bytes[8..<24]
        let mapped = address.prefix(12).elementsEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        if mapped { return bytes[20] == 127 }
        return address.dropLast().allSatisfy { $0 == 0 } && address.last == 1
      default: return false
      }
    }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }
}
