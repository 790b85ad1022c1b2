/// Free slots, first in, first out, in a ring that holds every slot once.
struct SlotQueue {
  private var ring: [Int]
  private var head = 0
  private(set) var count = 0

  init(capacity: Int) { ring = Array(repeating: 0, count: max(1, capacity)) }

  var isEmpty: Bool { count == 0 }

  /// - Precondition: The slot is not in the queue, so that there is room.
  mutating func append(_ slot: Int) {
    precondition(count < ring.count, "a slot is free twice")
    ring[(head + count) % ring.count] = slot
    count += 1
  }

  mutating func popFirst() -> Int? {
    guard count > 0 else { return nil }
    defer {
      head = (head + 1) % ring.count
      count -= 1
    }
    return ring[head]
  }
}
