import Foundation
import RoostModel
import RoostTestSupport
import Testing

@testable import RoostStorage

@Suite("The runway of the write-ahead log")
struct WALRunwayTests {
  private func length(_ path: String) throws -> Int {
    try Data(contentsOf: URL(fileURLWithPath: path)).count
  }

  @Test func zerosLieAheadAndNothingIsOverwritten() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("wal").path
      // Frames of a transaction that was taken back lie beyond the end.
      try Data(repeating: 7, count: 9_000).write(to: URL(fileURLWithPath: path))
      var runway = WALRunway(walPath: path)
      runway.extend(pastEnd: 8_000)
      runway.close()
      let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
      #expect(bytes.count == 9_000 + WALRunway.step)
      #expect(bytes.prefix(9_000).allSatisfy { $0 == 7 })
      #expect(bytes.dropFirst(9_000).allSatisfy { $0 == 0 })
    }
  }

  @Test func itIsExtendedWhenLittleIsLeftAndNotBefore() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("wal").path
      try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
      var runway = WALRunway(walPath: path)
      var lengths: [Int] = []
      for end in stride(from: 4_096, through: WALRunway.step * 2, by: 4_096) {
        runway.extend(pastEnd: end)
        lengths.append(try length(path))
        #expect(lengths.last ?? 0 >= end + WALRunway.least)
      }
      #expect(Set(lengths).count == 3, "\(Set(lengths).sorted())")
      // The log begins anew within the same file.
      runway.extend(pastEnd: 4_096)
      #expect(try length(path) == lengths.last)
      runway.close()
    }
  }

  @Test func aLargeTransactionPaysForItself() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("wal").path
      let count = WALRunway.transactionMax + 1
      try Data(repeating: 7, count: count).write(to: URL(fileURLWithPath: path))
      var runway = WALRunway(walPath: path)
      runway.extend(pastEnd: count)
      #expect(try length(path) == count)
      runway.close()
    }
  }

  @Test func aFailureIsNotRepeatedUntilTheLogBeginsAnew() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("wal").path
      var runway = WALRunway(walPath: path)
      runway.extend(pastEnd: 4_096)
      try Data(repeating: 7, count: 8_192).write(to: URL(fileURLWithPath: path))
      runway.extend(pastEnd: 8_192)
      #expect(try length(path) == 8_192)
      runway.extend(pastEnd: 4_096)
      #expect(try length(path) == 8_192 + WALRunway.step)
      runway.close()
    }
  }

  @Test func aSyncThatFailsIsTold() throws {
    try withTemporaryDirectory { folder in
      let path = folder.appendingPathComponent("wal").path
      try Data(repeating: 7, count: 4_096).write(to: URL(fileURLWithPath: path))
      var runway = WALRunway(walPath: path) { _ in
        errno = EIO
        return -1
      }
      #expect(runway.extend(pastEnd: 4_096) == EIO)
      #expect(try length(path) == 4_096)
      #expect(runway.extend(pastEnd: 4_097) == nil, "it is not tried again")
      runway.close()
      #expect(runway.extend(pastEnd: 4_097) == EIO, "another file may fare better")
      runway.close()
    }
  }

  /// What a killed process leaves: the log with its zeros.
  @Test(arguments: [1, 3, 40]) func zerosAreNoRowsToAStoreThatOpensAfterACrash(_ writes: Int) throws
  {
    let folder = TemporaryFolder()
    let fixture = try Fixture(Samples.flights, at: .file(folder.path + "/store"))
    for number in 0..<writes { _ = try fixture.add("Airport", ("icao", .text("A\(number)"))) }
    // The writer is past the runway of the last commit when it has taken another request.
    _ = try fixture.store.allocateRows(entity: fixture.id("Airport"), count: 100_000)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: folder.path + "/store-wal"))
    #expect(bytes.count >= WALRunway.step)
    #expect(bytes.suffix(4_096).allSatisfy { $0 == 0 })
    let copy = TemporaryFolder()
    for name in ["store", "store-wal"] {
      try FileManager.default.copyItem(
        atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
    }
    fixture.store.close()
    let again = try Fixture(Samples.flights, at: .file(copy.path + "/store"))
    #expect(try again.count("Airport") == writes)
    again.store.close()
  }

  @Test(arguments: [Durability.relaxed]) func whoWaitsForNoSyncNeedsNone(_ durability: Durability)
    throws
  {
    let folder = TemporaryFolder()
    let store = try SQLiteStore.open(
      .file(folder.path + "/store"), durability: durability, schema: Samples.flights)
    _ = try store.allocateRows(entity: 1, count: 100_000)
    #expect(try length(folder.path + "/store-wal") < WALRunway.step)
    store.close()
  }
}
