import Synchronization

/// Where threads hand over what they counted; all sums of a run come together here.
final class ScoreBoard: Sendable {
  private struct State {
    var whole = Tallies()
    /// Since the last ``takeRecent()``.
    var recent = Tally()
    var timeline: TimelineRecorder
  }
  private let state: Mutex<State>

  init(_ grid: TimeGrid) { state = Mutex(State(timeline: TimelineRecorder(grid))) }

  /// Adds what was counted in an interval of the time series; `warmUp` is shown there and is no
  /// part of the sums.
  func add(_ tallies: Tallies, warmUp: Tallies, at index: Int) {
    state.withLock { state in
      state.whole.merge(tallies)
      state.timeline.add(tallies, at: index)
      state.timeline.add(warmUp, at: index)
      for operation in Operation.allCases {
        state.recent.merge(warmUp[operation])
        state.recent.merge(tallies[operation])
      }
    }
  }

  var whole: Tallies { state.withLock { $0.whole } }

  /// The intervals so far; the last one ends at `moment`, if that is before its time.
  func timeline(until moment: UInt64) -> [TimelinePoint] {
    state.withLock { $0.timeline.points(until: moment) }
  }

  /// All operations since the last call, and the errors of the whole run.
  func takeRecent() -> (recent: Tally, errors: UInt64) {
    state.withLock { state in
      defer { state.recent.reset() }
      return (state.recent, state.whole.total.errors)
    }
  }
}
