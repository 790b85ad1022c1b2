import RoostModel
import RoostTestSupport
import Testing

@Suite("The rolling window") struct RollingWindowTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func aYoungWindowCountsFromItsBeginning() {
    var window = RollingWindow(0, now: 7 * Self.second)
    window.roll(40, now: 11 * Self.second)
    let since = window.since(11 * Self.second)
    #expect(since.figures == 0 && since.seconds == 4)
  }

  @Test func noTimeIsNeverDividedBy() {
    let window = RollingWindow(3, now: 9)
    #expect(window.since(9).seconds > 0)
    #expect(window.since(2).seconds > 0)
  }

  /// One event a second: the window holds as many as it is seconds long.
  @Test(arguments: [30, 65, 300]) func aSteadyRateIsTold(seconds: UInt64) {
    var window = RollingWindow(0, now: 0)
    var events = 0
    for second in 1...seconds {
      window.roll(events, now: second * Self.second)
      events += 1
    }
    let (base, length) = window.since(seconds * Self.second)
    #expect(length <= 70 && length >= min(60, Double(seconds)))
    #expect(abs(Double(events - base) / length - 1) < 0.05)
  }

  @Test(arguments: [75, 600, 86_400] as [UInt64]) func whatWasBeforeALongRestIsForgotten(
    _ rest: UInt64
  ) {
    var window = RollingWindow(0, now: 0)
    window.roll(0, now: Self.second)
    let now = rest * Self.second
    window.roll(1_000, now: now)
    let (base, seconds) = window.since(now)
    #expect(base == 1_000 && seconds >= 60 && seconds <= 70)
  }

  /// Against the list of all events: nothing in the window is lost or counted twice.
  @Test func randomEventsAreCountedAsAListWould() {
    var random = SplitMix64(seed: TestSeed.current)
    var window = RollingWindow(0, now: 0)
    var times: [UInt64] = []
    var now: UInt64 = 0
    for _ in 0..<3_000 {
      now += random.next() % (random.below(20) == 0 ? 90 * Self.second : Self.second)
      window.roll(times.count, now: now)
      let (base, seconds) = window.since(now)
      let from = Double(now) / 1e9 - seconds
      // What happened at a beginning itself may stand on either side of it.
      let sure = times.filter { Double($0) / 1e9 > from + 1e-6 }.count
      let perhaps = times.filter { Double($0) / 1e9 >= from - 1e-6 }.count
      let found = times.count - base
      #expect(found >= sure && found <= perhaps, "\(TestSeed.note): at \(now)")
      #expect(seconds <= 70.001, "\(TestSeed.note): at \(now)")
      times.append(now)
    }
  }
}
