#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A stretch of an open loop whose rate is the same or changes evenly.
struct RateStretch: Hashable, Sendable {
  /// Nanoseconds of the monotonic clock.
  var start: UInt64
  var end: UInt64
  /// Requests per second at its beginning and its end.
  var from: Double
  var to: Double

  fileprivate var seconds: Double { end > start ? Double(end - start) / 1e9 : 0 }

  /// Requests planned in it.
  fileprivate var count: UInt64 {
    UInt64(max(0, (seconds * (from + to) / 2 - 1e-9).rounded(.up)))
  }

  /// When its request `index` is due.
  fileprivate func moment(at index: UInt64) -> UInt64 {
    if from == to { return evenMoment(at: index) }
    let slope = (to - from) / seconds
    // The requests planned until t are from × t + slope × t² / 2.
    let root = (from * from + 2 * slope * Double(index)).squareRoot()
    let offset = 2 * Double(index) / (from + (root.isNaN ? 0 : root))
    return start + UInt64(max(0, min(seconds, offset.isNaN ? 0 : offset) * 1e9))
  }

  private func evenMoment(at index: UInt64) -> UInt64 {
    guard from == from.rounded(), from >= 1 else {
      return start + UInt64(Double(index) / max(from, 1e-9) * 1e9)
    }
    // index × 10⁹ does not fit 64 bits for long runs at high rates.
    let rate = UInt64(from)
    let (high, low) = index.multipliedFullWidth(by: 1_000_000_000)
    guard high < rate else { return .max }
    let (moment, overflow) = start.addingReportingOverflow(
      rate.dividingFullWidth((high, low)).quotient)
    return overflow ? .max : moment
  }
}

/// When the requests of an open loop are to be sent, come what may.
///
/// The moments are planned beforehand and belong to the run, not to the answers: a request that is
/// sent late because the one before is late counts its latency from the planned moment. That is
/// what leaves no coordinated omission. Several threads share one plan by taking turns.
struct Pacing: Hashable, Sendable {
  private let stretches: [RateStretch]
  /// Requests before each stretch, and all at the end.
  private let before: [UInt64]
  private(set) var end: UInt64
  private let stride: UInt64
  private var index: UInt64
  private var current = 0

  /// `stretches` follow one another in time.
  init(_ stretches: [RateStretch], lane: Int = 0, lanes: Int = 1) {
    self.stretches = stretches
    var before: [UInt64] = [0]
    for stretch in stretches { before.append(before[before.count - 1] + stretch.count) }
    self.before = before
    end = stretches.last?.end ?? 0
    stride = UInt64(max(1, lanes))
    index = UInt64(max(0, lane))
    findStretch()
  }

  init(start: UInt64, end: UInt64, ratePerSecond: UInt64, lane: Int = 0, lanes: Int = 1) {
    let rate = Double(max(1, ratePerSecond))
    self.init(
      [RateStretch(start: start, end: end, from: rate, to: rate)], lane: lane, lanes: lanes)
  }

  /// The moment of the next request; nil when the plan has come to its end.
  var next: UInt64? {
    guard current < stretches.count else { return nil }
    let moment = stretches[current].moment(at: index - before[current])
    return moment < end ? moment : nil
  }

  mutating func advance() {
    index += stride
    findStretch()
  }

  /// What was planned for later is not planned any more.
  mutating func end(at moment: UInt64) { end = min(end, max(stretches.first?.start ?? 0, moment)) }

  /// Requests of this lane that are planned and not yet taken, unless the end was moved.
  var remaining: UInt64 {
    let all = before[before.count - 1]
    return index < all ? (all - index - 1) / stride + 1 : 0
  }

  private mutating func findStretch() {
    while current < stretches.count, index >= before[current + 1] { current += 1 }
  }
}
