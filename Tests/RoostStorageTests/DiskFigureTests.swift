import Glibc
import RoostModel
import RoostStorage
import Testing

/// What goes wrong on the disk without anybody waiting for it is in the figures.
@Suite("Figures of a failing disk") struct DiskFigureTests {
  private func lastError(_ disk: FaultyStore) throws -> String? {
    let entry = try disk.fixture.store.statistics().first { $0.key == "lastError" }
    guard case .text(let text)? = entry?.value else { return nil }
    return text
  }

  @Test(arguments: [DiskFault.writeFails, .syncFails, .isFull])
  func aCheckpointThatFailsIsTold(fault: DiskFault) throws {
    let disk = try FaultyStore(.relaxed)
    let fixture = disk.fixture
    // More pages than the writer lets gather before it checkpoints.
    let long = Value.text(String(repeating: "x", count: 15 << 20))
    let airports = (0..<5).map { number in
      fixture.insert("Airport", ("icao", .text("\(number)")), ("name", long))
    }
    let failures = try disk.failing(fault, suffix: "", times: Int(Int32.max)) {
      _ = try fixture.store.write(WriteBatch(operations: airports, schemaVersion: 1))
      // Answered after what follows the group before.
      try disk.write("a")
    }
    #expect(failures > 0)
    #expect(try disk.figure("checkpointsIncomplete") == 1)
    #expect(try lastError(disk)?.contains("checkpoint") == true)
    #expect(try fixture.count("Airport") == 5)
  }

  @Test func aSyncBetweenCommitsThatFailsIsTold() throws {
    let disk = try FaultyStore(.group)
    try disk.write("a")
    #expect(try lastError(disk) == nil)
    // There is nothing any more that could be synced.
    #expect(unlink(disk.path + "-wal") == 0)
    var number = 0
    while try lastError(disk) == nil, number < 20_000 {
      number += 1
      try disk.write("b\(number)")
    }
    #expect(try lastError(disk)?.contains("synced") == true)
    #expect(try disk.figure("syncsFailed") ?? 0 > 0)
  }
}
