import RoostClient

#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Runs `roost top`: brings keys, signals and samples to the state and its lines to the terminal.
@MainActor
final class TopSession {
  private enum Event: Sendable {
    case key(TopKey)
    case inputEnded
    case signal(Int32)
  }

  private let client: RoostClient
  private let terminal: RawTerminal
  private var state: TopState
  private var pauses: WatchPauses
  /// Samples and calls under way that end with the session.
  private var tasks: [Int: Task<Void, Never>] = [:]
  private var taskCount = 0
  private var isSampling = false
  /// Nobody sees the screen any more.
  private var isClosed = false

  init(_ client: RoostClient, url: String, _ console: Console) throws(CommandFault) {
    self.client = client
    terminal = try RawTerminal(console)
    state = TopState(url: url)
    pauses = WatchPauses(every: 1)
  }

  /// Until a key, a signal or the end of the input; the terminal is as before then.
  func run() async throws -> Int32 {
    let (events, continuation) = AsyncStream.makeStream(of: Event.self)
    let signals = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGCONT]
    let token = try SignalHub.shared.take(signals) { continuation.yield(.signal($0)) }
    let keys = KeyReader(STDIN_FILENO) { key in
      continuation.yield(key.map { .key($0) } ?? .inputEnded)
    }
    defer {
      keys.end()
      for task in tasks.values { task.cancel() }
      terminal.restore()
      SignalHub.shared.drop(token)
    }
    try terminal.enter()
    keys.start()
    perform { await $0.sampleAgainAndAgain(continuation) }
    draw()
    for await event in events {
      if isClosed { return ExitCode.done }
      switch event {
      case .key(let key):
        keys.taken()
        if press(key) { return ExitCode.done }
      case .inputEnded: return ExitCode.done
      case .signal(SIGWINCH): draw()
      case .signal(SIGCONT):
        try terminal.enter()
        draw()
      case .signal(SIGINT): return ExitCode.done
      case .signal(let number): return 128 + number
      }
    }
    return ExitCode.done
  }

  /// Whether that was the last key.
  private func press(_ key: TopKey) -> Bool {
    let page = TopScreen(state, terminal.size).page
    switch state.press(key, page: page) {
    case .quit?: return true
    case .sample?: perform { await $0.sample() }
    case .cancel(let target)?: perform { await $0.cancel(target) }
    case nil: break
    }
    draw()
    return false
  }

  private func perform(_ work: @escaping @MainActor (TopSession) async -> Void) {
    taskCount += 1
    let number = taskCount
    tasks[number] = Task { [weak self] in
      guard let self else { return }
      await work(self)
      tasks[number] = nil
    }
  }

  // MARK: The server

  private func sampleAgainAndAgain(_ events: AsyncStream<Event>.Continuation) async {
    while !Task.isCancelled {
      if !state.isPaused { await sample() }
      if isClosed { events.yield(.inputEnded) }
      var seconds = max(pauses.next, state.interval)
      // In steps, so that a shorter interval is felt at once.
      while seconds > 0, !Task.isCancelled {
        let step = min(seconds, TopState.intervals[0])
        guard (try? await Task.sleep(for: .seconds(step))) != nil else { return }
        seconds = min(seconds - step, max(pauses.next, state.interval))
      }
    }
  }

  private func sample() async {
    // One at a time: the next one comes with the interval.
    guard !isSampling else { return }
    isSampling = true
    let view = state.view
    let reply = await Result.of { () throws(ClientError) in
      try await client.sample(
        [view.section], limit: MonitorLimits.sectionRowsMax, timeout: MonitorLimits.replyTimeout)
    }
    isSampling = false
    if Task.isCancelled { return }
    switch reply {
    case .success(let sample):
      pauses.succeeded()
      state.take(sample)
    case .failure(let error):
      pauses.failed()
      state.fail("\(error)")
    }
    draw()
    // The view was changed meanwhile: its rows are wanted now.
    if case .success = reply, state.view != view { await self.sample() }
  }

  private func cancel(_ target: TopTarget) async {
    let reply = await Result.of { () throws(ClientError) in
      try await client.cancelOperation(client: target.client, stream: target.stream)
    }
    if Task.isCancelled { return }
    switch reply {
    case .success(true): state.notice = "\(target.name) was ended"
    case .success(false): state.notice = "\(target.name) had ended already"
    case .failure(let error): state.notice = "\(target.name): \(error)"
    }
    draw()
    await sample()
  }

  private func draw() {
    let screen = TopScreen(state, terminal.size)
    do throws(ClosedOutput) {
      try terminal.draw(screen.lines(clock: WallClock.text(WallClock.now)))
    } catch {
      isClosed = true
    }
  }
}
