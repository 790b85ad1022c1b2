import Dispatch
import RoostModel
import RoostStorage
import RoostTestSupport
import Synchronization
import Testing

/// The disk does not come back: whoever asks for figures gets them all the same, and sees it.
///
/// Time is the test's. Would statistics wait for the disk, these tests would not end.
@Suite("Figures while the disk hangs") struct StalledWriterTests {
  private let clock = ManualClock()

  @Test(arguments: [DiskOperation.write, .sync])
  func aStalledWriterIsSeen(operation: DiskOperation) throws {
    let disk = try FaultyStore(clock: StoreClock(clock))
    let fixture = disk.fixture
    let outcomes = Outcomes(count: 3)
    try disk.hanging(operation) {
      fixture.store.submit(disk.batch("a", fixture)) { outcomes.add((try? $0.get()) != nil) }
    } _: {
      clock.advance(by: .seconds(1))
      for name in ["b", "c"] {
        fixture.store.submit(disk.batch(name, fixture)) { outcomes.add((try? $0.get()) != nil) }
        clock.advance(by: .seconds(1))
      }
      let figures = try fixture.figures
      #expect(figures["queueDepth"] == .int(2))
      #expect(figures["queueOldestMicroseconds"] == .int(2_000_000))
      #expect(figures["writerGroupMicroseconds"] == .int(3_000_000))
      #expect(figures["writerBusyMicroseconds"] == .int(3_000_000))
      #expect(figures["window", "seconds"] == .double(3))
      #expect(figures["window", "writerBusyShare"] == .double(1))
      #expect(figures["window", "rowsInserted"] == .int(0))
    }
    outcomes.wait()
    #expect(outcomes.succeeded == 3)
    let figures = try fixture.figures
    #expect(figures["queueDepth"] == .int(0))
    #expect(figures["queueOldestMicroseconds"] == .int(0))
    #expect(figures["writerGroupMicroseconds"] == .int(0))
    #expect(figures["window", "rowsInserted"] == .int(9))
    #expect(figures["window", "commitMicroseconds", "max"] == .int(3_000_000))
    #expect(figures["window", "commitMicroseconds", "p50"] == .int(0))
  }

  @Test func aReaderThatHangsKeepsNobodyFromTheFigures() throws {
    let disk = try FaultyStore(clock: StoreClock(clock))
    let fixture = disk.fixture
    try disk.write("a")
    let done = DispatchSemaphore(value: 0)
    let count = Mutex<Int?>(nil)
    let (store, query) = (fixture.store, Query(entity: fixture.id("Tag")))
    try disk.hanging(.read) {
      DispatchQueue.global().async {
        let reader = try? store.makeReader()
        _ = try? reader?.begin()
        let found = try? reader?.count(query)
        count.withLock { $0 = found }
        done.signal()
      }
    } _: {
      let figures = try fixture.figures
      #expect(figures["rows", "Tag"] == .int(3))
    }
    done.wait()
    #expect(count.withLock { $0 } == 3)
  }

  @Test func aFullDiskIsSeen() throws {
    let disk = try FaultyStore(clock: StoreClock(clock))
    try disk.write("a")
    let failures = try disk.failing(.isFull, times: Int(Int32.max)) {
      for name in ["b", "c"] { #expect(throws: StoreError.self) { try disk.write(name) } }
      let figures = try disk.fixture.figures
      #expect(figures["window", "failedRequests"] == .int(2))
      #expect(figures["rows", "Tag"] == .int(3))
      guard case .text(let error)? = figures["lastError"] else {
        Issue.record("no error is told")
        return
      }
      #expect(error.contains("full"))
    }
    #expect(failures > 0)
  }

  @Test func requestsThatFindTheQueueFullAreCounted() throws {
    let disk = try FaultyStore(clock: StoreClock(clock))
    let fixture = disk.fixture
    let extra = 3
    let outcomes = Outcomes(count: 1 + StorageLimits.queueRequestsMax + extra)
    let empty = WriteBatch(operations: [], schemaVersion: 1)
    try disk.hanging(.write) {
      fixture.store.submit(disk.batch("a", fixture)) { outcomes.add((try? $0.get()) != nil) }
    } _: {
      for _ in 0..<StorageLimits.queueRequestsMax + extra {
        fixture.store.submit(empty) { outcomes.add((try? $0.get()) != nil) }
      }
      let figures = try fixture.figures
      #expect(figures["queueDepth"] == figures["queueLimit"])
      #expect(figures["queueRefused"] == .int(Int64(extra)))
    }
    outcomes.wait()
    #expect(outcomes.failed == extra)
    #expect(try fixture.figures["queueDepth"] == .int(0))
  }
}
