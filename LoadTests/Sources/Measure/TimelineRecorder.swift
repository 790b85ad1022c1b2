/// Gathers intervals from several threads, and keeps of those that are over only the figures.
///
/// A thread that is more than ``LoadLimits/openIntervalsMax`` intervals late counts for the oldest
/// one that is open: no request is lost, and memory does not grow with the run.
struct TimelineRecorder: Sendable {
  private let grid: TimeGrid
  private var open: [(index: Int, tallies: Tallies)] = []
  private var closed: [TimelinePoint] = []
  private var firstOpen = 0

  init(_ grid: TimeGrid) { self.grid = grid }

  /// Adds what one thread counted in an interval; may be called several times for one.
  mutating func add(_ tallies: Tallies, at index: Int) {
    // After the end there is an interval only where something came late.
    if tallies.isEmpty, grid.isAfterEnd(index) { return }
    let index = max(index, firstOpen)
    if let place = open.firstIndex(where: { $0.index == index }) {
      open[place].tallies.merge(tallies)
    } else {
      open.append((index, tallies))
      open.sort { $0.index < $1.index }
    }
    while let first = open.first, let last = open.last,
      first.index + LoadLimits.openIntervalsMax <= last.index
    {
      close(first.index, first.tallies)
      open.removeFirst()
    }
  }

  /// The intervals in order of time, those of a run that ended early up to its end.
  func points(until end: UInt64) -> [TimelinePoint] {
    var points = closed
    for (index, tallies) in open { points.append(point(index, tallies, until: end)) }
    return points
  }

  private mutating func close(_ index: Int, _ tallies: Tallies) {
    closed.append(point(index, tallies))
    firstOpen = index + 1
  }

  private func point(
    _ index: Int, _ tallies: Tallies, until end: UInt64 = .max
  ) -> TimelinePoint {
    let (low, planned) = grid.bounds(of: index)
    let high = end > low ? min(planned, end) : planned
    let start =
      low < grid.measureFrom
      ? -Double(grid.measureFrom - low) / 1e9 : Double(low - grid.measureFrom) / 1e9
    var operations: [String: IntervalFigures] = [:]
    for operation in Operation.allCases where !tallies[operation].isEmpty {
      operations[operation.name] = IntervalFigures(tallies[operation])
    }
    return TimelinePoint(
      start: start, seconds: Double(high - low) / 1e9, isWarmUp: grid.isWarmUp(index),
      total: IntervalFigures(tallies.total), operations: operations)
  }
}
