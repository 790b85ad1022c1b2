/// Names a timer so that it can be cancelled.
package struct TimerToken: Hashable, Sendable {
  let id: UInt64
}

/// Actions ordered by their time: a binary heap whose cancelled entries are dropped when met.
struct TimerQueue {
  private struct Entry {
    var deadline: LoopInstant
    var id: UInt64
  }

  private var heap: [Entry] = []
  private var actions: [UInt64: () -> Void] = [:]
  private var lastID: UInt64 = 0

  var count: Int { actions.count }

  mutating func add(at deadline: LoopInstant, _ action: @escaping () -> Void) -> TimerToken {
    lastID += 1
    actions[lastID] = action
    heap.append(Entry(deadline: deadline, id: lastID))
    siftUp(heap.count - 1)
    return TimerToken(id: lastID)
  }

  mutating func cancel(_ token: TimerToken) {
    guard actions.removeValue(forKey: token.id) != nil else { return }
    // Cancelled entries must not outnumber the living: timers are mostly cancelled.
    if heap.count > 64, heap.count > 2 * actions.count { compact() }
  }

  /// The time of the next timer that still stands.
  mutating func nextDeadline() -> LoopInstant? {
    while let first = heap.first {
      if actions[first.id] != nil { return first.deadline }
      removeFirst()
    }
    return nil
  }

  /// Takes one action that is due.
  mutating func takeDue(at now: LoopInstant) -> (() -> Void)? {
    guard let deadline = nextDeadline(), deadline <= now, let first = heap.first else { return nil }
    removeFirst()
    return actions.removeValue(forKey: first.id)
  }

  private mutating func compact() {
    let living = heap.filter { actions[$0.id] != nil }
    heap.removeAll(keepingCapacity: true)
    for entry in living {
      heap.append(entry)
      siftUp(heap.count - 1)
    }
  }

  private mutating func removeFirst() {
    guard let last = heap.popLast(), !heap.isEmpty else { return }
    heap[0] = last
    siftDown()
  }

  private mutating func siftUp(_ start: Int) {
    var child = start
    while child > 0 {
      let parent = (child - 1) / 2
      guard heap[child].deadline < heap[parent].deadline else { return }
      heap.swapAt(child, parent)
      child = parent
    }
  }

  private mutating func siftDown() {
    var parent = 0
    while true {
      var least = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && heap[child].deadline < heap[least].deadline {
        least = child
      }
      if least == parent { return }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
