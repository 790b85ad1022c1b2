#if canImport(Glibc)
  import Glibc

  /// One HTTP exchange over a real socket of this machine, as raw as a test may want it.
  package struct HTTPProbe: Sendable {
    package var status = 0
    /// Names in small letters.
    package var headers: [String: String] = [:]
    package var body = ""

    /// Sends `request` as it is and reads until the server closes; nil if it cannot be reached.
    package init?(port: UInt16, raw request: String) {
      guard let descriptor = HTTPProbe.connect(port) else { return nil }
      defer { close(descriptor) }
      let bytes = Array(request.utf8)
      guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count
      else { return nil }
      parse(HTTPProbe.readAll(descriptor))
    }

    /// `GET`, or another method, of a path.
    package init?(
      _ method: String = "GET", port: UInt16, _ path: String, headers: [String] = []
    ) {
      let lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + headers
      self.init(port: port, raw: lines.joined(separator: "\r\n") + "\r\n\r\n")
    }

    /// A connected socket; the caller closes it.
    package static func connect(_ port: UInt16) -> Int32? {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard descriptor >= 0 else { return nil }
      // A server that never answers ends the test instead of hanging it.
      var patience = timeval(tv_sec: 30, tv_usec: 0)
      setsockopt(
        descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
      var address = loopback(port)
      let result = withUnsafePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      if result == 0 { return descriptor }
      close(descriptor)
      return nil
    }

    /// A socket that listens on a free port.
    package static func listener() -> (descriptor: Int32, port: UInt16)? {
      let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = loopback(0)
      var size = socklen_t(MemoryLayout<sockaddr_in>.size)
      let result = withUnsafeMutablePointer(to: &address) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(descriptor, $0, size) | listen(descriptor, 16) | getsockname(descriptor, $0, &size)
        }
      }
      return result == 0 ? (descriptor, UInt16(bigEndian: address.sin_port)) : nil
    }

    private static func loopback(_ port: UInt16) -> sockaddr_in {
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = port.bigEndian
      address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
      return address
    }

    private static func readAll(_ descriptor: Int32) -> String {
      var bytes: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 16_384)
      while bytes.count < 4 << 20 {
        let count = recv(descriptor, &buffer, buffer.count, 0)
        if count <= 0 { break }
        bytes += buffer[..<count]
      }
      return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func parse(_ text: String) {
      // To Swift "\r\n" is one character.
      let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
      let words = lines.first?.split(separator: " ") ?? []
      status = words.count > 1 ? Int(words[1]) ?? 0 : 0
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":"), !line.isEmpty else { break }
        let value = line[line.index(after: colon)...].drop { $0 == " " }
        headers[line[..<colon].lowercased()] = String(value)
      }
      if let end = lines.firstIndex(of: "") {
        body = lines[(end + 1)...].joined(separator: "\r\n")
      }
    }
  }
#endif
