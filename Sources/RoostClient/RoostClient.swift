import RoostModel
import RoostWire

/// A client of one Roost server: calls from any task, multiplexed over one connection.
///
/// It connects again by itself when the connection is lost, and sends a call again only when that
/// is proven to be harmless (see ``ClientError/isRetryable``). A write whose answer is lost ends
/// with the code `outcomeUnknown`. Cancelling the task of a call cancels it in the server.
///
/// - Isolation: Safe from any isolation; its work is done on a thread of its own.
public final class RoostClient: Sendable {
  /// The server's address.
  public let url: RoostURL
  let options: ClientOptions
  let loop: ClientLoop
  let session: ClientSession
  private let ownsLoop: Bool

  private init(url: RoostURL, options: ClientOptions, loop: ClientLoop, ownsLoop: Bool) {
    self.url = url
    self.options = options
    self.loop = loop
    self.ownsLoop = ownsLoop
    session = ClientSession(url: url, options: options)
  }

  deinit { close() }

  /// Connects to `roost://HOST:PORT`.
  ///
  /// - Parameters:
  ///   - url: The server's address.
  ///   - options: Deadlines and the like.
  ///   - loop: A loop to share among clients; nil for one of its own.
  /// - Returns: A client that is connected.
  /// - Throws: ``ClientError``: `invalidURL`, `refused` when nothing listens there,
  ///   `unreachable` when the host does not answer, `notRoost` when something else answers.
  public static func connect(
    _ url: String, options: ClientOptions = ClientOptions(), loop: ClientLoop? = nil
  ) async throws(ClientError) -> RoostClient {
    try await connect(to: RoostURL(url), options: options, loop: loop)
  }

  /// Connects to a server whose address is known in parts; see ``connect(_:options:loop:)``.
  public static func connect(
    to url: RoostURL, options: ClientOptions = ClientOptions(), loop: ClientLoop? = nil
  ) async throws(ClientError) -> RoostClient {
    let ownLoop: ClientLoop
    if let loop { ownLoop = loop } else { ownLoop = try ClientLoop() }
    let client = RoostClient(url: url, options: options, loop: ownLoop, ownsLoop: loop == nil)
    let end = LoopInstant.now.advanced(by: options.waitForServer)
    while true {
      do throws(ClientError) {
        _ = try await client.connected()
        return client
      } catch {
        guard error.isRetryable, LoopInstant.now < end else {
          client.close()
          throw error
        }
        await client.pause(.milliseconds(50))
      }
    }
  }

  /// What the server said of itself; connects first if the connection is lost.
  public func connected() async throws(ClientError) -> ServerInfo {
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation {
        (waiter: CheckedContinuation<Result<ServerInfo, ClientError>, Never>) in
        onLoop(otherwise: { waiter.resume(returning: .failure(.closed)) }) {
          $0.connect { waiter.resume(returning: $0) }
        }
      }
    } onCancel: {
      // The wait ends with the connection attempt, which is bounded.
    }
    return try result.get()
  }

  /// Ends all calls with the code `closed` and the connection with them; may be called again.
  public func close() {
    let session = session
    loop.execute { _ in session.close() }
    if ownsLoop { loop.stop() }
  }

  /// Runs on the loop with the session; `otherwise` if the loop has ended.
  func onLoop(
    otherwise: () -> Void = {}, _ body: @escaping @Sendable (ClientSession) -> Void
  ) {
    let session = session
    let isTaken = loop.execute { scope in
      session.attach(scope)
      body(session)
    }
    if !isTaken { otherwise() }
  }

  private func pause(_ duration: Duration) async {
    await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
      let isTaken = loop.execute { $0.after(duration) { waiter.resume() } }
      if !isTaken { waiter.resume() }
    }
  }

  /// One message there, one back.
  func unary(
    _ method: WireMethod, _ kind: CallKind = .repeatable, body: [UInt8], timeout: Duration? = nil
  ) async throws(ClientError) -> [UInt8] {
    let deadline = LoopInstant.now.advanced(by: timeout ?? options.timeout)
    let waiter = CallWaiter()
    let call = SessionCall(
      method, kind, body: body, deadline: deadline, shape: .unary { waiter.resume($0) })
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiter.set(continuation)
        onLoop(otherwise: { waiter.resume(.failure(.closed)) }) { $0.start(call) }
      }
    } onCancel: {
      onLoop { $0.cancel(call) }
    }
    return try result.get()
  }
}

/// Brings one result from the loop to one task.
///
/// `@unchecked Sendable`: set before the call is handed to the loop, resumed once by the loop, or
/// by the caller if the loop refused the call.
private final class CallWaiter: @unchecked Sendable {
  typealias Reply = Result<[UInt8], ClientError>
  private var continuation: CheckedContinuation<Reply, Never>?

  func set(_ continuation: CheckedContinuation<Reply, Never>) { self.continuation = continuation }

  func resume(_ result: Reply) {
    continuation?.resume(returning: result)
    continuation = nil
  }
}

/// Connects, runs `body` and closes the connection, however `body` ends.
///
/// - Throws: ``ClientError`` when there is no connection to be had, else what `body` throws.
public func withRoostClient<Result>(
  _ url: String, options: ClientOptions = ClientOptions(),
  _ body: (RoostClient) async throws -> Result
) async throws -> Result {
  let client = try await RoostClient.connect(url, options: options)
  defer { client.close() }
  return try await body(client)
}
