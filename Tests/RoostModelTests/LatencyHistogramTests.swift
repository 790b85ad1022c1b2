import RoostModel
import RoostTestSupport
import Testing

@Suite struct LatencyHistogramTests {
  @Test func nothingRecordedIsZero() {
    let histogram = LatencyHistogram()
    #expect(histogram.count == 0)
    #expect(histogram.quantile(0.99) == 0)
  }

  @Test(arguments: [0, 1, 15, 16, 17, 31, 32, 999, 65_535, 1_000_000, 3_600_000_000] as [UInt64])
  func aQuantileIsAtMostASixteenthTooHigh(microseconds: UInt64) {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: microseconds * 1_000 + 999)
    histogram.record(nanoseconds: UInt64.max)
    let median = histogram.quantile(0.5)
    #expect(median >= microseconds)
    #expect(median <= microseconds + microseconds / 16)
    #expect(histogram.maxMicroseconds == UInt64.max / 1_000)
  }

  @Test func quantilesFollowTheSharesAndEndAtTheGreatest() {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: 2_000, times: 900)
    histogram.record(nanoseconds: 10_000, times: 90)
    histogram.record(nanoseconds: 700_123_000, times: 10)
    #expect(histogram.count == 1_000)
    #expect(histogram.quantile(0) == 2)
    #expect(histogram.quantile(0.9) == 2)
    #expect(histogram.quantile(0.95) == 10)
    #expect(histogram.quantile(0.99) == 10)
    #expect(histogram.quantile(0.999) == 700_123)
    #expect(histogram.quantile(1) == 700_123)
  }

  @Test func quantilesNeverFallAsTheShareGrows() {
    var random = SplitMix64(seed: TestSeed.current)
    var histogram = LatencyHistogram()
    var exact: [UInt64] = []
    for _ in 0..<5_000 {
      let microseconds = random.next() >> UInt64(32 + random.below(32))
      exact.append(microseconds)
      histogram.record(nanoseconds: microseconds * 1_000)
    }
    exact.sort()
    var last: UInt64 = 0
    for percent in 1...100 {
      let share = Double(percent) / 100
      let found = histogram.quantile(share)
      // Rounded as it rounds: 7 % of 5,000 is a little more than 350 in binary.
      let wanted = exact[Int((share * Double(exact.count)).rounded(.up)) - 1]
      #expect(found >= last && found >= wanted, "\(TestSeed.note): \(percent) %")
      #expect(found <= wanted + wanted / 16, "\(TestSeed.note): \(percent) %")
      last = found
    }
  }

  @Test func whatCameSinceACopyIsTold() {
    var histogram = LatencyHistogram()
    histogram.record(nanoseconds: 900_000_000, times: 5)
    let base = histogram
    #expect(histogram.since(base).count == 0)
    #expect(histogram.since(base).quantile(1) == 0)
    histogram.record(nanoseconds: 10_000, times: 99)
    histogram.record(nanoseconds: 5_000_000)
    let rest = histogram.since(base)
    #expect(rest.count == 100)
    #expect(rest.sumNanoseconds == 99 * 10_000 + 5_000_000)
    #expect(rest.quantile(0.5) == 10)
    #expect(rest.maxMicroseconds >= 5_000 && rest.maxMicroseconds <= 5_000 + 5_000 / 16)
  }
}
