/// Counts durations in nanoseconds to three significant digits, in bounded memory.
///
/// The layout is HdrHistogram's: one counter a nanosecond below 2,048, then 1,024 counters for each
/// doubling. What is read back is at most 0.1 % above what was recorded. Two of them merge without
/// loss. Empty ones take no memory, others 254 kB.
struct Histogram: Hashable, Sendable {
  private(set) var count: UInt64 = 0
  private(set) var max: UInt64 = 0
  private(set) var min: UInt64 = .max
  private var sum: Double = 0
  private var counts: [UInt64] = []

  private static let subBits = 10
  private static let linearCount = 1 << (subBits + 1)
  private static let slotCount = index(of: LoadLimits.latencyNanosecondsMax) + 1

  var isEmpty: Bool { count == 0 }
  var mean: Double { count == 0 ? 0 : sum / Double(count) }

  /// - Complexity: O(1), some 2 ns.
  mutating func record(_ nanoseconds: UInt64) {
    record(nanoseconds, times: 1)
  }

  mutating func record(_ nanoseconds: UInt64, times: UInt64) {
    if times == 0 { return }
    if counts.isEmpty { counts = Array(repeating: 0, count: Histogram.slotCount) }
    let value = Swift.min(nanoseconds, LoadLimits.latencyNanosecondsMax)
    counts[Histogram.index(of: value)] &+= times
    count &+= times
    sum += Double(value) * Double(times)
    if value > max { max = value }
    if value < min { min = value }
  }

  mutating func merge(_ other: Histogram) {
    if other.isEmpty { return }
    if isEmpty { return self = other }
    for index in counts.indices { counts[index] &+= other.counts[index] }
    count &+= other.count
    sum += other.sum
    max = Swift.max(max, other.max)
    min = Swift.min(min, other.min)
  }

  /// Forgets everything and keeps the memory.
  mutating func reset() {
    if isEmpty { return }
    for index in counts.indices { counts[index] = 0 }
    count = 0
    max = 0
    min = .max
    sum = 0
  }

  /// The smallest duration that at least this share of all durations does not exceed; 0 when empty.
  ///
  /// - Complexity: O(counters), some 10 µs.
  func value(atQuantile quantile: Double) -> UInt64 {
    if isEmpty { return 0 }
    let share = (Swift.max(0, Swift.min(1, quantile)) * Double(count)).rounded(.up)
    let rank = Swift.max(1, Swift.min(count, UInt64(share)))
    var seen: UInt64 = 0
    for index in counts.indices where counts[index] > 0 {
      seen &+= counts[index]
      if seen >= rank { return Swift.min(max, Histogram.highest(at: index)) }
    }
    return max
  }

  /// p50, p99, p99.9 and the longest; zeros when empty.
  var percentiles: (p50: UInt64, p99: UInt64, p999: UInt64, max: UInt64) {
    (value(atQuantile: 0.5), value(atQuantile: 0.99), value(atQuantile: 0.999), max)
  }

  /// Calls `body` with each duration that was counted, ascending, and how often.
  func forEachCount(_ body: (_ nanoseconds: UInt64, _ times: UInt64) -> Void) {
    for index in counts.indices where counts[index] > 0 {
      body(Swift.min(max, Histogram.highest(at: index)), counts[index])
    }
  }

  private static func index(of value: UInt64) -> Int {
    if value < linearCount { return Int(value) }
    let shift = UInt64.bitWidth - 1 - value.leadingZeroBitCount - subBits
    let part = Int(value >> UInt64(shift)) - (1 << subBits)
    return linearCount + ((shift - 1) << subBits) + part
  }

  /// The largest duration that is counted at `index`.
  private static func highest(at index: Int) -> UInt64 {
    if index < linearCount { return UInt64(index) }
    let shift = ((index - linearCount) >> subBits) + 1
    let part = ((index - linearCount) & ((1 << subBits) - 1)) + (1 << subBits)
    return (UInt64(part + 1) << UInt64(shift)) - 1
  }
}
