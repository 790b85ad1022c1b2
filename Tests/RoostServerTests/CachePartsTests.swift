import RoostAdmin
import RoostModel
import RoostTestSupport
import Testing

@testable import RoostServer

@Suite struct ProbeTableTests {
  /// Hashes that share their places, at the table's end too, where probing goes round.
  @Test func entriesBehindARemovedOneAreStillFound() {
    var random = SplitMix64(seed: TestSeed.current)
    var table = ProbeTable(entriesMax: 512)
    let homes: [UInt32] = [0, 1, 3, 1_020, 1_022, 1_023]
    var hashes: [UInt32: UInt32] = [:]
    var nextPosition: UInt32 = 1
    for _ in 0..<20_000 {
      if hashes.count < 300, random.chance(52) {
        let hash = random.pick(homes) + 1_024 * UInt32(random.below(3))
        table.insert(hash, nextPosition)
        hashes[nextPosition] = hash
        nextPosition += 1
      } else if let (position, hash) = hashes.randomElement(using: &random) {
        table.remove(hash, position)
        hashes[position] = nil
        let found = table.find(hash) { $0 == position }
        #expect(found == 0, "\(TestSeed.note)")
      }
      #expect(table.count == hashes.count)
      guard let (position, hash) = hashes.randomElement(using: &random) else { continue }
      let found = table.find(hash) { $0 == position }
      #expect(found == position, "\(TestSeed.note)")
    }
    for (position, hash) in hashes {
      let found = table.find(hash) { $0 == position }
      #expect(found == position, "\(TestSeed.note)")
    }
  }

  @Test func anEntryMovesAndOthersOfItsHashStay() {
    var table = ProbeTable(entriesMax: 16)
    for position in 1...3 as ClosedRange<UInt32> { table.insert(9, position) }
    table.move(9, from: 2, to: 20)
    table.move(9, from: 77, to: 78)
    table.remove(9, 77)
    var seen: [UInt32] = []
    _ = table.find(9) { position in
      seen.append(position)
      return false
    }
    #expect(seen == [1, 20, 3])
    table.removeAll()
    let found = table.find(9) { _ in true }
    #expect(found == 0 && table.count == 0)
  }
}

@Suite struct RecentChangesTests {
  private func change(
    _ commit: UInt64, updated: [Int64] = [], deleted: [Int64] = [], inserted: [Int64] = []
  ) -> ChangeSet {
    var part = EntityChanges(entity: 1)
    for row in updated { part.updated.append(row) }
    for row in deleted { part.deleted.append(row) }
    for row in inserted { part.inserted.append(row) }
    return ChangeSet(commit: commit, entities: [part])
  }

  @Test func aRowReadBeforeALaterChangeIsNotTakenIn() {
    var changes = RecentChanges(knownCommit: 10)
    let started = changes.start()
    changes.add(change(11, updated: [1]))
    changes.add(change(12, deleted: [2], inserted: [3]))
    for (row, snapshot, isCurrent) in [
      (1, 10, false), (1, 11, true), (2, 11, false), (2, 12, true), (3, 10, false), (4, 10, true),
    ] as [(Int64, UInt64, Bool)] {
      let found = changes.isCurrent(entity: 1, row: row, snapshot: snapshot)
      #expect(found == isCurrent, "row \(row) at \(snapshot)")
    }
    #expect(changes.isCurrent(entity: 2, row: 1, snapshot: 10))
    changes.finish(started)
    #expect(!changes.isKeeping)
    #expect(changes.knownCommit == 12)
  }

  @Test func changesAreKeptForTheOldestReaderThatIsOut() {
    var changes = RecentChanges(knownCommit: 10)
    changes.add(change(11, updated: [1]))
    // Nobody was out: whoever leaves now sees it.
    let first = changes.start()
    changes.add(change(12, updated: [2]))
    let second = changes.start()
    changes.add(change(13, updated: [3]))
    #expect(!changes.isCurrent(entity: 1, row: 2, snapshot: 11))
    changes.finish(first)
    #expect(!changes.isCurrent(entity: 1, row: 3, snapshot: 12))
    changes.finish(second)
    #expect(!changes.isKeeping)
  }

  @Test func afterForgettingNothingThatLeftBeforeComesIn() {
    var changes = RecentChanges(knownCommit: 10)
    let started = changes.start()
    let generation = changes.generation
    changes.forgetEverything(knownCommit: 20)
    #expect(changes.generation != generation)
    #expect(changes.knownCommit == 20)
    changes.finish(started)
    #expect(!changes.isKeeping)
  }
}

@Suite struct MetricBucketTests {
  /// Against every duration one by one: a bucket of Prometheus is never a guess.
  @Test func metricBucketsAndSumAreExact() {
    var random = SplitMix64(seed: TestSeed.current)
    var histogram = LatencyHistogram()
    var exact: [UInt64] = []
    for bits in 0..<3_000 {
      // Up to more than the last bound, and every bound itself with its neighbours.
      let edge = UInt64(1_000) << UInt64(bits % 28)
      let nanoseconds = bits < 84 ? edge - 1 + UInt64(bits / 28) : random.next() >> 27
      exact.append(nanoseconds)
      histogram.record(nanoseconds: nanoseconds, times: 2)
    }
    let figures = histogram.figures
    #expect(figures.count == 6_000)
    #expect(figures.sum == Double(exact.reduce(0) { $0 + 2 * $1 }) / 1e9)
    #expect(figures.bounds.count == 24 && figures.bounds.first == 8e-06)
    for (bound, count) in zip(figures.bounds, figures.cumulative) {
      let limit = UInt64((bound * 1e9).rounded())
      let below = exact.filter { $0 < limit }.count
      #expect(count == UInt64(2 * below), "\(TestSeed.note): below \(bound) s")
    }
  }
}
