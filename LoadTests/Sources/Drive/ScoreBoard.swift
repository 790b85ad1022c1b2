import Synchronization

/// Where threads hand over what they counted; all sums of a run come together here.
final class ScoreBoard: Sendable {
  private struct State {
    var whole = Tallies()
    /// Since the last ``takeRecent()``.
    var recent = Tally()
  }
  private let state = Mutex(State())

  /// `warmUp` is shown and not counted.
  func add(_ tallies: Tallies, warmUp: Tally) {
    state.withLock { state in
      state.whole.merge(tallies)
      state.recent.merge(warmUp)
      for operation in Operation.allCases { state.recent.merge(tallies[operation]) }
    }
  }

  var whole: Tallies { state.withLock { $0.whole } }

  /// All operations since the last call, and the errors of the whole run.
  func takeRecent() -> (recent: Tally, errors: UInt64) {
    state.withLock { state in
      defer { state.recent.reset() }
      return (state.recent, state.whole.total.errors)
    }
  }
}
