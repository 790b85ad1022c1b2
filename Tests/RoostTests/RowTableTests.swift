import Observation
import RoostTestSupport
import SwiftData
import Synchronization
import Testing

@testable import Roost

@Suite struct RowTableTests {
  /// Few rows and classes, so that keys collide, come back, and holes are filled.
  @Test(arguments: [1, 2, 3] as [UInt64]) func behavesAsADictionary(seed: UInt64) {
    var numbers = SplitMix64(seed: seed)
    var table = RowTable<Int64>()
    var wanted: [ObjectKey: Int64] = [:]
    for step in 0..<20_000 {
      let row = Int64.random(in: -300...300, using: &numbers)
      let key = ObjectKey(model: UInt32.random(in: 1...3, using: &numbers), row: row)
      if Int.random(in: 0..<5, using: &numbers) < (step / 2_000 % 2 == 0 ? 3 : 1) {
        let old = table.set(key.model, key.row, Int64(step))
        #expect(old == wanted.updateValue(Int64(step), forKey: key))
      } else {
        let old = table.remove(key.model, key.row)
        #expect(old == wanted.removeValue(forKey: key))
      }
      if step % 1_000 == 0 { compare(table, wanted) }
    }
    compare(table, wanted)
    table.removeAll()
    compare(table, [:])
  }

  private func compare(_ table: borrowing RowTable<Int64>, _ wanted: [ObjectKey: Int64]) {
    var found: [ObjectKey: Int64] = [:]
    table.forEach { found[ObjectKey(model: $0, row: $1)] = $2 }
    let count = table.count
    #expect(found == wanted)
    #expect(count == wanted.count)
    for key in wanted.keys {
      let value = table.find(key.model, key.row)
      #expect(value == wanted[key])
    }
  }

  @Test func takesTheOutermostRows() {
    var table = RowTable<Int64>()
    for row in [Int64.min, -1, 0, 1, .max] { table.set(7, row, row) }
    for row in [Int64.min, -1, 0, 1, .max] {
      let value = table.find(7, row)
      #expect(value == row)
    }
    let other = table.find(8, 1)
    #expect(other == nil)
  }

  @Test func aRecordMapHoldsItsRecordsAndLetsThemGo() {
    weak var held: ModelRecord?
    var map = RecordMap()
    do {
      let record = ModelRecord(Author._$description, row: 5, base: nil)
      map[record.key] = record
      map[record.key] = record
      held = record
    }
    #expect(held != nil)
    let count = map.count
    #expect(count == 1)
    map.removeAll()
    #expect(held == nil)
  }

  @Test func aMapThatGoesLetsItsRecordsGo() {
    weak var held: ModelRecord?
    do {
      var map = RecordMap()
      let record = ModelRecord(Author._$description, row: 5, base: nil)
      map[record.key] = record
      held = record
    }
    #expect(held == nil)
  }
}

@Suite struct ObservationProbeTests {
  private final class Witness: Sendable {}

  @Test func anObserverThatIsNeverCalledGoesWithItsObject() {
    weak var held: Witness?
    do {
      let witness = Witness()
      held = witness
      let author = Author(name: "Ada")
      withObservationTracking {
        _ = author.name
      } onChange: {
        _ = witness
      }
    }
    #expect(held == nil)
  }

  @Test func aTrackedReadLeavesNothingToTheNextObject() {
    let (first, second) = (Author(name: "Ada"), Author(name: "Bea"))
    let calls = Mutex(0)
    for author in [first, second] {
      withObservationTracking {
        _ = author.name
      } onChange: {
        calls.withLock { $0 += 1 }
      }
    }
    first.name = "Ann"
    #expect(calls.withLock { $0 } == 1)
    second.name = "Bob"
    #expect(calls.withLock { $0 } == 2)
  }

  @Test func knowsWhetherReadsAreTracked() {
    #expect(!ObservationProbe.isTracking)
    var inside: [Bool] = []
    withObservationTracking {
      inside = [ObservationProbe.isTracking, ObservationProbe.isTracking]
    } onChange: {
    }
    #expect(inside == [true, true])
    #expect(!ObservationProbe.isTracking)
  }

  @Test func anObjectNobodyTracksHasNoRegistrar() throws {
    let author = Author(name: "Ada")
    #expect(author.name == "Ada")
    #expect(author._$record.registrar == nil)
    withObservationTracking {
      _ = author.name
    } onChange: {
    }
    #expect(author._$record.registrar != nil)
  }
}
