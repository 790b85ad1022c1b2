/// The durations of one measure on one side, one for each repeat.
struct Samples: Hashable, Sendable {
  private(set) var nanoseconds: [UInt64] = []

  mutating func add(_ duration: UInt64) { nanoseconds.append(duration) }

  /// The middle one; of an even number the mean of the two in the middle. nil without any.
  var median: UInt64? {
    guard !nanoseconds.isEmpty else { return nil }
    let sorted = nanoseconds.sorted()
    let upper = sorted[sorted.count / 2]
    if sorted.count % 2 == 1 { return upper }
    let lower = sorted[sorted.count / 2 - 1]
    return lower + (upper - lower) / 2
  }

  /// Objects a second at the median; nil without one.
  func rate(of objects: Int) -> Double? {
    median.map { Double(objects) * 1e9 / Double(max(1, $0)) }
  }
}
