/// Names a timer that was set.
public struct LoopTimer: Hashable, Sendable {
  let number: UInt64
}

/// Timers in order of time; for the few of connections and retries, not for one a call.
struct TimerHeap {
  private struct Entry {
    let due: LoopInstant
    let number: UInt64
    let body: () -> Void
  }
  /// A binary heap: each entry is due no later than its two children.
  private var entries: [Entry] = []
  private var lastNumber: UInt64 = 0

  var nextDue: LoopInstant { entries.first?.due ?? .never }
  var count: Int { entries.count }

  mutating func add(_ due: LoopInstant, _ body: @escaping () -> Void) -> LoopTimer {
    lastNumber += 1
    entries.append(Entry(due: due, number: lastNumber, body: body))
    siftUp(entries.count - 1)
    return LoopTimer(number: lastNumber)
  }

  /// - Complexity: O(*n*) in the timers that are set.
  mutating func cancel(_ timer: LoopTimer) {
    guard let index = entries.firstIndex(where: { $0.number == timer.number }) else { return }
    remove(at: index)
  }

  /// Takes the body of the next timer that is due.
  mutating func next(_ now: LoopInstant) -> (() -> Void)? {
    guard let first = entries.first, first.due <= now else { return nil }
    remove(at: 0)
    return first.body
  }

  /// Takes out the bodies of all timers, due or not.
  mutating func removeAll() -> [() -> Void] {
    defer { entries.removeAll() }
    return entries.map(\.body)
  }

  private mutating func remove(at index: Int) {
    entries.swapAt(index, entries.count - 1)
    entries.removeLast()
    guard index < entries.count else { return }
    siftUp(index)
    siftDown(index)
  }

  private func isBefore(_ left: Int, _ right: Int) -> Bool {
    (entries[left].due, entries[left].number) < (entries[right].due, entries[right].number)
  }

  private mutating func siftUp(_ start: Int) {
    var index = start
    while index > 0, isBefore(index, (index - 1) / 2) {
      entries.swapAt(index, (index - 1) / 2)
      index = (index - 1) / 2
    }
  }

  private mutating func siftDown(_ start: Int) {
    var index = start
    while true {
      var least = index
      for child in [2 * index + 1, 2 * index + 2]
      where child < entries.count && isBefore(child, least) { least = child }
      if least == index { return }
      entries.swapAt(index, least)
      index = least
    }
  }
}
