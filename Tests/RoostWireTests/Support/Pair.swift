import RoostModel
import RoostWire

/// What came out of a connection, with bodies copied so that it can be kept and compared.
enum Seen: Hashable, Sendable {
  case hello(ClientHello)
  case ready(ServerHello)
  case request(stream: UInt32, WireMethod, [UInt8], isLast: Bool, credit: Int)
  case message(stream: UInt32, [UInt8], isLast: Bool, credit: Int)
  case inputEnded(UInt32)
  case cancelled(UInt32)
  case writable(UInt32)
  case ended(UInt32, EndStatus)
  case goAway(GoAway)
  case notice(UInt16, Value)
  case failed(WireError)
  case foreign(Preface.Verdict)
}

extension ServerEvent {
  var seen: Seen {
    switch self {
    case .hello(let hello): .hello(hello)
    case .request(let request, let body):
      .request(
        stream: request.stream, request.method, body.bytes, isLast: request.isLast,
        credit: request.credit)
    case .message(let stream, let body, let credit, let isLast):
      .message(stream: stream, body.bytes, isLast: isLast, credit: credit)
    case .inputEnded(let stream): .inputEnded(stream)
    case .cancelled(let stream): .cancelled(stream)
    case .writable(let stream): .writable(stream)
    case .goAway(let goAway): .goAway(goAway)
    case .failed(let error): .failed(error)
    case .foreign(let verdict): .foreign(verdict)
    }
  }
}

extension ClientEvent {
  var seen: Seen {
    switch self {
    case .ready(let hello): .ready(hello)
    case .message(let stream, let body, let credit, let isLast):
      .message(stream: stream, body.bytes, isLast: isLast, credit: credit)
    case .ended(let stream, let status): .ended(stream, status)
    case .writable(let stream): .writable(stream)
    case .goAway(let goAway): .goAway(goAway)
    case .notice(let kind, let value): .notice(kind, value)
    case .failed(let error): .failed(error)
    }
  }
}

/// A server and a client joined by two byte queues.
struct Pair {
  var server: ServerConnection
  var client: ClientConnection
  var now: UInt64 = 1_000_000_000_000
  /// Bytes on their way that the receiver has not finished with.
  var toServer: [UInt8] = []
  var toClient: [UInt8] = []
  var hello = ServerHello()

  init(limits: WireLimits = WireLimits(), client hello: ClientHello = ClientHello()) {
    server = ServerConnection(limits: limits, now: now)
    client = ClientConnection(hello: hello, now: now)
    self.hello = ServerHello(limits: limits)
  }

  /// A pair that has said HELLO.
  static func ready(
    limits: WireLimits = WireLimits(), client hello: ClientHello = ClientHello()
  ) -> Pair {
    var pair = Pair(limits: limits, client: hello)
    _ = pair.serve()
    _ = pair.listen()
    return pair
  }

  /// Moves the client's output to the server and gives what the server sees.
  mutating func serve() -> [Seen] {
    toServer += client.takeOutput()
    let seen = server.take(&toServer, now: now, hello: hello)
    return seen
  }

  /// Moves the server's output to the client and gives what the client sees.
  mutating func listen() -> [Seen] {
    toClient += server.takeOutput()
    return client.take(&toClient, now: now)
  }

  mutating func start(
    _ method: WireMethod, _ body: [UInt8] = [], isLast: Bool = true
  ) throws -> UInt32 {
    try client.start(RequestHead(method), shape: method.shape, isLast: isLast) {
      $0.raw(body)
    }
  }
}

extension ServerConnection {
  /// Everything the bytes lead to; what was not used stays in `bytes`.
  mutating func take(
    _ bytes: inout [UInt8], now: UInt64, hello: ServerHello = ServerHello(),
    answering answer: (Seen, inout ServerConnection) -> Void = { _, _ in }
  ) -> [Seen] {
    var seen: [Seen] = []
    var offset = 0
    bytes.withUnsafeBytes { buffer in
      while let event = next(in: buffer, at: &offset, now: now) {
        seen.append(event.seen)
        if case .hello = event { accept(hello) }
        answer(event.seen, &self)
      }
    }
    bytes.removeFirst(offset)
    return seen
  }
}

extension ClientConnection {
  mutating func take(_ bytes: inout [UInt8], now: UInt64) -> [Seen] {
    var seen: [Seen] = []
    var offset = 0
    bytes.withUnsafeBytes { buffer in
      while let event = next(in: buffer, at: &offset, now: now) { seen.append(event.seen) }
    }
    bytes.removeFirst(offset)
    return seen
  }
}
