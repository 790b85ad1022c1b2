/// Counters as they stood at the beginnings of the last intervals, for rates over about a minute.
///
/// The owner calls ``roll(_:now:)`` with the counters as they stand *before* it changes them, and
/// before it asks, or at least several times an interval; what was counted since the call before
/// goes to the later interval. Where nothing was counted, a late call can fill in what it missed:
/// after an idle hour the window holds nothing of the hour before.
///
/// - Complexity: O(1) a call, with one copy of the figures an interval.
package struct RollingWindow<Figures: Sendable>: Sendable {
  /// Of one snapshot, in nanoseconds.
  package static var interval: UInt64 { 10_000_000_000 }
  /// Intervals that make the window.
  package static var intervals: Int { 6 }

  private var snapshots: [(figures: Figures, taken: UInt64)]

  /// A window that begins now.
  package init(_ figures: Figures, now: UInt64) { snapshots = [(figures, now)] }

  /// Takes a snapshot if one is due. `now` is on any clock of nanoseconds that does not go back.
  package mutating func roll(_ figures: @autoclosure () -> Figures, now: UInt64) {
    let last = snapshots[snapshots.count - 1].taken
    guard now >= last, now - last >= Self.interval else { return }
    // Nothing changed since the last call, so this is also how it stood at what was missed.
    let figures = figures()
    let due = now - (now - last) % Self.interval
    let length = Self.interval * UInt64(Self.intervals)
    var beginning = last + Self.interval
    if due - last > length {
      snapshots.removeAll(keepingCapacity: true)
      beginning = due - length
    }
    while beginning <= due {
      snapshots.append((figures, beginning))
      beginning += Self.interval
    }
    snapshots.removeFirst(max(0, snapshots.count - Self.intervals - 1))
  }

  /// When the window begins.
  package var began: UInt64 { snapshots[0].taken }

  /// The counters at the window's beginning, at most a minute and an interval ago, and how many
  /// seconds have gone since; never 0.
  package func since(_ now: UInt64) -> (figures: Figures, seconds: Double) {
    let first = snapshots[0]
    let nanoseconds = now > first.taken ? now - first.taken : 0
    return (first.figures, max(Double(nanoseconds) / 1e9, 0.001))
  }
}
