import RoostClient

/// Shows how a run goes and hears when it is to stop.
struct LiveWatch: Sendable {
  let options: LoadOptions
  let start: UInt64
  let board: ScoreBoard
  let terminal: Terminal
  private static let pause = Duration.milliseconds(100)
  private static let pausesPerLine = 10
  private static let patienceNanoseconds: UInt64 = 1_900_000_000

  /// Runs until its task is cancelled; calls `stop` once if the user wants an end.
  func run(_ stop: @Sendable () -> Void) async {
    var pauses = 0
    var lastShown = start
    var hasStopped = false
    var view = LiveView(options: options)
    while !Task.isCancelled {
      do { try await Task.sleep(for: LiveWatch.pause) } catch { return }
      if Interruption.hasCome, !hasStopped {
        hasStopped = true
        stop()
      }
      pauses += 1
      let now = LoopInstant.now.nanoseconds
      if pauses % LiveWatch.pausesPerLine == 0, terminal.isInteractive, now > lastShown {
        if show(&view, now, since: lastShown) { lastShown = now }
      }
    }
  }

  private func show(_ view: inout LiveView, _ now: UInt64, since last: UInt64) -> Bool {
    let (recent, errors) = board.takeRecent()
    // The threads hand over once a second, a little sooner or later than this looks.
    if recent.isEmpty, now - last < LiveWatch.patienceNanoseconds { return false }
    terminal.say(
      view.lines(
        recent, seconds: Double(now - last) / 1e9, elapsed: Double(now - start) / 1e9,
        errors: errors))
    return true
  }
}
