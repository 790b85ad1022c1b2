import RoostModel
import Synchronization

/// A store's counters, beside how they stood about a minute ago.
///
/// The lock is held for as long as a few numbers take, by whoever counts: once a group, a
/// checkpoint or a few dozen queries.
final class StoreTally: Sendable {
  /// Everything at one moment.
  struct Figures {
    let counters: StoreCounters
    /// At the beginning of the window.
    let base: StoreCounters
    let baseTaken: UInt64
    /// The window's length; never 0.
    let seconds: Double
    /// On the store's clock.
    let now: UInt64
  }

  private struct State {
    var counters: StoreCounters
    var window: RollingWindow<StoreCounters>

    mutating func roll(_ now: UInt64) { Self.roll(&window, counters, now) }

    private static func roll(
      _ window: inout RollingWindow<StoreCounters>, _ counters: StoreCounters, _ now: UInt64
    ) {
      window.roll(counters, now: now)
    }
  }

  let clock: StoreClock
  private let state: Mutex<State>

  init(_ counters: StoreCounters, _ clock: StoreClock) {
    self.clock = clock
    let window = RollingWindow(counters, now: clock.now())
    state = Mutex(State(counters: counters, window: window))
  }

  /// Changes the counters; the body must be short.
  func count(_ body: (inout StoreCounters) -> Void) { count { counters, _ in body(&counters) } }

  /// The same for who needs the time.
  func count(_ body: (inout StoreCounters, _ now: UInt64) -> Void) {
    let now = clock.now()
    state.withLock { state in
      state.roll(now)
      body(&state.counters, now)
    }
  }

  /// A row count, for the writer.
  func rows(_ entity: EntityID) -> Int { state.withLock { $0.counters.rows[entity] ?? 0 } }

  var figures: Figures {
    let now = clock.now()
    return state.withLock { state in
      state.roll(now)
      let (base, seconds) = state.window.since(now)
      return Figures(
        counters: state.counters, base: base, baseTaken: state.window.began, seconds: seconds,
        now: now)
    }
  }
}
