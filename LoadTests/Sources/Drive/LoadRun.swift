import RoostClient

/// A run from the connection to the result.
struct LoadRun {
  let options: LoadOptions
  let url: RoostURL
  let terminal: Terminal

  func run() async throws(LoadError) -> RunResult {
    let client = try await connect()
    defer { client.close() }
    let discovery = TargetDiscovery(client: client, options: options, progress: terminal.say)
    let target = try await discovery.discover()
    let threads = try makeThreads(target)
    defer { for thread in threads { thread.shutDown() } }
    var options = options
    var notes: [String] = []
    let server = try await connectAll(threads)
    let startedAt = WallClock.now
    limitDepth(&options, server, &notes)
    let grid = makeGrid(options)
    let board = ScoreBoard(grid)
    let plans = makePlans(target, options, grid)
    async let imported = importBeside(target, grid)
    let (results, wasInterrupted) = await drive(threads, plans, board, options)
    let imports = await imported
    var result = summarize(results, plans, target, board, options)
    result.notes = notes + result.notes
    result.startedAt = startedAt
    result.target.server = server.agent
    result.wasInterrupted = wasInterrupted
    result.imports = imports
    try await restore(results, client, target, &result)
    for threshold in options.thresholds { result.verdicts.append(threshold.judge(result)) }
    try await settle(results, client, target, &result)
    return result
  }

  // MARK: Before

  private func connect() async throws(LoadError) -> RoostClient {
    var clientOptions = ClientOptions()
    clientOptions.connection.agent = "roost-load/1"
    let settings = clientOptions
    return try await asking { () throws(ClientError) in
      try await RoostClient.connect(to: url, options: settings)
    }
  }

  private func makeThreads(_ target: LoadTarget) throws(LoadError) -> [DriverThread] {
    let settings = DriverSettings(
      url: url, entity: target.entity, schemaVersion: target.schemaVersion,
      timeout: .seconds(options.timeoutSeconds), fetchRows: options.fetchRows,
      echo: (0..<options.echoBytes).map { UInt8(truncatingIfNeeded: $0) },
      slowPause: .milliseconds(options.slowMilliseconds),
      slowCreditBytes: UInt32(clamping: options.slowCreditBytes), lookups: target.lookups,
      maker: target.made?.maker)
    do throws(ClientError) {
      var threads: [DriverThread] = []
      for _ in 0..<options.threads {
        threads.append(try DriverThread(settings: settings))
      }
      return threads
    } catch {
      throw LoadError(error)
    }
  }

  private func connectAll(_ threads: [DriverThread]) async throws(LoadError) -> ServerInfo {
    terminal.say("making \(Figures.grouped(options.connections)) connections")
    var server: ServerInfo?
    for (index, thread) in threads.enumerated() {
      let count = share(of: index)
      server = try await asking { () throws(ClientError) in try await thread.connect(count) }
    }
    guard let server else { throw LoadError("there are no threads", .failed) }
    return server
  }

  /// Connections of one thread.
  private func share(of thread: Int) -> Int {
    options.connections / options.threads + (thread < options.connections % options.threads ? 1 : 0)
  }

  /// A connection carries no more than the server allows.
  private func limitDepth(
    _ options: inout LoadOptions, _ server: ServerInfo, _ notes: inout [String]
  ) {
    let hasFetches = options.mix.operations.contains { $0.isStream }
    let most =
      hasFetches
      ? min(server.longStreamsMax, server.unaryStreamsMax) : server.unaryStreamsMax
    guard options.depth > most else { return }
    notes.append(
      "depth \(options.depth) was lowered to \(most): the server carries no more "
        + (hasFetches ? "streams" : "requests") + " on one connection at once")
    options.depth = max(1, most)
  }

  private func makeGrid(_ options: LoadOptions) -> TimeGrid {
    let start = LoopInstant.now.advanced(by: LoadLimits.startDelay)
    let measureFrom = start.advanced(by: .seconds(options.warmupSeconds))
    let end = measureFrom.advanced(by: .seconds(options.durationSeconds))
    return TimeGrid(
      start: start.nanoseconds, measureFrom: measureFrom.nanoseconds, end: end.nanoseconds,
      intervalSeconds: options.intervalSeconds)
  }

  private func makePlans(
    _ target: LoadTarget, _ options: LoadOptions, _ grid: TimeGrid
  ) -> [LoadPlan] {
    let writes = target.writes?.split(into: options.threads)
    return (0..<options.threads).map { index in
      let pacing = stretches(options, grid).map {
        Pacing($0, lane: index, lanes: options.threads)
      }
      return LoadPlan(
        mix: options.mix, keys: target.keys, writes: writes?[index],
        own: target.made.map { OwnRows($0.maker, lane: index, lanes: options.threads) },
        rows: KeyChooser(count: target.keys.count, distribution: options.keys),
        lookups: KeyChooser(
          count: UInt64(target.lookups.keys.count), distribution: options.keys),
        batchKeys: options.batchKeys, connections: share(of: index), depth: options.depth,
        start: grid.start, measureFrom: grid.measureFrom, end: grid.end,
        grid: grid, pacing: pacing,
        random: RandomSource(seed: options.seed, stream: UInt64(index)))
    }
  }

  private func stretches(_ options: LoadOptions, _ grid: TimeGrid) -> [RateStretch]? {
    if let profile = options.profile { return profile.stretches(grid) }
    return options.ratePerSecond.map {
      [RateStretch(start: grid.start, end: grid.end, from: Double($0), to: Double($0))]
    }
  }

  // MARK: During

  private func importBeside(_ target: LoadTarget, _ grid: TimeGrid) async -> ImportOutcome? {
    guard let imports = options.imports, let made = target.made else { return nil }
    let beside = ImportBeside(
      url: url, options: imports, entity: made.entity, schemaVersion: target.schemaVersion,
      maker: made.maker)
    return await beside.run(
      from: LoopInstant(nanoseconds: grid.start), until: LoopInstant(nanoseconds: grid.end))
  }

  private func drive(
    _ threads: [DriverThread], _ plans: [LoadPlan], _ board: ScoreBoard, _ options: LoadOptions
  ) async -> (results: [DriverResult], wasInterrupted: Bool) {
    await withTaskGroup(of: DriverResult?.self) { group in
      for (thread, plan) in zip(threads, plans) { group.addTask { await thread.run(plan, board) } }
      let watch = LiveWatch(
        options: options, start: plans.first?.start ?? 0, board: board, terminal: terminal)
      group.addTask {
        await watch.run { for thread in threads { thread.stop() } }
        return nil
      }
      if let file = options.measuringFile {
        let from = LoopInstant(nanoseconds: plans.first?.measureFrom ?? 0)
        group.addTask {
          await MeasuringMark(file: file).make(at: from)
          return nil
        }
      }
      var results: [DriverResult] = []
      for await result in group {
        if let result { results.append(result) }
        if results.count == threads.count { group.cancelAll() }
      }
      return (results, Interruption.hasCome)
    }
  }

  // MARK: After

  private func summarize(
    _ results: [DriverResult], _ plans: [LoadPlan], _ target: LoadTarget, _ board: ScoreBoard,
    _ options: LoadOptions
  ) -> RunResult {
    let from = plans.first?.measureFrom ?? 0
    let planned = plans.first?.end ?? 0
    let now = LoopInstant.now.nanoseconds
    let lastAnswer = results.map(\.lastAnswer).max() ?? from
    // An interrupted run has measured until now, another one until its end or the last answer.
    let end = max(min(planned, now), lastAnswer)
    let seconds = Double(end > from ? end - from : 1) / 1e9
    var result = RunResult(
      options: options, target: target.summary, tallies: board.whole, seconds: seconds)
    result.timeline = board.timeline(until: end)
    for part in results {
      result.unsent += part.unsent
      result.generator.threadShares.append(part.processorShare)
      result.generator.lag.merge(part.lag)
    }
    let lost = results.reduce(0) { $0 + $1.lostConnections }
    if lost > 0 { result.notes.append("\(lost) connections were lost and made again") }
    if target.summary.isTruncated {
      result.notes.append("identifiers are too scattered to keep all; the first ones were read")
    }
    return result
  }

  /// Judges the run's own rows and takes them out again.
  private func settle(
    _ results: [DriverResult], _ client: RoostClient, _ target: LoadTarget,
    _ result: inout RunResult
  ) async throws(LoadError) {
    guard let made = target.made else { return }
    let data = OwnData(
      client: client, entity: made.entity, schemaVersion: target.schemaVersion, maker: made.maker)
    do throws(LoadError) {
      terminal.say("checking the rows of this run")
      let check = OwnDataCheck(data: data, before: target.ownRows, imports: result.imports)
      result.verdicts += try await check.run(results.compactMap(\.own))
      if options.keepsWrites { return }
      terminal.say("deleting the rows of this run")
      result.removed = try await data.remove()
    } catch {
      result.notes.append("the rows of this run could not be checked and deleted: \(error)")
      result.couldNotRestore = true
    }
  }

  private func restore(
    _ results: [DriverResult], _ client: RoostClient, _ target: LoadTarget,
    _ result: inout RunResult
  ) async throws(LoadError) {
    let sets = results.compactMap(\.writes)
    if sets.isEmpty || options.keepsWrites { return }
    terminal.say("giving changed rows their own values back")
    do throws(LoadError) {
      let (restored, left) = try await Restoration(
        client: client, schemaVersion: target.schemaVersion
      ).run(sets)
      result.restored = restored
      if left > 0 {
        result.notes.append("\(left) rows were changed by another client and left as they are")
      }
    } catch {
      result.notes.append("rows could not be given their own values back: \(error)")
      result.couldNotRestore = true
    }
  }
}
