import RoostModel
import RoostTransport
import RoostWire

extension Session {
  /// Sees to a request: at once if it can, else by a ``Call`` that outlasts the turn.
  func dispatch(_ request: IncomingRequest, _ body: MessageBody) {
    figures.requests &+= 1
    if isForOperator {
      guard request.method.isForOperators else { return turnAway(request) }
      figures.lastQuestion = core.loop.now
    }
    if let token = request.minToken, token > core.changes.knownCommit {
      return refuse(
        request,
        EndStatus(.failedPrecondition, .foreignToken, "no commit \(token) is known here"))
    }
    switch request.method {
    case .get: return get(request, body)
    case .echo:
      answer(request) { writer in body.withBytes { writer.raw($0) } }
    case .health: answer(request) { core.health.encode(into: &$0) }
    case .describe: answer(request) { core.description.encode(into: &$0) }
    case .fetch: core.queries.add(FetchCall(request, body.bytes, in: self))
    case .count: core.queries.add(CountCall(request, body.bytes, in: self))
    case .write: write(request, body)
    case .import: startImport(request, body)
    case .schemaRegister: register(request, body)
    case .stats: readStats(request, body)
    case .cancelOperation: cancelOperation(request, body)
    }
    if request.credit > 0 { connection.returnCredit(request.credit, on: request.stream) }
  }

  /// There is no room for this connection after all: the call was not looked at.
  private func turnAway(_ request: IncomingRequest) {
    core.stats.connectionsRefused &+= 1
    let retry = Int64(core.retryAfterMilliseconds())
    refuse(
      request,
      EndStatus(
        .unavailable, .overloaded,
        trailers: [
          MapEntry("msg", .text("too many connections")), MapEntry("retry_ms", .int(retry)),
        ]))
    end()
  }

  /// Answers within the turn.
  func answer(_ request: IncomingRequest, _ body: (inout PackedWriter) -> Void) {
    connection.reply(request.stream, body)
    core.stats[request.method].startAndSucceed(1, nanoseconds: core.elapsedInTurn)
  }

  /// Ends a request that was not begun.
  func refuse(_ request: IncomingRequest, _ status: EndStatus) {
    core.stats[request.method].start()
    countEnd(of: request.method, status, nanoseconds: core.elapsedInTurn)
    connection.end(request.stream, status)
  }

  func refuse(_ request: IncomingRequest, queue name: String, _ limit: Int) {
    refuse(request, .queueFull(name, limit))
  }
}

extension EndStatus {
  /// Whether it is counted as failed: not what the client itself called off.
  var isFailure: Bool { status != .ok && status != .cancelled }

  /// A queue of the server is full; proven not to have been done, so the client may come again.
  static func queueFull(_ name: String, _ limit: Int) -> EndStatus {
    EndStatus(
      .resourceExhausted, .queue,
      trailers: [
        MapEntry("msg", .text("\(name) is full at \(limit)")),
        MapEntry("retry_ms", .int(Int64.random(in: 20...200))),
      ])
  }
}

extension ServerCore {
  var health: Health {
    Health(
      isServing: !isDraining, token: changes.knownCommit,
      uptimeMilliseconds: uptimeMilliseconds, store: storeName)
  }

  var description: Description {
    Description(schema: plans.schema, limits: limitEntries)
  }

  var uptimeMilliseconds: Int64 {
    Int64(clamping: loop.now.elapsed(since: opened).clampedNanoseconds / 1_000_000)
  }

  var elapsedInTurn: UInt64 { clock.now.elapsed(since: loop.now).clampedNanoseconds }
}

extension WireMethod {
  /// Whether it is answered even when every ordinary connection is taken.
  var isForOperators: Bool {
    switch self {
    case .health, .stats, .cancelOperation: true
    default: false
    }
  }
}
