import Testing

@testable import RoostLoad

private let second: UInt64 = 1_000_000_000

@Suite struct TimeGridTests {
  /// Nanoseconds from the start, and the interval that holds them.
  private static let places: [(UInt64, Int)] = [
    (0, 0), (499_999_999, 0), (500_000_000, 1), (1_499_999_999, 1), (1_500_000_000, 2),
    (2_500_000_000, 3), (4_000_000_000, 4), (1 << 60, 1_004),
  ]

  @Test(arguments: TimeGridTests.places)
  func theBeginningOfTheMeasuringIsABoundary(_ offset: UInt64, _ index: Int) {
    let moment = 10 + offset
    let grid = TimeGrid(
      start: 10, measureFrom: 10 + second * 3 / 2, end: 10 + 4 * second, intervalSeconds: 1)
    #expect(grid.index(of: moment) == index)
    #expect(grid.isWarmUp(index) == (index < 2))
  }

  @Test(arguments: [0.1, 0.3, 1, 2.5, 100])
  func handOversMeetEveryBoundary(_ interval: Double) {
    let grid = TimeGrid(
      start: 7, measureFrom: 7 + second * 2, end: 7 + second * 9, intervalSeconds: interval)
    var moment: UInt64 = 7
    var indexes = [grid.index(of: moment)]
    while moment < grid.end {
      let next = grid.handOver(after: moment)
      #expect(next > moment && next - moment <= second)
      // All that is counted until the hand-over belongs to one interval.
      #expect(grid.index(of: next - 1) == grid.index(of: moment))
      moment = next
      if moment < grid.end { indexes.append(grid.index(of: moment)) }
    }
    #expect(moment >= grid.end)
    #expect(Set(indexes) == Set(0...(indexes.last ?? 0)))
  }

  @Test func aLongRunHasLongerIntervals() {
    let grid = TimeGrid(
      start: 0, measureFrom: 0, end: 86_400 * second, intervalSeconds: 1)
    #expect(grid.index(of: grid.end) <= LoadLimits.timelinePointsMax)
    #expect(grid.interval > 43 * second)
  }
}

@Suite struct TimelineRecorderTests {
  private let grid = TimeGrid(
    start: 0, measureFrom: 2 * second, end: 10 * second, intervalSeconds: 1)

  private func tallies(_ latencies: UInt64...) -> Tallies {
    var tallies = Tallies()
    for latency in latencies { tallies[.get].succeeded(after: latency) }
    return tallies
  }

  @Test func threadsMergeIntoOneInterval() {
    var recorder = TimelineRecorder(grid)
    recorder.add(tallies(1, 2, 3), at: 2)
    recorder.add(tallies(100), at: 2)
    recorder.add(tallies(7), at: 1)
    let points = recorder.points(until: 10 * second)
    #expect(points.map(\.start) == [-1, 0])
    #expect(points.map(\.isWarmUp) == [true, false])
    #expect(points[1].total.requests == 4)
    #expect(points[1].total.max == 100)
    #expect(points[1].operations["get"]?.p50 == 2)
    #expect(points[1].operations["write"] == nil)
  }

  @Test func aLateThreadLosesNothing() {
    var recorder = TimelineRecorder(grid)
    for index in 0..<8 { recorder.add(tallies(1), at: index) }
    recorder.add(tallies(1, 1), at: 0)
    let points = recorder.points(until: 10 * second)
    #expect(points.count == 8)
    #expect(points.reduce(0) { $0 + $1.total.requests } == 10)
  }

  @Test func afterTheEndThereAreIntervalsOnlyForLateAnswers() {
    var recorder = TimelineRecorder(grid)
    recorder.add(tallies(1), at: 9)
    recorder.add(tallies(), at: 10)
    recorder.add(tallies(5), at: 11)
    let points = recorder.points(until: 11 * second + second / 2)
    #expect(points.map(\.start) == [7, 9])
    #expect(points.map(\.seconds) == [1, 0.5])
  }

  @Test func anInterruptedRunEndsWithAShortInterval() {
    var recorder = TimelineRecorder(grid)
    recorder.add(tallies(1), at: 2)
    recorder.add(tallies(1), at: 3)
    let points = recorder.points(until: 3 * second + second / 4)
    #expect(points.map(\.seconds) == [1, 0.25])
  }
}
