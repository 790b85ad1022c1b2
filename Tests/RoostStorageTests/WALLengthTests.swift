import Dispatch
import RoostModel
import Synchronization
import Testing

@testable import RoostStorage

@Suite("The length of the write-ahead log")
struct WALLengthTests {
  /// Two readers of which one always has a snapshot, on a thread of their own.
  private final class Overlap: Sendable {
    private let isOver = Atomic(false)
    private let failure = Mutex<String?>(nil)
    private let done = DispatchSemaphore(value: 0)

    init(_ store: SQLiteStore) {
      DispatchQueue(label: "overlap").async { [self] in
        do {
          let readers = [try store.makeReader(), try store.makeReader()]
          var number = 0
          while !isOver.load(ordering: .relaxed) {
            _ = try readers[number % 2].begin()
            readers[(number + 1) % 2].end()
            number += 1
          }
          for reader in readers { reader.end() }
        } catch {
          failure.withLock { $0 = "\(error)" }
        }
        done.signal()
      }
    }

    func end() -> String? {
      isOver.store(true, ordering: .relaxed)
      done.wait()
      return failure.withLock { $0 }
    }
  }

  /// Without a moment's patience the log grows for as long as reads overlap.
  @Test func readsThatOverlapWithoutEndDoNotKeepItGrowing() throws {
    let folder = TemporaryFolder()
    let fixture = try Fixture(Samples.flights, at: .file(folder.path + "/store"), .relaxed)
    let overlap = Overlap(fixture.store)
    let filling = String(repeating: "x", count: 1 << 20)
    let frames = StorageLimits.walFramesLong * 2
    var written = 0
    while written < frames {
      _ = try fixture.add("Airport", ("icao", .text("\(written)")), ("name", .text(filling)))
      written += filling.utf8.count / 4_096
    }
    #expect(overlap.end() == nil)
    let entry = try fixture.store.statistics().first { $0.key == "walBytesHighest" }
    guard case .int(let highest)? = entry?.value else {
      Issue.record("the store does not tell it")
      return
    }
    #expect(Int(highest) < StorageLimits.walBytes(frames: StorageLimits.walFramesLong) * 5 / 4)
    #expect(try fixture.count("Airport") == frames / 256)
    fixture.store.close()
  }
}
