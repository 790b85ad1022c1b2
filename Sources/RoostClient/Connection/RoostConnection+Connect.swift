#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif
import RoostModel

/// From a URL to the server's HELLO.
extension RoostConnection {
  /// Resolves, connects and says HELLO; tells once how that ended.
  ///
  /// - Parameters:
  ///   - url: Where the server listens; its addresses are tried in order.
  ///   - completion: Runs on the loop's thread. After a failure the connection is closed.
  public func connect(
    to url: RoostURL, completion: @escaping (Result<ServerInfo, ClientError>) -> Void
  ) {
    guard case .new = stage else {
      return completion(.failure(ClientError(.closed, .local, "connect was called before")))
    }
    self.url = url
    stage = .connecting(completion)
    guard scope.add(self) else {
      let text = "the loop carries \(ClientLimits.connectionsMax) connections already"
      return fail(ClientError(.resourceExhausted, .local, text))
    }
    limitStage(options.connectTimeout)
    do throws(ClientError) {
      try beginConnecting(SocketAddress.resolve(url, isLiteral: true))
    } catch {
      resolveElsewhere(url)
    }
  }

  /// Takes a descriptor that is connected already, for tests and tunnels.
  func adopt(
    _ descriptor: Int32, completion: @escaping (Result<ServerInfo, ClientError>) -> Void
  ) {
    url = RoostURL(host: "adopted", port: 1)
    stage = .connecting(completion)
    guard scope.add(self) else { return fail(.closed) }
    Socket.prepare(descriptor)
    self.descriptor = descriptor
    established()
  }

  /// Asking for a name may block for seconds, which no connection of the loop shall feel.
  private func resolveElsewhere(_ url: RoostURL) {
    let inbox = scope.inbox
    let target = ConnectionHandle(connection: self)
    let isStarted = DetachedThread.run {
      let result = Result<[SocketAddress], ClientError> { () throws(ClientError) in
        try SocketAddress.resolve(url, isLiteral: false)
      }
      inbox.add { _ in target.connection?.resolved(result) }
    }
    if !isStarted { fail(ClientError(.resourceExhausted, .local, "no more threads")) }
  }

  fileprivate func resolved(_ result: Result<[SocketAddress], ClientError>) {
    guard case .connecting = stage else { return }
    switch result {
    case .success(let addresses): beginConnecting(addresses)
    case .failure(let error): fail(error)
    }
  }

  private func beginConnecting(_ addresses: [SocketAddress]) {
    untried = addresses[...]
    tryNext(after: SocketFailure(code: EADDRNOTAVAIL))
  }

  private func tryNext(after failure: SocketFailure) {
    var failure = failure
    while let address = untried.popFirst() {
      switch address.connect() {
      case .success(let descriptor):
        self.descriptor = descriptor
        scope.watch(self, descriptor, reading: false, writing: true)
        return
      case .failure(let next): failure = next
      }
    }
    fail(failure.asError(connectingTo: url))
  }

  /// The poll has an answer for the attempt that is under way.
  func connectAnswered() {
    let code = Socket.pendingError(descriptor)
    if code == 0 { return established() }
    Socket.close(descriptor)
    descriptor = -1
    scope.watch(self, -1, reading: false, writing: false)
    tryNext(after: SocketFailure(code: code))
  }

  private func established() {
    guard case .connecting(let completion) = stage else { return }
    stage = .greeting(completion)
    limitStage(options.helloTimeout)
    scope.watch(self, descriptor, reading: true, writing: false)
    sayHello()
  }

  /// A stage that takes longer than this fails.
  private func limitStage(_ duration: Duration) {
    stageDeadline = LoopInstant.now.advanced(by: duration)
    nextDeadline = min(nextDeadline, stageDeadline)
  }

  /// Why a stage took too long.
  func stageExpired() {
    switch stage {
    case .connecting:
      fail(
        ClientError(
          .unreachable, .transport, "\(url) did not answer within \(options.connectTimeout)"))
    case .greeting:
      fail(
        ClientError(
          .notRoost, .transport,
          "something listens on \(url) but said no HELLO within \(options.helloTimeout)"))
    case .new, .open, .closed: break
    }
  }
}

/// Carries a connection over a thread that does not touch it.
///
/// `@unchecked Sendable`: read only in a job of the loop the connection belongs to.
private struct ConnectionHandle: @unchecked Sendable {
  weak var connection: RoostConnection?
}
