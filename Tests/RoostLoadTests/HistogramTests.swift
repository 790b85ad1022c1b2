import Testing

@testable import RoostLoad

@Suite struct HistogramTests {
  @Test(arguments: [UInt64(1), 7, 2_047, 2_048, 2_049, 4_095, 4_096, 123_456, 10_000_000_019])
  func readsBackWithinOnePerMille(_ value: UInt64) {
    var histogram = Histogram()
    histogram.record(value)
    histogram.record(value &+ value / 2)
    let read = histogram.value(atQuantile: 0.5)
    #expect(read >= value)
    #expect(read - value <= value / 1_000)
  }

  @Test func quantilesAgreeWithASortedList() {
    let seed: UInt64 = 7
    var random = RandomSource(seed: seed)
    var histogram = Histogram()
    var values: [UInt64] = []
    for _ in 0..<20_000 {
      // Spread over many orders of magnitude, as latencies are.
      let value = random.below(1 << (4 + random.below(32)))
      values.append(value)
      histogram.record(value)
    }
    values.sort()
    for quantile in [0.0, 0.001, 0.5, 0.9, 0.99, 0.999, 0.9999, 1.0] {
      let rank = max(1, Int((quantile * Double(values.count)).rounded(.up)))
      let exact = values[rank - 1]
      let read = histogram.value(atQuantile: quantile)
      #expect(read >= exact && read - exact <= exact / 1_000, "seed \(seed), quantile \(quantile)")
    }
    #expect(histogram.value(atQuantile: 1) == values.last)
    #expect(histogram.min == values.first)
    #expect(histogram.count == 20_000)
  }

  @Test func mergingEqualsRecordingTogether() {
    var random = RandomSource(seed: 3)
    var left = Histogram()
    var right = Histogram()
    var both = Histogram()
    for index in 0..<5_000 {
      let value = random.below(50_000_000)
      if index.isMultiple(of: 3) { left.record(value) } else { right.record(value) }
      both.record(value)
    }
    left.merge(right)
    #expect(left == both)
  }

  @Test func mergingWithAnEmptyOneChangesNothing() {
    var histogram = Histogram()
    histogram.record(5)
    let before = histogram
    histogram.merge(Histogram())
    #expect(histogram == before)
    var empty = Histogram()
    empty.merge(before)
    #expect(empty == before)
  }

  @Test func valuesBeyondTheRangeCountAsTheLargest() {
    var histogram = Histogram()
    histogram.record(.max)
    #expect(histogram.max == LoadLimits.latencyNanosecondsMax)
    #expect(histogram.value(atQuantile: 0.5) == LoadLimits.latencyNanosecondsMax)
  }

  @Test func anEmptyOneSaysZero() {
    let histogram = Histogram()
    #expect(histogram.value(atQuantile: 0.5) == 0)
    #expect(histogram.max == 0)
    #expect(histogram.mean == 0)
  }

  @Test func aResetOneIsAsGoodAsNew() {
    var histogram = Histogram()
    histogram.record(1_000_000)
    histogram.reset()
    #expect(histogram.isEmpty)
    histogram.record(3)
    #expect(histogram.value(atQuantile: 1) == 3)
    #expect(histogram.min == 3)
  }
}
