/// Record positions by hash: linear probing over a power of two, one word a slot.
///
/// A slot is `hash << 32 | position`, 0 when free; positions are never 0. The table has its final
/// size from the start, untouched pages cost nothing, and there is never a pause for rehashing.
struct ProbeTable: ~Copyable {
  private let slots: UnsafeMutablePointer<UInt64>
  private let mask: Int
  private(set) var count = 0
  /// Entries it takes at most.
  let capacity: Int

  init(entriesMax: Int) {
    var slotCount = 1_024
    while slotCount < entriesMax * 2 { slotCount *= 2 }
    mask = slotCount - 1
    capacity = slotCount / 4 * 3
    slots = .allocate(capacity: slotCount)
    slots.initialize(repeating: 0, count: slotCount)
  }

  deinit { slots.deallocate() }

  /// The first position with this hash that `matches`; 0 if there is none.
  @inline(__always)
  func find(_ hash: UInt32, where matches: (UInt32) -> Bool) -> UInt32 {
    var index = Int(hash) & mask
    while true {
      let slot = slots[index]
      if slot == 0 { return 0 }
      if UInt32(truncatingIfNeeded: slot >> 32) == hash {
        let position = UInt32(truncatingIfNeeded: slot)
        if matches(position) { return position }
      }
      index = (index + 1) & mask
    }
  }

  /// The caller sees to it that ``count`` stays below ``capacity``.
  mutating func insert(_ hash: UInt32, _ position: UInt32) {
    precondition(count < capacity, "the table is full")
    var index = Int(hash) & mask
    while slots[index] != 0 { index = (index + 1) & mask }
    slots[index] = UInt64(hash) << 32 | UInt64(position)
    count += 1
  }

  mutating func move(_ hash: UInt32, from old: UInt32, to new: UInt32) {
    guard let index = index(of: hash, old) else { return }
    slots[index] = UInt64(hash) << 32 | UInt64(new)
  }

  mutating func remove(_ hash: UInt32, _ position: UInt32) {
    guard var hole = index(of: hash, position) else { return }
    count -= 1
    var index = hole
    // What was pushed beyond the hole moves back, so that no search stops short of it.
    while true {
      index = (index + 1) & mask
      let slot = slots[index]
      if slot == 0 { break }
      let home = Int(slot >> 32) & mask
      if (index - home) & mask >= (index - hole) & mask {
        slots[hole] = slot
        hole = index
      }
    }
    slots[hole] = 0
  }

  mutating func removeAll() {
    guard count > 0 else { return }
    slots.update(repeating: 0, count: mask + 1)
    count = 0
  }

  private func index(of hash: UInt32, _ position: UInt32) -> Int? {
    let wanted = UInt64(hash) << 32 | UInt64(position)
    var index = Int(hash) & mask
    while slots[index] != 0 {
      if slots[index] == wanted { return index }
      index = (index + 1) & mask
    }
    return nil
  }
}
