/// What the requests of one operation came to within one interval.
struct IntervalFigures: Hashable, Sendable {
  var requests: UInt64 = 0
  var errors: UInt64 = 0
  /// Nanoseconds; 0 when no latency was counted.
  var p50: UInt64 = 0
  var p99: UInt64 = 0
  var p999: UInt64 = 0
  var max: UInt64 = 0

  init(_ tally: Tally) {
    requests = tally.requests
    errors = tally.errors
    (p50, p99, p999, max) = tally.latencies.percentiles
  }

  /// As a file says it.
  init(requests: UInt64, errors: UInt64, p50: UInt64, p99: UInt64, p999: UInt64, max: UInt64) {
    self.requests = requests
    self.errors = errors
    self.p50 = p50
    self.p99 = p99
    self.p999 = p999
    self.max = max
  }
}

/// One stretch of a run.
struct TimelinePoint: Hashable, Sendable {
  /// Seconds from the beginning of the measuring; negative during the warm-up.
  var start: Double
  /// How long it was; the first and the last may be shorter than the others.
  var seconds: Double
  var isWarmUp: Bool
  /// All operations together.
  var total: IntervalFigures
  /// Those that had requests, by name.
  var operations: [String: IntervalFigures]
}

/// Cuts a run into intervals, one boundary of which is the beginning of the measuring.
///
/// Moments are nanoseconds of the monotonic clock.
struct TimeGrid: Hashable, Sendable {
  let start: UInt64
  let measureFrom: UInt64
  let end: UInt64
  /// Length of an interval, made longer where there would be too many.
  let interval: UInt64
  /// Hand-overs within one interval, so that a watcher sees something once a second.
  private let step: UInt64

  init(start: UInt64, measureFrom: UInt64, end: UInt64, intervalSeconds: Double) {
    self.start = start
    self.measureFrom = max(start, measureFrom)
    self.end = max(end, self.measureFrom + 1)
    let least = (self.end - start) / UInt64(LoadLimits.timelinePointsMax) + 1
    interval = max(least, UInt64(max(0.001, intervalSeconds) * 1e9))
    let parts = interval.dividedRoundingUp(by: LoadLimits.tickNanoseconds)
    step = max(1, interval / parts)
  }

  /// The place of the interval that holds a moment, counted from 0. Late answers have intervals
  /// after the end, so that they do not swell the last one before it.
  func index(of moment: UInt64) -> Int {
    let late = interval.multipliedReportingOverflow(by: UInt64(LoadLimits.lateIntervalsMax))
    let last = end.addingReportingOverflow(late.overflow ? 0 : late.partialValue)
    let moment = min(max(moment, start), last.overflow ? end : last.partialValue)
    let before = intervalsBefore
    guard moment < measureFrom else { return before + Int((moment - measureFrom) / interval) }
    return before - Int((measureFrom - moment).dividedRoundingUp(by: interval))
  }

  /// When to hand over next; never the same moment.
  func handOver(after moment: UInt64) -> UInt64 {
    guard moment >= start else { return start + 1 }
    let index = index(of: moment)
    let (low, high) = bounds(of: index)
    return min(high, low + ((moment - low) / step + 1) * step)
  }

  /// Where an interval begins and ends.
  func bounds(of index: Int) -> (low: UInt64, high: UInt64) {
    if index < intervalsBefore {
      let left = UInt64(intervalsBefore - index) * interval
      let low = measureFrom - start >= left ? measureFrom - left : start
      return (low, measureFrom - (left - interval))
    }
    let low = measureFrom + UInt64(index - intervalsBefore) * interval
    return (low, low + interval)
  }

  func isAfterEnd(_ index: Int) -> Bool { bounds(of: index).low >= end }

  func isWarmUp(_ index: Int) -> Bool { index < intervalsBefore }

  private var intervalsBefore: Int {
    Int((measureFrom - start).dividedRoundingUp(by: interval))
  }
}

extension UInt64 {
  fileprivate func dividedRoundingUp(by divisor: UInt64) -> UInt64 {
    self / divisor + (isMultiple(of: divisor) ? 0 : 1)
  }
}
