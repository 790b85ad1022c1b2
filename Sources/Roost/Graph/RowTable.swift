/// A hash table by class and row, for the few maps that every object passes through.
///
/// Open addressing with linear probing over one allocation, at most half full; removing shifts
/// what follows back, so that no graves pile up. Rows are given by stores and count upwards, so a
/// multiplication spreads them; nobody from outside chooses them to collide.
struct RowTable<Payload: BitwiseCopyable>: ~Copyable {
  private struct Entry: BitwiseCopyable {
    var row: Int64
    var payload: Payload
    /// 0 for an empty place; classes count from 1.
    var model: UInt32
  }

  private var entries: UnsafeMutablePointer<Entry>?
  private var mask = 0
  private var shift: UInt64 = 63
  private(set) var count = 0

  deinit { entries?.deallocate() }

  /// Four rows in sequence stand side by side: results come in the order of rows, and a fetch of
  /// many waits for memory more than for anything else. Blocks are spread.
  private func home(_ model: UInt32, _ row: Int64) -> Int {
    let block = UInt64(bitPattern: row >> 2) ^ UInt64(model) << 40
    let mixed = (block &* 0x9E37_79B9_7F4A_7C15) >> shift
    return Int(truncatingIfNeeded: mixed) & ~3 | Int(truncatingIfNeeded: row & 3)
  }

  /// The place of a key, or the empty one where it would stand; there is always an empty one.
  @inline(__always)
  private func place(_ entries: UnsafeMutablePointer<Entry>, _ model: UInt32, _ row: Int64) -> Int {
    var index = home(model, row)
    while entries[index].model != 0 {
      if entries[index].row == row, entries[index].model == model { return index }
      index = (index + 1) & mask
    }
    return index
  }

  func find(_ model: UInt32, _ row: Int64) -> Payload? {
    guard let entries else { return nil }
    let index = place(entries, model, row)
    return entries[index].model == 0 ? nil : entries[index].payload
  }

  /// Gives what stood there before.
  @discardableResult
  mutating func set(_ model: UInt32, _ row: Int64, _ payload: Payload) -> Payload? {
    precondition(model > 0)
    reserve(1)
    guard let entries else { return nil }
    let index = place(entries, model, row)
    let old = entries[index].model == 0 ? nil : entries[index].payload
    if old == nil { count += 1 }
    entries[index] = Entry(row: row, payload: payload, model: model)
    return old
  }

  @discardableResult
  mutating func remove(_ model: UInt32, _ row: Int64) -> Payload? {
    guard let entries else { return nil }
    var hole = place(entries, model, row)
    guard entries[hole].model != 0 else { return nil }
    let old = entries[hole].payload
    var next = (hole + 1) & mask
    while entries[next].model != 0 {
      let home = home(entries[next].model, entries[next].row)
      // An entry may move back to the hole unless its home lies behind the hole.
      if (next - home) & mask >= (next - hole) & mask {
        entries[hole] = entries[next]
        hole = next
      }
      next = (next + 1) & mask
    }
    entries[hole].model = 0
    count -= 1
    return old
  }

  mutating func removeAll() {
    entries?.deallocate()
    entries = nil
    mask = 0
    shift = 63
    count = 0
  }

  /// Makes room for so many more.
  mutating func reserve(_ more: Int) {
    let needed = (count + more) * 2
    if entries != nil, needed <= mask + 1 { return }
    var capacity = 8
    while capacity < needed { capacity *= 2 }
    grow(to: capacity)
  }

  private mutating func grow(to capacity: Int) {
    let old = entries
    let oldCapacity = old == nil ? 0 : mask + 1
    let made = UnsafeMutablePointer<Entry>.allocate(capacity: capacity)
    // Zero is an empty place and a valid pattern for every payload that is never looked at.
    UnsafeMutableRawPointer(made).initializeMemory(
      as: UInt8.self, repeating: 0, count: capacity * MemoryLayout<Entry>.stride)
    entries = made
    mask = capacity - 1
    shift = UInt64(64 - capacity.trailingZeroBitCount)
    for index in 0..<oldCapacity {
      guard let entry = old?[index], entry.model != 0 else { continue }
      made[place(made, entry.model, entry.row)] = entry
    }
    old?.deallocate()
  }

  /// Calls the body with every entry; it must not change the table.
  func forEach(_ body: (UInt32, Int64, Payload) -> Void) {
    guard let entries else { return }
    for index in 0...mask where entries[index].model != 0 {
      body(entries[index].model, entries[index].row, entries[index].payload)
    }
  }
}
