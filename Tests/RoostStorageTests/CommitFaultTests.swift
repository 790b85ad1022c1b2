import Dispatch
import RoostModel
import RoostStorage
import RoostTestSupport
import Synchronization
import Testing

/// The disk fails at COMMIT: nobody can say whether it happened, and everybody is told so.
@Suite("Faults at commit") struct CommitFaultTests {
  private static let doubtful: [DiskFault] = [.syncFails, .writeFails, .writeTears]

  @Test(arguments: doubtful, [0, 1])
  func anErrorAtCommitIsAnUnknownOutcome(fault: DiskFault, after: Int) throws {
    let disk = try FaultyStore()
    for name in ["a", "b"] { try disk.write(name) }
    // A commit syncs once.
    let failures = disk.failing(fault, after: fault == .syncFails ? 0 : after) {
      let error = #expect(throws: StoreError.self) { try disk.write("doubtful") }
      #expect(error?.status == .internal)
      #expect(error?.detail == .outcomeUnknown)
      #expect(error?.isRetryable == false)
    }
    #expect(failures == 1)
    #expect(try disk.figure("outcomesUnknown") == 1)
    #expect(try disk.figure("writerBroken") == 1)
    #expect(try disk.names.subtracting(["doubtful"]) == ["a", "b"])
    // The store serves again, in this process and in the next.
    try disk.write("c")
    #expect(try disk.figure("writerBroken") == 0)
    let settled = try disk.names
    #expect(settled.subtracting(["doubtful"]) == ["a", "b", "c"])
    #expect(try FaultyStore.names(in: disk.afterCrash()) == settled)
    try disk.reopen()
    #expect(try disk.names == settled)
    try disk.write("d")
    #expect(try disk.names == settled.union(["d"]))
  }

  @Test(arguments: doubtful)
  func aCrashAfterItLeavesAllOfItOrNothing(fault: DiskFault) throws {
    let disk = try FaultyStore()
    try disk.write("a")
    _ = disk.failing(fault) { #expect(throws: StoreError.self) { try disk.write("doubtful") } }
    let crashed = try disk.afterCrash()
    #expect(try FaultyStore.names(in: crashed).subtracting(["doubtful"]) == ["a"])
    #expect(try crashed.add("Tag", ("label", .text("e.0"))) > 0)
  }

  @Test func aFullDiskIsNoDoubt() throws {
    let disk = try FaultyStore()
    try disk.write("a")
    let failures = disk.failing(.isFull) {
      let error = #expect(throws: StoreError.self) { try disk.write("b") }
      #expect(error?.detail == .diskFull)
    }
    #expect(failures == 1)
    #expect(try disk.figure("outcomesUnknown") == 0)
    #expect(try disk.names == ["a"])
    #expect(try FaultyStore.names(in: disk.afterCrash()) == ["a"])
    try disk.write("b")
    #expect(try disk.names == ["a", "b"])
  }

  @Test(arguments: doubtful)
  func aDiskThatStaysBrokenTakesNoWritesAndServesReads(fault: DiskFault) throws {
    let disk = try FaultyStore()
    try disk.write("a")
    _ = try disk.failing(fault, times: Int(Int32.max)) {
      for name in ["b", "c", "d"] {
        #expect(throws: StoreError.self) { try disk.write(name) }
        let names = try disk.names
        #expect(names == ["a"])
      }
    }
    try disk.write("e")
    #expect(try disk.names == ["a", "e"])
    try disk.reopen()
    #expect(try disk.names == ["a", "e"])
  }

  /// The file itself is only written by checkpoints, which lose nothing when they fail.
  @Test(arguments: [DiskFault.writeFails, .writeTears, .syncFails, .isFull])
  func aCheckpointThatFailsLosesNothing(fault: DiskFault) throws {
    let disk = try FaultyStore()
    try disk.write("a")
    let failures = try disk.failing(fault, suffix: "", times: Int(Int32.max)) {
      try disk.write("b")
      // Closing checkpoints.
      try disk.reopen()
      #expect(try disk.names == ["a", "b"])
      try disk.write("c")
    }
    #expect(failures > 0)
    #expect(try FaultyStore.names(in: disk.afterCrash()) == ["a", "b", "c"])
    try disk.reopen()
    #expect(try disk.names == ["a", "b", "c"])
  }

  /// Many at once, so that commits are shared; faults come again and again.
  @Test(arguments: [Durability.full, .group])
  func nothingAcknowledgedIsLost(durability: Durability) throws {
    let seed = TestSeed.current
    var random = SplitMix64(seed: seed)
    let disk = try FaultyStore(durability)
    let outcomes = Mutex<[String: StoreError?]>([:])
    var failures = 0
    for round in 0..<12 {
      let fault = random.pick(DiskFault.allCases)
      failures += disk.failing(fault, after: random.below(20), times: 1 + random.below(2)) {
        let group = DispatchGroup()
        let store = disk.fixture.store
        for writer in 0..<4 {
          let batches = (0..<5).map { number in
            (
              "\(round)-\(writer)-\(number)",
              disk.batch("\(round)-\(writer)-\(number)", disk.fixture)
            )
          }
          DispatchQueue.global().async(group: group) {
            for (name, batch) in batches {
              let outcome = error(of: batch, store)
              outcomes.withLock { $0[name] = .some(outcome) }
            }
          }
        }
        group.wait()
      }
      try expect(disk, outcomes.withLock { $0 }, round, seed)
    }
    #expect(failures > 0, "seed \(seed): nothing failed")
    #expect(outcomes.withLock { $0.count } == 240)
  }

  private func error(of batch: WriteBatch, _ store: SQLiteStore) -> StoreError? {
    do throws(StoreError) {
      _ = try store.write(batch)
      return nil
    } catch {
      return error
    }
  }

  private func expect(
    _ disk: FaultyStore, _ outcomes: [String: StoreError?], _ round: Int, _ seed: UInt64
  ) throws {
    // Settles what is in doubt: the next acknowledged write tells what the store goes on from.
    try disk.write("settled \(round)")
    let here = try disk.names
    let crashed = try FaultyStore.names(in: disk.afterCrash())
    #expect(here == crashed, "seed \(seed)")
    for (name, error) in outcomes {
      if let error {
        let isSaid = [.outcomeUnknown, .diskFull, .invariant].contains(error.detail)
        #expect(isSaid, "seed \(seed): \(error)")
        if error.detail != .outcomeUnknown {
          #expect(!here.contains(name), "seed \(seed): \(name) failed for sure and is there")
        }
      } else {
        #expect(here.contains(name), "seed \(seed): \(name) was acknowledged and is lost")
      }
    }
  }
}
