/// Remembers which row a packed to-one cell led to, so that equal cells cost one lookup.
///
/// Open addressing over one array of bytes: a lookup allocates nothing. Whoever deletes rows,
/// changes their keys or takes a savepoint back empties it.
struct KeyCache {
  private struct Slot {
    var hash: UInt64 = 0
    var offset: UInt32 = 0
    /// 0 is a free slot: no cell is empty.
    var count: UInt32 = 0
    var row: Int64 = 0
  }

  private var slots: [Slot] = []
  private var bytes: [UInt8] = []
  private var used = 0
  private let seed = UInt64.random(in: 1 ... .max) | 1

  func find(_ cell: UnsafeRawBufferPointer) -> Int64? {
    if slots.isEmpty { return nil }
    let hash = hash(cell)
    var index = Int(truncatingIfNeeded: hash) & (slots.count - 1)
    while slots[index].count > 0 {
      if slots[index].hash == hash, holds(slots[index], cell) { return slots[index].row }
      index = (index + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Remembers a cell that ``find(_:)`` does not know.
  mutating func add(_ cell: UnsafeRawBufferPointer, _ row: Int64) {
    if bytes.count + cell.count > StorageLimits.keyCacheBytes { removeAll() }
    if used * 2 >= slots.count { grow() }
    let slot = Slot(
      hash: hash(cell), offset: UInt32(bytes.count), count: UInt32(cell.count), row: row)
    bytes.append(contentsOf: cell)
    place(slot)
    used += 1
  }

  mutating func removeAll() {
    if used == 0 { return }
    slots = []
    bytes = []
    used = 0
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: max(256, old.count * 2))
    for slot in old where slot.count > 0 { place(slot) }
  }

  private mutating func place(_ slot: Slot) {
    var index = Int(truncatingIfNeeded: slot.hash) & (slots.count - 1)
    while slots[index].count > 0 { index = (index + 1) & (slots.count - 1) }
    slots[index] = slot
  }

  private func holds(_ slot: Slot, _ cell: UnsafeRawBufferPointer) -> Bool {
    guard Int(slot.count) == cell.count else { return false }
    let start = Int(slot.offset)
    return bytes.withUnsafeBytes { bytes in
      for index in cell.indices where bytes[start + index] != cell[index] { return false }
      return true
    }
  }

  private func hash(_ cell: UnsafeRawBufferPointer) -> UInt64 {
    var hash = seed ^ UInt64(cell.count)
    var index = 0
    while index + 8 <= cell.count {
      hash = mix(hash ^ cell.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index += 8
    }
    var rest: UInt64 = 0
    while index < cell.count {
      rest = rest << 8 | UInt64(cell[index])
      index += 1
    }
    return mix(hash ^ rest)
  }

  private func mix(_ value: UInt64) -> UInt64 {
    let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
    return product.high ^ product.low
  }
}
