/// First in, first out, with room for a bounded number; taking one costs O(1).
struct CallQueue<Element> {
  fileprivate var items: [Element?] = []
  fileprivate var head = 0
  let countMax: Int

  init(countMax: Int) { self.countMax = countMax }

  var count: Int { items.count - head }
  var isEmpty: Bool { count == 0 }
  var first: Element? { head < items.count ? items[head] : nil }

  /// Appends unless the queue is full.
  mutating func append(_ item: Element) -> Bool {
    if count >= countMax { return false }
    items.append(item)
    return true
  }

  mutating func popFirst() -> Element? {
    guard head < items.count else { return nil }
    defer {
      items[head] = nil
      head += 1
      if head == items.count {
        items.removeAll(keepingCapacity: true)
        head = 0
      } else if head > 1_024, head > items.count / 2 {
        items.removeFirst(head)
        head = 0
      }
    }
    return items[head]
  }

  /// Takes everything out.
  mutating func drain() -> [Element] {
    defer {
      items.removeAll()
      head = 0
    }
    return items[head...].compactMap { $0 }
  }

  /// Takes out what satisfies the condition, in order.
  mutating func removeAll(where shouldRemove: (Element) -> Bool) -> [Element] {
    let all = items[head...].compactMap { $0 }
    items = all.filter { !shouldRemove($0) }
    head = 0
    return all.filter(shouldRemove)
  }
}

extension CallQueue {
  func forEach(_ body: (Element) -> Void) {
    for case let item? in items[head...] { body(item) }
  }
}
