import Testing

@testable import RoostLoad

@Suite struct RateBisectionTests {
  private func search(_ capacity: Double, first: Double, stepsMax: Int = 30) -> RateBisection {
    var bisection = RateBisection(first: first, stepsMax: stepsMax)
    while let rate = bisection.next { bisection.tried(rate, holds: rate <= capacity) }
    return bisection
  }

  @Test(arguments: [3.0, 100, 7_777, 1_000_000], [1.0, 500, 100_000])
  func closesInFromBothSides(_ capacity: Double, _ first: Double) throws {
    let found = search(capacity, first: first)
    let held = try #require(found.held)
    let missed = try #require(found.missed)
    #expect(held <= capacity && missed > capacity)
    #expect(missed - held <= max(1, held * RateBisection.precision))
    #expect(found.steps < 30)
  }

  @Test func whatNothingHoldsEndsAtOne() {
    let found = search(0, first: 1_000)
    #expect(found.held == nil)
    #expect(found.missed == 1)
  }

  @Test func whatEverythingHoldsEndsAtTheLimit() {
    let found = search(1e12, first: 1_000)
    #expect(found.missed == nil)
    #expect((found.held ?? 0) > Double(LoadLimits.rateMax) / 2)
  }

  @Test func stepsAreBounded() { #expect(search(7_777, first: 1, stepsMax: 5).steps == 5) }

  @Test func aRateThatMissesTheSecondTimeLeavesTheNextBelowThatHeld() {
    var search = RateBisection(first: 1_000)
    for rate in [1_000, 2_000, 4_000] { search.tried(Double(rate), holds: true) }
    search.tried(8_000, holds: false)
    search.tried(4_000, holds: false)
    #expect(search.held == 2_000)
    #expect(search.missed == 4_000)
    #expect(search.next == 3_000)
  }

  @Test func aRateThatMissesTheSecondTimeIsNotHeld() {
    var bisection = RateBisection(first: 100)
    bisection.tried(100, holds: true)
    bisection.tried(104, holds: false)
    #expect(bisection.next == nil)
    bisection.tried(100, holds: false)
    #expect(bisection.held == nil && bisection.missed == 100)
    #expect(bisection.next == 50)
  }
}
