import Testing

@testable import RoostLoad

@Suite struct MixTests {
  @Test func choosesInProportionToTheWeights() throws {
    let mix = try Mix("get=90,fetch=5,write=5")
    var random = RandomSource(seed: 11)
    var counts: [Operation: Int] = [:]
    for _ in 0..<100_000 { counts[mix.choose(&random), default: 0] += 1 }
    // Four standard deviations of a binomial distribution.
    #expect(abs(counts[.get, default: 0] - 90_000) < 380)
    #expect(abs(counts[.fetch, default: 0] - 5_000) < 276)
    #expect(abs(counts[.write, default: 0] - 5_000) < 276)
    #expect(counts[.echo] == nil)
  }

  @Test func leavesOutOperationsOfWeightZero() throws {
    #expect(try Mix("get=1,write=0").operations == [.get])
  }

  @Test(arguments: [
    ("get", "weight"), ("get=", "weight"), ("get=-1", "weight"), ("get=1000001", "weight"),
    ("get=x", "weight"), ("gte=1", "did you mean get?"), ("scan=1", "get, batch, lookup, fetch"),
    ("get=1,get=2", "twice"), ("get=0", "nothing to do"), ("", "no operation"),
    ("get=1,,write=1", "no operation"),
  ])
  func saysWhatIsWrong(_ text: String, _ hint: String) {
    let error = #expect(throws: OptionError.self) { try Mix(text) }
    #expect(error?.description.contains(hint) == true, "\(error?.description ?? "")")
  }
}

@Suite struct PacingTests {
  @Test func plansEqualDistances() {
    var pacing = Pacing(start: 1_000, end: 1_000 + 1_000_000_000, ratePerSecond: 4)
    var moments: [UInt64] = []
    while let next = pacing.next {
      moments.append(next - 1_000)
      pacing.advance()
    }
    #expect(moments == [0, 250_000_000, 500_000_000, 750_000_000])
  }

  @Test(arguments: [1, 3, 7, 1_000, 99_991])
  func plansExactlyTheRate(_ rate: UInt64) {
    let pacing = Pacing(start: 5, end: 5 + 3_000_000_000, ratePerSecond: rate)
    #expect(pacing.remaining == 3 * rate)
  }

  @Test func lanesShareOnePlan() {
    let whole = Pacing(start: 0, end: 2_000_000_000, ratePerSecond: 101)
    let lanes = (0..<3).map {
      Pacing(start: 0, end: 2_000_000_000, ratePerSecond: 101, lane: $0, lanes: 3)
    }
    #expect(lanes.reduce(0) { $0 + $1.remaining } == whole.remaining)
    #expect(Set(lanes.flatMap(moments)) == Set(moments(whole)))
  }

  private func moments(_ pacing: Pacing) -> [UInt64] {
    var pacing = pacing
    var result: [UInt64] = []
    while let next = pacing.next {
      result.append(next)
      pacing.advance()
    }
    return result
  }

  @Test func remainingCountsDownToZero() {
    var pacing = Pacing(start: 0, end: 1_000_000_000, ratePerSecond: 3)
    #expect(pacing.remaining == 3)
    pacing.advance()
    #expect(pacing.remaining == 2)
    pacing.advance()
    pacing.advance()
    #expect(pacing.remaining == 0)
    #expect(pacing.next == nil)
  }

  @Test func longRunsAtHighRatesDoNotOverflow() {
    let day: UInt64 = 86_400_000_000_000
    let pacing = Pacing(
      start: 1, end: 1 + day, ratePerSecond: 10_000_000, lane: 863_999_999_999, lanes: 1)
    #expect(pacing.next == 1 + day - 100)
    #expect(pacing.remaining == 1)
  }
}

@Suite struct KeySpaceTests {
  private func space(_ rows: [Int64]) -> KeySpace {
    var keys = KeySpace()
    for row in rows { keys.append(row) }
    return keys
  }

  @Test func choosesEveryRowOfSparseOnesAndNoOther() {
    let rows: [Int64] = [-3, 1, 2, 3, 10, 11, 500, .max - 1, .max]
    let keys = space(rows)
    #expect(keys.count == 9)
    #expect((0..<9).map { keys.row(at: UInt64($0)) } == rows)
    var random = RandomSource(seed: 5)
    var counts: [Int64: Int] = [:]
    for _ in 0..<90_000 { counts[keys.choose(&random), default: 0] += 1 }
    #expect(Set(counts.keys) == Set(rows))
    for row in rows { #expect(abs(counts[row, default: 0] - 10_000) < 400) }
  }

  @Test func passesOverWhatDoesNotAscend() {
    let keys = space([1, 2, 2, 1, 5, 4, 6])
    #expect(keys.count == 4)
    #expect((0..<4).map { keys.row(at: UInt64($0)) } == [1, 2, 5, 6])
  }

  @Test func placesBeyondTheEndAreTheLastRow() {
    #expect(space([4, 9]).row(at: 77) == 9)
    #expect(space([4, 5]).row(at: .max) == 5)
  }

  @Test func anEmptyOneHasNoRow() {
    var random = RandomSource(seed: 1)
    #expect(KeySpace().row(at: 0) == nil)
    #expect(KeySpace().choose(&random) == 0)
  }
}

@Suite struct RandomSourceTests {
  @Test func oneSeedGivesTheSameNumbers() {
    var first = RandomSource(seed: 42, stream: 1)
    var second = RandomSource(seed: 42, stream: 1)
    var other = RandomSource(seed: 42, stream: 2)
    let numbers = (0..<8).map { _ in first.next() }
    #expect(numbers == (0..<8).map { _ in second.next() })
    #expect(numbers != (0..<8).map { _ in other.next() })
  }
}
