/// When the requests of a fixed rate are to be sent: an equal distance apart, come what may.
///
/// The moments are planned beforehand and belong to the run, not to the answers: a request that is
/// sent late because the one before is late counts its latency from the planned moment. That is
/// what leaves no coordinated omission. Several threads share one plan by taking turns.
struct Pacing: Hashable, Sendable {
  let start: UInt64
  private(set) var end: UInt64
  let ratePerSecond: UInt64
  private let stride: UInt64
  private(set) var index: UInt64

  init(start: UInt64, end: UInt64, ratePerSecond: UInt64, lane: Int = 0, lanes: Int = 1) {
    self.start = start
    self.end = end
    self.ratePerSecond = max(1, ratePerSecond)
    stride = UInt64(max(1, lanes))
    index = UInt64(max(0, lane))
  }

  /// The moment of the next request; nil when the plan has come to its end.
  var next: UInt64? {
    let moment = self.moment(at: index)
    return moment < end ? moment : nil
  }

  mutating func advance() { index += stride }

  /// What was planned for later is not planned any more.
  mutating func end(at moment: UInt64) { end = min(end, max(start, moment)) }

  /// Requests of this lane that are planned and not yet taken.
  var remaining: UInt64 {
    guard next != nil else { return 0 }
    // The last index whose moment lies before the end.
    let (high, low) = (end - start - 1).multipliedFullWidth(by: ratePerSecond)
    guard high < 1_000_000_000 else { return 0 }
    let last = UInt64(1_000_000_000).dividingFullWidth((high, low)).quotient
    guard last >= index else { return 1 }
    return (last - index) / stride + 1
  }

  private func moment(at index: UInt64) -> UInt64 {
    // index × 10⁹ does not fit 64 bits for long runs at high rates.
    let (high, low) = index.multipliedFullWidth(by: 1_000_000_000)
    guard high < ratePerSecond else { return .max }
    let offset = ratePerSecond.dividingFullWidth((high, low)).quotient
    let (moment, overflow) = start.addingReportingOverflow(offset)
    return overflow ? .max : moment
  }
}
