import RoostModel
import RoostWire

/// One connection of a ``ClientLoop``: calls with completions, no Task and no lock.
///
/// It belongs to its loop's thread: use it in jobs and completions of that loop only. The calls
/// made in one turn of the loop leave in one write. It does not connect again and sends nothing
/// twice; ``RoostClient`` does.
public final class RoostConnection: LoopMember {
  enum Stage {
    case new
    case connecting((Result<ServerInfo, ClientError>) -> Void)
    /// Connected; the server has not said HELLO.
    case greeting((Result<ServerInfo, ClientError>) -> Void)
    case open
    case closed
  }

  let scope: LoopScope
  let options: ConnectionOptions
  var url = RoostURL(host: "")
  var stage = Stage.new
  var descriptor: Int32 = -1
  /// Addresses of the host that are still to be tried.
  var untried: ArraySlice<SocketAddress> = []
  var stageDeadline = LoopInstant.never
  var wire: ClientConnection
  var pending = PendingCalls()
  var longCount = 0
  var isDraining = false
  /// A stream has ended since ``onRoom`` ran.
  var hasFreed = false
  /// A stream has more to send than the socket would take.
  var waitsForDrain = false
  /// The beginning of a frame whose rest has not come.
  private var rest: [UInt8] = []
  /// What is being written; the state machine appends to another buffer meanwhile.
  private var sending: [UInt8] = []
  private var sent = 0
  private var waitsForWriting = false

  /// What the server said in its HELLO; empty before.
  public internal(set) var server = ServerInfo()
  /// Runs once when the connection ends, after its calls have ended.
  public var onClose: ((ClientError) -> Void)?
  /// The server wants no more calls here, and asks to wait so long before coming back.
  public var onDrain: ((Duration) -> Void)?
  /// A stream has become free after ``hasRoom`` was false.
  public var onRoom: (() -> Void)?

  /// Makes a connection that is not connected yet.
  public init(_ scope: LoopScope, options: ConnectionOptions = ConnectionOptions()) {
    self.scope = scope
    self.options = options
    wire = RoostConnection.makeWire(options)
  }

  private static func makeWire(_ options: ConnectionOptions) -> ClientConnection {
    var hello = ClientHello()
    hello.agent = options.agent
    var limits = WireLimits()
    limits.handshakeTimeout = nanoseconds(options.helloTimeout)
    limits.pingAfter = nanoseconds(options.pingAfter)
    limits.pingTimeout = nanoseconds(options.pingTimeout)
    return ClientConnection(hello: hello, limits: limits, now: LoopInstant.now.nanoseconds)
  }

  private static func nanoseconds(_ duration: Duration) -> UInt64 {
    // A tenth of the range: the state machine adds such numbers to moments.
    min(LoopInstant(nanoseconds: 0).advanced(by: duration).nanoseconds, .max / 10)
  }

  /// Preface and HELLO are in a new state machine's output from the start.
  func sayHello() {
    wire = RoostConnection.makeWire(options)
    scope.markDirty(self)
  }

  /// Ends the connection; open calls end with the code `closed`.
  public func close() { fail(.closed) }

  var isOpen: Bool { if case .open = stage { true } else { false } }

  /// Bytes that wait for the socket.
  var unsentBytes: Int { sending.count - sent + wire.outputCount }

  // Called by the loop.

  override func ready(readable: Bool, writable: Bool) {
    switch stage {
    case .connecting: return connectAnswered()
    case .new, .closed: return
    case .greeting, .open: break
    }
    if writable { scope.markDirty(self) }
    if readable { read() }
  }

  private func read() {
    let buffer = scope.readBuffer
    switch Socket.read(descriptor, into: buffer) {
    case .bytes(let count):
      received(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      settle()
    case .later: break
    case .ended: fail(ended("the server closed the connection"))
    case .failed(let code): fail(ended(Socket.describe(code)))
    }
  }

  private func received(_ bytes: UnsafeRawBufferPointer) {
    if rest.isEmpty {
      let used = process(bytes)
      if used < bytes.count { rest = [UInt8](bytes[used...]) }
      return
    }
    rest.append(contentsOf: bytes)
    if rest.count < wire.bytesWanted { return }
    let joined = rest
    rest = []
    let used = joined.withUnsafeBytes { process($0) }
    if used < joined.count { rest = [UInt8](joined[used...]) }
  }

  /// What the end of the bytes means at this stage.
  func ended(_ reason: String) -> ClientError {
    if case .greeting = stage {
      return ClientError(
        .notRoost, .transport,
        "something listens on \(url) but it is not a Roost server: \(reason)")
    }
    return ClientError(.connectionLost, .transport, "the connection to \(url) was lost: \(reason)")
  }

  override func flush() {
    guard descriptor >= 0 else { return }
    while true {
      if sent == sending.count {
        refill()
        if sending.isEmpty {
          waitForWriting(false)
          outputDrained()
          if wire.outputCount == 0 { return }
          refill()
        }
      }
      let outcome = sending.withUnsafeBytes {
        Socket.write(descriptor, from: UnsafeRawBufferPointer(rebasing: $0[sent...]))
      }
      switch outcome {
      case .bytes(let count): sent += count
      case .later: return waitForWriting(true)
      case .ended: return fail(ended("the server closed the connection"))
      case .failed(let code): return failedToWrite(code)
      }
    }
  }

  /// Exchanges the buffer that is written for the one the state machine has filled.
  private func refill() {
    var empty: [UInt8] = []
    swap(&empty, &sending)
    empty.removeAll(keepingCapacity: true)
    sending = wire.takeOutput(replacement: empty)
    sent = 0
  }

  /// The server may have said why before it closed: what it sent is still to be read.
  private func failedToWrite(_ code: Int32) {
    read()
    fail(ended(Socket.describe(code)))
  }

  private func waitForWriting(_ waits: Bool) {
    if waits == waitsForWriting { return }
    waitsForWriting = waits
    scope.watch(self, descriptor, reading: true, writing: waits)
  }

  override func loopStopped() { close() }

  override func expire(_ now: LoopInstant) { expireCalls(now) }

  /// Ends the connection and everything on it.
  func fail(_ error: ClientError) {
    if case .closed = stage { return }
    let last = stage
    stage = .closed
    scope.remove(self)
    if descriptor >= 0 {
      lastWords()
      Socket.close(descriptor)
      descriptor = -1
    }
    endAll(error)
    switch last {
    case .connecting(let completion), .greeting(let completion): completion(.failure(error))
    case .new, .open, .closed: break
    }
    let onClose = onClose
    self.onClose = nil
    self.onDrain = nil
    self.onRoom = nil
    onClose?(error)
  }

  /// A GOAWAY that says why, if the socket takes it at once.
  private func lastWords() {
    if sent == sending.count { refill() }
    guard sent < sending.count else { return }
    _ = sending.withUnsafeBytes {
      Socket.write(descriptor, from: UnsafeRawBufferPointer(rebasing: $0[sent...]))
    }
  }
}
