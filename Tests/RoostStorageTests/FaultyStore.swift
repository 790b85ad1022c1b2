import FaultyDisk
import Foundation
import RoostModel
import RoostStorage
import Testing

/// What goes wrong on the disk.
enum DiskFault: CaseIterable, Sendable {
  case syncFails
  case writeFails
  case writeTears
  case isFull

  fileprivate var operation: Int32 {
    Int32(self == .syncFails ? FAULTY_DISK_SYNC : FAULTY_DISK_WRITE)
  }

  fileprivate var effect: Int32 {
    switch self {
    case .syncFails, .writeFails: Int32(FAULTY_DISK_FAILS)
    case .writeTears: Int32(FAULTY_DISK_TEARS)
    case .isFull: Int32(FAULTY_DISK_IS_FULL)
    }
  }
}

/// What a disk that hangs was asked for.
enum DiskOperation: CaseIterable, Sendable {
  case write
  case sync
  case read

  fileprivate var number: Int32 {
    switch self {
    case .write: Int32(FAULTY_DISK_WRITE)
    case .sync: Int32(FAULTY_DISK_SYNC)
    case .read: Int32(FAULTY_DISK_READ)
    }
  }
}

/// A store in a file of its own, on a disk that fails on command.
///
/// Each of its requests writes three rows, which must all be there or none.
final class FaultyStore {
  private static let isInstalled = faulty_disk_install() == 0

  let folder = TemporaryFolder()
  private(set) var fixture: Fixture
  var path: String { folder.path + "/store" }

  init(_ durability: Durability = .full, clock: StoreClock = .monotonic) throws {
    #expect(Self.isInstalled)
    fixture = try Fixture(
      Samples.flights, at: .file(folder.path + "/store"), durability, clock: clock)
  }

  /// Runs the body while the disk fails; gives how often it did.
  func failing(
    _ fault: DiskFault, suffix: String = "-wal", after: Int = 0, times: Int = 1,
    _ body: () throws -> Void
  ) rethrows -> Int {
    let rule = faulty_disk_add(
      path + suffix, fault.operation, fault.effect, Int32(after), Int32(times))
    #expect(rule >= 0)
    do {
      try body()
    } catch {
      _ = faulty_disk_remove(rule)
      throw error
    }
    return Int(faulty_disk_remove(rule))
  }

  /// Runs the body while the disk does not come back from an operation on the WAL.
  ///
  /// - Parameters:
  ///   - operation: What it hangs in.
  ///   - start: Has a thread of somebody else come there.
  ///   - body: What happens meanwhile.
  func hanging(
    _ operation: DiskOperation, after start: () -> Void, _ body: () throws -> Void
  ) rethrows {
    let rule = faulty_disk_add(
      path + "-wal", operation.number, Int32(FAULTY_DISK_HANGS), 0, 1)
    #expect(rule >= 0)
    defer { _ = faulty_disk_remove(rule) }
    start()
    faulty_disk_await(rule)
    try body()
  }

  func batch(_ name: String, _ fixture: Fixture) -> WriteBatch {
    let operations = (0..<3).map { fixture.insert("Tag", ("label", .text("\(name).\($0)"))) }
    return WriteBatch(operations: operations, schemaVersion: fixture.store.schema.version)
  }

  func write(_ name: String) throws(StoreError) {
    _ = try fixture.store.write(batch(name, fixture))
  }

  func reopen() throws {
    fixture.store.close()
    fixture = try Fixture(Samples.flights, at: .file(path))
  }

  /// What a process that was killed at this moment leaves to the next one.
  func afterCrash() throws -> Fixture {
    let copy = folder.path + "/crashed-\(UUID().uuidString)"
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return try Fixture(Samples.flights, at: .file(copy))
  }

  /// The requests whose rows are there; an issue for one that is there in part.
  static func names(in fixture: Fixture) throws -> Set<String> {
    var counts: [String: Int] = [:]
    for value in try fixture.values("Tag", "label") {
      guard case .text(let label) = value else { continue }
      counts[String(label.prefix { $0 != "." }), default: 0] += 1
    }
    for (name, count) in counts { #expect(count == 3, "\(name) has \(count) of 3 rows") }
    return Set(counts.keys)
  }

  var names: Set<String> { get throws { try Self.names(in: fixture) } }

  func figure(_ name: String) throws -> Int64? {
    let entry = try fixture.store.statistics().first { $0.key == name }
    guard case .int(let number)? = entry?.value else { return nil }
    return number
  }
}
