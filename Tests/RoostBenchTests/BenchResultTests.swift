import Foundation
import Testing

@testable import RoostBench

@Suite struct BenchResultTests {
  static let medians: [([UInt64], UInt64?)] = [
    ([], nil), ([7], 7), ([9, 1, 5], 5), ([4, 1, 9, 6], 5), ([.max, .max], .max),
  ]

  @Test(arguments: medians)
  func theMedianIsTheMiddle(durations: [UInt64], median: UInt64?) {
    var samples = Samples()
    for duration in durations { samples.add(duration) }
    #expect(samples.median == median)
  }

  @Test func thePlanIsTheSameForTheSameSeed() {
    let plan = BenchPlan(count: 50, keys: 20, seed: 3)
    let again = BenchPlan(count: 50, keys: 20, seed: 3)
    let other = BenchPlan(count: 50, keys: 20, seed: 4)
    #expect(plan.rows == again.rows)
    #expect(plan.keys == again.keys)
    #expect(plan.rows != other.rows)
    #expect(plan.rows.map(\.key) == Array(1...50))
    #expect(plan.changed.map(\.key) == Array(1...50))
    #expect(zip(plan.rows, plan.changed).allSatisfy { $0.count != $1.count })
    #expect(plan.keys.allSatisfy { (1...50).contains($0) })
  }

  private func sample() -> BenchResult {
    var options = BenchOptions()
    options.measures = [.insert, .fetchTwo, .keysFresh]
    options.keys = 10
    var result = BenchResult(options: options, count: 1_500_000)
    result.add(3_000_000_000, .insert, .roost)
    result.add(1_000_000_000, .insert, .sqlite)
    result.add(1_000_000_000, .fetchTwo, .roost)
    result.add(1_000_000, .keysFresh, .roost)
    return result
  }

  @Test func aRatioNeedsBothSides() throws {
    let ratio = try #require(sample().ratio(.insert))
    #expect(abs(ratio - 1.0 / 3) < 1e-9)
    #expect(sample().ratio(.fetchTwo) == nil)
    #expect(sample().rate(.keysFresh, .roost) == 10_000)
  }

  @Test func theTableSaysWhatIsQuoted() {
    let text = BenchTable.text(sample())
    #expect(text.contains("1,500,000 objects"))
    #expect(text.contains("quoted, not measured here"))
    #expect(text.contains("insert and save            500,000   1,500,000   0.33   80,000"))
    #expect(text.contains("fetch all, read two      1,500,000           -      -   1,200,000"))
    #expect(!text.contains("delete all"))
  }

  @Test func theLineIsJSON() throws {
    struct Line: Decodable {
      struct Side: Decodable {
        let perSecond: Int
        let nanoseconds: [Int]
      }
      struct Measured: Decodable {
        let objects: Int
        let roost: Side?
        let sqlite: Side?
        let ratio: Double?
        let quotedGRDB: String?
      }
      let count: Int
      let measures: [String: Measured]
    }
    let line = try JSONDecoder().decode(Line.self, from: Data(BenchJSON.line(sample()).utf8))
    #expect(line.count == 1_500_000)
    #expect(line.measures["insert"]?.roost?.perSecond == 500_000)
    #expect(line.measures["insert"]?.ratio == 0.33)
    #expect(line.measures["fetch-two"]?.sqlite == nil)
    #expect(line.measures["keys-fresh"]?.objects == 10)
    #expect(line.measures["delete"] == nil)
  }
}
