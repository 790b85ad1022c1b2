import Foundation
import RoostModel
import RoostTestSupport
import Testing

@testable import RoostStorage

@Suite("The last minute of a store") struct StoreWindowTests {
  private let clock = ManualClock()

  @Test func whatIsOverAMinuteAgoIsNotInTheWindow() throws {
    let fixture = try Fixture(Samples.flights, clock: StoreClock(clock))
    for label in ["a", "b"] { _ = try fixture.add("Tag", ("label", .text(label))) }
    clock.advance(by: .seconds(30))
    var figures = try fixture.figures
    #expect(figures["window", "rowsInserted"] == .int(2))
    #expect(figures["window", "seconds"] == .double(30))
    clock.advance(by: .seconds(80))
    figures = try fixture.figures
    #expect(figures["window", "rowsInserted"] == .int(0))
    #expect(figures["window", "commitMicroseconds", "count"] == .int(0))
    #expect(figures["rowsInserted"] == .int(2))
    _ = try fixture.add("Tag", ("label", .text("c")))
    figures = try fixture.figures
    #expect(figures["window", "rowsInserted"] == .int(1))
    #expect(figures["window", "commits"] == .int(1))
    #expect(figures["window", "commitMicroseconds", "count"] == .int(1))
  }

  @Test func aCheckpointIsDated() throws {
    let folder = TemporaryFolder()
    let fixture = try Fixture(
      Samples.flights, at: .file(folder.path + "/store"), .relaxed, clock: StoreClock(clock))
    // More pages than the writer lets gather before it checkpoints.
    let long = Value.text(String(repeating: "x", count: 15 << 20))
    let airports = (0..<5).map { number in
      fixture.insert("Airport", ("icao", .text("\(number)")), ("name", long))
    }
    _ = try fixture.store.write(WriteBatch(operations: airports, schemaVersion: 1))
    // Answered after what follows the group before.
    _ = try fixture.add("Tag", ("label", .text("a")))
    clock.advance(by: .seconds(7))
    let figures = try fixture.figures
    #expect(figures["checkpoints"] == .int(1))
    #expect(figures["window", "checkpoints"] == .int(1))
    #expect(figures["checkpointLastMillisecondsAgo"] == .int(7_000))
    #expect(number(figures["checkpointLastFrames"]) >= Int64(StorageLimits.walFramesBusy))
    #expect(number(figures["walBytesHighest"]) >= number(figures["walBytesLimit"]))
    #expect(number(figures["walBytes"]) < number(figures["walBytesLimit"]))
    #expect(number(figures["walBytes"]) > 0)
  }

  @Test func theFileSystemIsAskedOnceASecond() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/file"
    try Data(count: 10).write(to: URL(fileURLWithPath: path))
    let disk = DiskFigures(path, StoreClock(clock))
    #expect(disk.sizes.fileBytes == 10)
    try Data(count: 30).write(to: URL(fileURLWithPath: path))
    clock.advance(by: .milliseconds(999))
    #expect(disk.sizes.fileBytes == 10)
    clock.advance(by: .milliseconds(1))
    #expect(disk.sizes.fileBytes == 30)
    let sizes = disk.sizes
    #expect(try #require(sizes.freeBytes) <= #require(sizes.diskBytes))
    try FileManager.default.removeItem(atPath: path)
    clock.advance(by: .seconds(2))
    #expect(disk.sizes.fileBytes == nil && disk.sizes.freeBytes == nil)
  }

  @Test func aStoreKnowsItsFileAndDisk() throws {
    let folder = TemporaryFolder()
    let fixture = try Fixture(Samples.flights, at: .file(folder.path + "/store"))
    let figures = try fixture.figures
    #expect(number(figures["fileBytes"]) > 0)
    #expect(number(figures["diskFreeBytes"]) > 0)
    #expect(number(figures["diskBytes"]) >= number(figures["diskFreeBytes"]))
  }
}
