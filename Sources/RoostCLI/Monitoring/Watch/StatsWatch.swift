import RoostClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs `roost stats --watch`: a row after each interval, until Ctrl-C or a closed output.
@MainActor
struct StatsWatch {
  private let url: RoostURL
  private let interval: Double
  private let isJSON: Bool

  init(_ url: RoostURL, every interval: Double, isJSON: Bool) {
    self.url = url
    self.interval = interval
    self.isJSON = isJSON
  }

  /// - Throws: ``ClientError`` when there is no server at first, ``ClosedOutput``.
  func run(_ console: Console) async throws -> Int32 {
    let client = try await RoostClient.connect(to: url, options: .ofCommands)
    defer { client.close() }
    let first = try await client.sample(timeout: MonitorLimits.replyTimeout)
    // Only now: whoever waits for a connection may interrupt that as usual.
    let (interrupts, continuation) = AsyncStream.makeStream(of: Int32.self)
    let token = try SignalHub.shared.take([SIGINT]) { continuation.yield($0) }
    defer { SignalHub.shared.drop(token) }
    return try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask { try await rows(after: first, client, console) }
      group.addTask { for await _ in interrupts { return } }
      // Whichever ends first: rows only by an error.
      try await group.next()
      group.cancelAll()
      return ExitCode.done
    }
  }

  private func rows(
    after first: ServerSample, _ client: RoostClient, _ console: Console
  ) async throws {
    var table = WatchTable(widthMax: console.outputWidth)
    var pauses = WatchPauses(every: interval)
    var last = first
    while true {
      try await Task.sleep(for: .seconds(pauses.next))
      let reply = await Result.of { () throws(ClientError) in
        try await client.sample(timeout: MonitorLimits.replyTimeout)
      }
      try Task.checkCancellation()
      switch reply {
      case .success(let sample):
        pauses.succeeded()
        try show(WatchRow(last, sample), &table, console)
        last = sample
      case .failure(let error):
        pauses.failed()
        try show(error, &table, console)
      }
    }
  }

  private func show(
    _ row: WatchRow, _ table: inout WatchTable, _ console: Console
  ) throws(ClosedOutput) {
    let every =
      console.outputHeight.map { $0 - 2 } ?? MonitorLimits.watchRowsPerHeader
    try console.write(
      isJSON
        ? row.json + "\n"
        : table.text(row, clock: WallClock.text(row.time), headerEvery: every))
    try console.flush()
  }

  /// The rows stay rows: beside NDJSON what went wrong is told on standard error.
  private func show(
    _ error: ClientError, _ table: inout WatchTable, _ console: Console
  ) throws(ClosedOutput) {
    let text = "no answer: \(error); trying again"
    if isJSON { return console.note("roost: \(TableWriter.oneLine(text))") }
    try console.write(table.note(text, clock: WallClock.text(WallClock.now)))
    try console.flush()
  }
}

extension Result where Failure == ClientError {
  /// How a call ended.
  static func of(
    _ call: () async throws(ClientError) -> Success
  ) async -> Result<Success, ClientError> {
    do throws(ClientError) { return .success(try await call()) } catch { return .failure(error) }
  }
}
