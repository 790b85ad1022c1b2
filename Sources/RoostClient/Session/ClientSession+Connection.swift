import RoostModel

extension ClientSession {
  /// Tells when there is a connection, or why there cannot be one; does not try twice.
  func connect(_ completion: @escaping (Result<ServerInfo, ClientError>) -> Void) {
    switch state {
    case .closed: completion(.failure(.closed))
    case .ready(let connection): completion(.success(connection.server))
    case .idle, .connecting, .waiting:
      connectWaiters.append(completion)
      connectIfNeeded()
    }
  }

  func connectIfNeeded() {
    guard case .idle = state else { return }
    beginConnecting()
  }

  private func beginConnecting() {
    guard let scope else { return }
    let connection = RoostConnection(scope, options: options.connection)
    state = .connecting(connection)
    connection.onClose = { [weak self, weak connection] error in
      guard let self, let connection else { return }
      lost(connection, error)
    }
    connection.onDrain = { [weak self, weak connection] wait in
      guard let self, let connection else { return }
      drained(connection, wait)
    }
    connection.onRoom = { [weak self] in self?.dispatch() }
    connection.connect(to: url) { [weak self, weak connection] result in
      guard let self, let connection else { return }
      connected(connection, result)
    }
  }

  private func connected(_ connection: RoostConnection, _ result: Result<ServerInfo, ClientError>) {
    guard case .connecting(let current) = state, current === connection else {
      return connection.close()
    }
    switch result {
    case .success(let server):
      failedConnects = 0
      retryAfter = .zero
      state = .ready(connection)
      tellWaiters(.success(server))
      dispatch()
    case .failure(let error):
      couldNotConnect(error)
    }
  }

  private func tellWaiters(_ result: Result<ServerInfo, ClientError>) {
    let waiters = connectWaiters
    connectWaiters = []
    for waiter in waiters { waiter(result) }
  }

  /// Everything that waits has used one attempt; what remains is tried again after a while.
  private func couldNotConnect(_ error: ClientError) {
    failedConnects += 1
    state = .idle
    tellWaiters(.failure(error))
    // Completions above may have closed the session or begun anew.
    guard case .idle = state else { return }
    let calls = queue.drain() + streamQueue.drain()
    if calls.isEmpty { return }
    state = .waiting(afterBackoff())
    for call in calls where !call.isFinished {
      call.attempt += 1
      if call.attempt >= policy.attemptsMax || !error.isRetryable {
        call.finish(.failure(error))
      } else {
        _ = call.isStream ? streamQueue.append(call) : queue.append(call)
      }
    }
  }

  private func afterBackoff() -> LoopTimer {
    let backoff = reconnect.wait(before: failedConnects, random: .random(in: 0..<1))
    guard let scope else { return LoopTimer(number: 0) }
    let wait = max(backoff, retryAfter)
    retryAfter = .zero
    return scope.after(wait) { [weak self] in
      guard let self, case .waiting = state else { return }
      state = .idle
      if !queue.isEmpty || !streamQueue.isEmpty || !connectWaiters.isEmpty { beginConnecting() }
    }
  }

  /// The connection ended; its calls have been given back already.
  private func lost(_ connection: RoostConnection, _ error: ClientError) {
    leaving.removeAll { $0 === connection }
    switch state {
    case .ready(let current) where current === connection:
      state = .idle
      if !queue.isEmpty || !streamQueue.isEmpty { beginConnecting() }
    case .connecting(let current) where current === connection:
      couldNotConnect(error)
    default: break
    }
  }

  /// The server wants no more calls on this connection; those that are open go on.
  private func drained(_ connection: RoostConnection, _ wait: Duration) {
    guard case .ready(let current) = state, current === connection else { return }
    leaving.append(connection)
    retryAfter = wait
    failedConnects = max(1, failedConnects)
    state = .waiting(afterBackoff())
  }

  /// Ends every call with the code `closed`; may be called again.
  func close() {
    let last = state
    state = .closed
    scope?.remove(self)
    switch last {
    case .connecting(let connection), .ready(let connection): connection.close()
    case .waiting(let timer): scope?.cancel(timer)
    case .idle, .closed: break
    }
    let left = leaving
    leaving = []
    for connection in left { connection.close() }
    tellWaiters(.failure(.closed))
    for call in queue.drain() + streamQueue.drain() { call.finish(.failure(.closed)) }
  }
}
