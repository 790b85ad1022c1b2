/// Durations in buckets of at most 1/16 width: 1 µs steps at first, then sixteen a doubling.
///
/// - Complexity: O(1) to record, no allocation after init; a copy shares its buckets until one of
///   the two records.
package struct LatencyHistogram: Sendable {
  private static let stepBits = 4
  private static let steps = 1 << stepBits
  private static let doublings = 28

  private var buckets = [UInt64](repeating: 0, count: (doublings + 1) * steps)
  package private(set) var count: UInt64 = 0
  package private(set) var maxMicroseconds: UInt64 = 0
  package private(set) var sumNanoseconds: UInt64 = 0

  package init() {}

  package mutating func record(nanoseconds: UInt64, times: UInt64 = 1) {
    let microseconds = nanoseconds / 1_000
    buckets[LatencyHistogram.index(microseconds)] &+= times
    count &+= times
    sumNanoseconds &+= nanoseconds &* times
    maxMicroseconds = max(maxMicroseconds, microseconds)
  }

  /// The upper edge of the bucket that holds this share of all, at most the greatest seen.
  package func quantile(_ share: Double) -> UInt64 {
    guard count > 0 else { return 0 }
    let rank = max(1, UInt64((share * Double(count)).rounded(.up)))
    var seen: UInt64 = 0
    for (index, amount) in buckets.enumerated() {
      seen += amount
      if seen >= rank { return min(LatencyHistogram.upperEdge(index), maxMicroseconds) }
    }
    return maxMicroseconds
  }

  /// How many took less than 2 to the power of each exponent in microseconds: whole buckets.
  package func counts(below exponents: ClosedRange<UInt64>) -> [UInt64] {
    var seen: UInt64 = 0
    var next = 0
    return exponents.map { exponent in
      let end = LatencyHistogram.index(1 << exponent)
      while next < end {
        seen &+= buckets[next]
        next += 1
      }
      return seen
    }
  }

  /// What was recorded after `base`, an earlier copy of this histogram, was taken.
  ///
  /// The greatest is the upper edge of the highest bucket, at most the greatest ever seen.
  package func since(_ base: LatencyHistogram) -> LatencyHistogram {
    var rest = self
    rest.maxMicroseconds = 0
    for (index, amount) in base.buckets.enumerated() {
      rest.buckets[index] &-= amount
      if rest.buckets[index] > 0 {
        rest.maxMicroseconds = min(LatencyHistogram.upperEdge(index), maxMicroseconds)
      }
    }
    rest.count &-= base.count
    rest.sumNanoseconds &-= base.sumNanoseconds
    return rest
  }

  private static func index(_ microseconds: UInt64) -> Int {
    if microseconds < UInt64(steps) { return Int(microseconds) }
    let exponent = 63 - microseconds.leadingZeroBitCount
    let shift = exponent - stepBits
    guard shift < doublings else { return (doublings + 1) * steps - 1 }
    return (shift + 1) * steps + Int(microseconds >> UInt64(shift)) - steps
  }

  private static func upperEdge(_ index: Int) -> UInt64 {
    if index < steps { return UInt64(index) }
    let shift = UInt64(index / steps - 1)
    let step = UInt64(index % steps + steps)
    return ((step + 1) << shift) - 1
  }
}
