import Dispatch
import Glibc
import RoostAdmin
public import RoostModel
import RoostStorage
package import RoostTransport
package import RoostWire

/// Serves one store over the Roost protocol.
///
/// A program of its own calls ``run(onReady:)`` on the main thread of a synchronous `main`. Inside
/// another program or a test, ``start()`` lets the main queue run it beside everything else.
/// Reads are answered on the main actor from a cache of rows; SQLite is called on other threads
/// only.
@MainActor
public final class RoostServer {
  /// What it was made with.
  public let configuration: ServerConfiguration
  /// The port it listens on; 0 before it does.
  public private(set) var port: UInt16 = 0
  /// The port of ``ServerConfiguration/admin``; 0 before it listens, or if there is none.
  public private(set) var adminPort: UInt16 = 0

  private let engine: any StoreEngine
  private let ownsEngine: Bool
  private let loop: EventLoop
  private let core: ServerCore
  private var listeners: [Listener] = []
  private let phase = ServerPhase()
  private var admin: AdminServer?
  private var isStopping = false
  private var isClosed = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  /// Opens the store; nothing is served yet.
  ///
  /// Blocks while the store is opened and its schema registered.
  ///
  /// - Throws: What the store says, or FAILED_PRECONDITION for an address that other machines reach
  ///   without ``ServerConfiguration/allowsInsecure``.
  public convenience init(_ configuration: ServerConfiguration) throws(StoreError) {
    try self.init(configuration, clock: SystemLoopClock(), wireLimits: WireLimits())
  }

  package init(
    _ configuration: ServerConfiguration, clock: any LoopClock, wireLimits: WireLimits
  ) throws(StoreError) {
    self.configuration = configuration
    _ = try RoostServer.addresses(configuration)
    _ = try configuration.admin.map(AdminOpening.init)
    let engine: any StoreEngine
    switch configuration.store {
    case .engine(let given):
      engine = given
      ownsEngine = false
      if let schema = configuration.schema { _ = try given.register(schema, mode: .apply) }
    case .memory:
      engine = try SQLiteStore.open(
        .memory, durability: configuration.durability, schema: configuration.schema)
      ownsEngine = true
    case .file(let path):
      engine = try SQLiteStore.open(
        .file(path), durability: configuration.durability, schema: configuration.schema)
      ownsEngine = true
    }
    self.engine = engine
    do throws(TransportError) {
      var limits = TransportLimits()
      limits.outputHighWater = configuration.limits.unsentBytesMax
      limits.outputLowWater = configuration.limits.unsentBytesMax / 4
      loop = try EventLoop(limits: limits, clock: clock)
      core = try ServerCore(
        engine: engine, storeName: configuration.storeName, limits: configuration.limits,
        loop: loop, clock: clock, wireLimits: wireLimits)
    } catch {
      throw error.storeError
    }
  }

  // MARK: Running

  /// Listens, calls `onReady`, and serves until SIGTERM or SIGINT, or until ``stop()`` has drained.
  ///
  /// A second signal ends the grace that running calls have.
  /// Only for the main thread of a synchronous `main`; it runs the main actor's jobs too. Returns
  /// when running calls have ended, or the grace is over, and the store is closed.
  public func run(onReady: (RoostServer) -> Void = { _ in }) throws(StoreError) {
    do throws(TransportError) {
      try loop.takeSignals([SIGTERM, SIGINT]) { [unowned self] in
        if isStopping { core.endGrace() } else { beginStopping() }
      }
      try loop.adoptMainQueue()
    } catch {
      throw error.storeError
    }
    try listen()
    onReady(self)
    loop.run()
    close()
  }

  /// Listens and lets the main queue serve; returns at once.
  public func start() throws(StoreError) {
    try listen()
    loop.atEnd { [self] in closeAside() }
    do throws(TransportError) {
      try loop.host()
    } catch {
      throw error.storeError
    }
  }

  /// Drains: lets running calls finish within the grace, refuses new ones, then closes all.
  ///
  /// Returns when the store is closed. Calling it twice waits twice.
  public func stop() async {
    if isClosed { return }
    await withCheckedContinuation { continuation in
      waiters.append(continuation)
      beginStopping()
      loop.wake()
    }
  }

  // MARK: For tests in memory

  /// A connection without a socket.
  package func connect(_ faults: MemoryFaults = MemoryFaults()) -> MemoryPeer {
    let channel = MemoryChannel(loop: loop, faults: faults)
    let peer = channel.peer
    channel.handler = core.accept(channel)
    return peer
  }

  /// Takes one turn; for tests that run the loop by hand.
  package func turn(waiting timeout: Duration = .zero) { loop.turn(waiting: timeout) }

  package var statistics: [MapEntry] { core.statisticsEntries }

  // MARK: Listening

  private func listen() throws(StoreError) {
    let addresses = try RoostServer.addresses(configuration)
    do throws(TransportError) {
      for address in addresses {
        // The listener keeps the server until it has stopped.
        let listener = try loop.listen(address) { [self] channel in core.accept(channel) }
        listeners.append(listener)
        port = listener.port
      }
    } catch {
      let host = configuration.host
      let name = host.contains(":") ? "[\(host)]" : host
      throw StoreError(
        error.storeError.status, .none,
        "the address \(name):\(configuration.port): \(error.message)")
    }
    do throws(StoreError) {
      try listenForAdmin()
    } catch {
      // Nothing is half open: a caller that catches this has no server.
      for listener in listeners { listener.close() }
      listeners = []
      throw error
    }
    phase.move(to: .serving)
  }

  private func listenForAdmin() throws(StoreError) {
    guard let endpoint = configuration.admin else { return }
    let opening = try AdminOpening(endpoint)
    let figures = AdminFigures(core: core, engine: engine, phase: phase)
    (admin, adminPort) = try opening.serve(figures)
  }

  private static func addresses(
    _ configuration: ServerConfiguration
  ) throws(StoreError) -> [SocketAddress] {
    do throws(TransportError) {
      let found = try SocketAddress.resolve(host: configuration.host, port: configuration.port)
      guard let address = found.first else {
        throw TransportError(.badAddress, "no address is known for '\(configuration.host)'")
      }
      guard address.isLoopback || configuration.allowsInsecure else {
        throw TransportError(
          .badAddress,
          """
          '\(configuration.host)' can be reached by other machines, and there is no encryption \
          nor a token; listen on 127.0.0.1, or allow it with --insecure
          """)
      }
      return [address]
    } catch {
      throw error.storeError
    }
  }

  // MARK: Stopping

  private func beginStopping() {
    guard !isStopping else { return }
    isStopping = true
    // First of all: whoever sends traffic here shall learn it before a connection is refused.
    phase.move(to: .draining)
    for listener in listeners { listener.close() }
    listeners = []
    core.drain { [unowned self] in loop.stop() }
  }

  /// Blocks until the threads have ended and the store is closed.
  private func close() {
    core.close()
    if ownsEngine { engine.close() }
    phase.move(to: .closed)
    // Last of all: while the store is checkpointed, the process answers still.
    admin?.stop()
    closed()
  }

  /// The same for a server whose main actor others use too.
  private func closeAside() {
    let (core, engine, ownsEngine, admin) = (core, engine, ownsEngine, admin)
    DispatchQueue.global().async {
      core.close()
      if ownsEngine { engine.close() }
      admin?.stop()
      DispatchQueue.main.async { MainActor.assumeIsolated { self.closed() } }
    }
  }

  private func closed() {
    isClosed = true
    phase.move(to: .closed)
    admin = nil
    for waiter in waiters { waiter.resume() }
    waiters = []
  }
}

extension ServerConfiguration {
  /// What clients may name in HELLO: the file's name without folder and extension.
  var storeName: String {
    switch store {
    case .memory: return "memory"
    case .engine(let engine): return engine.storeIdentifier
    case .file(let path):
      let file = path.split(separator: "/").last.map(String.init) ?? path
      return file.hasSuffix(".store") ? String(file.dropLast(6)) : file
    }
  }
}

extension TransportError {
  var storeError: StoreError {
    switch code {
    case .badAddress: StoreError(.invalidArgument, .badValue, message)
    case .permission: StoreError(.failedPrecondition, .none, message)
    case .addressInUse: StoreError(.unavailable, .none, message)
    default: StoreError(.unavailable, .none, message)
    }
  }
}
