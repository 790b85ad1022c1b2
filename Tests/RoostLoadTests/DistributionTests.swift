import Foundation
import Testing

@testable import RoostLoad

private let second: UInt64 = 1_000_000_000

@Suite struct KeyDistributionTests {
  private func counts(_ chooser: KeyChooser, _ places: Int, draws: Int) -> [Int] {
    var random = RandomSource(seed: 42)
    var counts = Array(repeating: 0, count: places)
    for _ in 0..<draws { counts[Int(chooser.choose(&random))] += 1 }
    return counts
  }

  @Test(arguments: [0.5, 0.99, 1.0, 1.5])
  func ranksComeAsOftenAsTheirExponentSays(_ exponent: Double) {
    var random = RandomSource(seed: 7)
    let ranks = ZipfRanks(count: 1_000, exponent: exponent)
    var counts = Array(repeating: 0.0, count: 1_000)
    for _ in 0..<200_000 { counts[Int(ranks.choose(&random))] += 1 }
    var sum = 0.0
    for rank in 1...1_000 { sum += pow(Double(rank), -exponent) }
    for rank in [1, 2, 5, 20] {
      let expected = 200_000 * pow(Double(rank), -exponent) / sum
      #expect(abs(counts[rank - 1] - expected) < 6 * expected.squareRoot() + 2, "rank \(rank)")
    }
  }

  @Test func latestPrefersTheLastAndZipfScatters() {
    let latest = counts(
      KeyChooser(count: 100, distribution: .latest(exponent: 0.99)), 100, draws: 20_000)
    #expect(latest.max() == latest[99])
    #expect(latest[99] > 5 * latest[50])
    let zipf = counts(
      KeyChooser(count: 100, distribution: .zipf(exponent: 0.99)), 100, draws: 20_000)
    #expect((zipf.max() ?? 0) > 2_000)
    let uniform = counts(KeyChooser(count: 100, distribution: .uniform), 100, draws: 20_000)
    #expect((uniform.max() ?? 0) < 300)
  }

  @Test(arguments: [0, 1, 2]) func smallCountsStayInside(_ count: UInt64) {
    var random = RandomSource(seed: 1)
    for distribution in [KeyDistribution.uniform, .zipf(exponent: 1), .latest(exponent: 1)] {
      let chooser = KeyChooser(count: count, distribution: distribution)
      for _ in 0..<100 { #expect(chooser.choose(&random) < max(1, count)) }
    }
  }
}

@Suite struct RateStretchTests {
  private func moments(_ pacing: Pacing) -> [UInt64] {
    var pacing = pacing
    var result: [UInt64] = []
    while let next = pacing.next {
      result.append(next)
      pacing.advance()
    }
    return result
  }

  @Test(arguments: [(100.0, 300.0), (300.0, 100.0), (1.0, 1_000.0)])
  func aRampPlansTheMeanOfItsRates(_ from: Double, _ to: Double) {
    let pacing = Pacing([RateStretch(start: 5, end: 5 + 2 * second, from: from, to: to)])
    let all = moments(pacing)
    #expect(abs(Double(all.count) - (from + to)) <= 1)
    #expect(zip(all, all.dropFirst()).allSatisfy { $0 <= $1 })
    // After half of the time three parts of four, or one, are planned.
    let half = all.filter { $0 < 5 + second }.count
    #expect(abs(Double(half) - (from + (from + to) / 2) / 2) <= 2)
  }

  @Test func lanesShareStretchesOfDifferentRates() {
    let stretches = [
      RateStretch(start: 0, end: second, from: 50, to: 50),
      RateStretch(start: second, end: 3 * second, from: 50, to: 250),
      RateStretch(start: 3 * second, end: 4 * second, from: 10, to: 10),
    ]
    let whole = moments(Pacing(stretches))
    #expect(whole.count == 50 + 300 + 10)
    let lanes = (0..<3).flatMap { moments(Pacing(stretches, lane: $0, lanes: 3)) }
    #expect(lanes.sorted() == whole)
  }
}
