import RoostModel
import RoostTestSupport
import Testing

@testable import RoostServer

@Suite struct RowCacheTests {
  private let cache = RowCache(bytesMax: 4 * RecordArena.segmentBytes)

  private func insert(_ row: Int64, _ text: String, entity: EntityID = 1, key: String? = nil) {
    let bytes = Array(text.utf8)
    bytes.withUnsafeBytes { bytes in
      guard let key else { return cache.insert(entity: entity, row: row, bytes: bytes) }
      Array(key.utf8).withUnsafeBytes { key in
        cache.insert(entity: entity, row: row, bytes: bytes, key: key)
      }
    }
  }

  private func text(at position: UInt32) -> String? {
    position == 0 ? nil : String(decoding: cache.bytes(at: position), as: UTF8.self)
  }

  private func text(_ row: Int64, entity: EntityID = 1) -> String? {
    text(at: cache.position(entity: entity, row: row))
  }

  private func text(key: String, entity: EntityID = 1) -> String? {
    Array(key.utf8).withUnsafeBytes { text(at: cache.position(entity: entity, key: $0)) }
  }

  @Test func rowsAreFoundByEntityAndIdentifier() {
    insert(7, "seven")
    insert(7, "another seven", entity: 2)
    insert(.max, "")
    #expect(text(7) == "seven")
    #expect(text(7, entity: 2) == "another seven")
    #expect(text(.max) == "")
    #expect(text(8) == nil)
    #expect(cache.rowCount == 3)
    #expect(cache.hits == 3)
    #expect(cache.misses == 1)
  }

  @Test func aNewVersionTakesThePlaceOfTheOld() {
    insert(7, "old", key: "k")
    insert(7, "new and longer")
    #expect(text(7) == "new and longer")
    #expect(cache.rowCount == 1)
    // The key was found with a version that is gone.
    #expect(text(key: "k") == nil)
    cache.remove(entity: 1, row: 7)
    cache.remove(entity: 1, row: 7)
    #expect(text(7) == nil)
    #expect(cache.rowCount == 0)
  }

  @Test func aKeyLeadsToTheRowItWasFoundWith() {
    insert(7, "seven", key: "k")
    #expect(text(key: "k") == "seven")
    #expect(text(key: "k", entity: 2) == nil)
    // The key moves to another row, then that row goes.
    insert(8, "eight", key: "k")
    #expect(text(key: "k") == "eight")
    #expect(text(7) == "seven")
    cache.remove(entity: 1, row: 8)
    #expect(text(key: "k") == nil)
    #expect(cache.recordCount == 1, "a key without its row stays in the table")
  }

  @Test func aRowTooLongToKeepRemovesItsOldVersion() {
    insert(7, "short")
    insert(7, String(repeating: "x", count: RecordArena.payloadBytesMax + 1))
    #expect(text(7) == nil)
    let longest = String(repeating: "x", count: RecordArena.payloadBytesMax)
    insert(7, longest)
    #expect(text(7) == longest)
    insert(8, "eight", key: String(repeating: "k", count: 1_025))
    #expect(text(8) == "eight")
  }

  @Test func bytesStayWithinTheBoundAndWhatIsReadStays() {
    let filler = String(repeating: "x", count: 1_000)
    insert(-1, "read again and again", key: "k")
    insert(-2, "never read")
    for row in 0..<8_000 as Range<Int64> {
      insert(row, filler)
      #expect(cache.byteCount <= cache.bytesMax)
      if row % 100 == 0 { #expect(text(key: "k") == "read again and again") }
    }
    #expect(text(7_999) != nil)
    #expect(cache.evictions > 5_000)
    #expect(text(-1) != nil)
    #expect(text(-2) == nil)
    #expect(cache.rowCount * 1_032 <= cache.bytesMax)
    #expect(cache.recordCount == cache.rowCount + 1)
  }

  @Test func shortRowsFillTheTableBeforeTheBytes() {
    let small = RowCache(bytesMax: 2 * RecordArena.segmentBytes)
    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
    for row in 1...40_000 as ClosedRange<Int64> {
      small.insert(entity: 1, row: row, bytes: nothing)
    }
    #expect(small.rowCount > 1_000)
    #expect(small.rowCount == small.recordCount)
    #expect(small.byteCount <= small.bytesMax)
    #expect(small.position(entity: 1, row: 40_000) != 0)
    #expect(small.position(entity: 1, row: 1) == 0)
  }

  /// What nobody asked for may only come in while nothing that was asked for has to go.
  @Test func thereIsNoRoomOnceTheTableIsNearlyFull() {
    let small = RowCache(bytesMax: 2 * RecordArena.segmentBytes)
    #expect(small.hasRoom)
    var row: Int64 = 0
    while small.evictions == 0, row < 40_000 {
      row += 1
      if small.hasRoom { #expect(small.evictions == 0) }
      small.insert(entity: 1, row: row, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
    }
    #expect(small.evictions > 0)
    #expect(!small.hasRoom)
  }

  @Test func nothingIsLeftAfterRemovingAll() {
    for row in 0..<5_000 as Range<Int64> { insert(row, "\(row)", key: "k\(row)") }
    cache.removeAll()
    #expect(cache.rowCount == 0 && cache.recordCount == 0 && cache.byteCount == 0)
    #expect(text(17) == nil && text(key: "k17") == nil)
    insert(17, "again", key: "k17")
    #expect(text(key: "k17") == "again")
  }

  /// Against a dictionary: what is found is always the latest, what was removed is never found.
  @Test func nothingOldIsEverFound() {
    var random = SplitMix64(seed: TestSeed.current)
    var rows: [Int64: String] = [:]
    var keys: [String: Int64] = [:]
    for step in 0..<60_000 {
      let row = Int64(random.below(3_000))
      let key = "key \(random.below(3_000))"
      switch random.below(10) {
      case 0..<4:
        let text = "\(step)" + String(repeating: "x", count: random.below(800))
        let isByKey = random.chance(50)
        insert(row, text, key: isByKey ? key : nil)
        rows[row] = text
        keys = keys.filter { $0.value != row }
        if isByKey { keys[key] = row }
      case 4:
        cache.remove(entity: 1, row: row)
        rows[row] = nil
      case 5..<8:
        if let found = text(row) { #expect(found == rows[row], "\(TestSeed.note)") }
      default:
        if let found = text(key: key) {
          #expect(found == keys[key].flatMap { rows[$0] }, "\(TestSeed.note)")
        }
      }
    }
    #expect(cache.hits > 1_000 && cache.evictions > 1_000, "\(TestSeed.note)")
    #expect((0..<3_000 as Range<Int64>).filter { text($0) != nil }.count == cache.rowCount)
  }
}
