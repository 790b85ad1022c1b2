/// What one run works with, all of it made from the seed before anything is measured.
struct BenchPlan: Sendable {
  let rows: [RecordValues]
  /// The same keys with other values.
  let changed: [RecordValues]
  /// Keys that are there, in random order, with repetitions.
  let keys: [Int]

  init(count: Int, keys keyCount: Int, seed: UInt64) {
    var numbers = SeededNumbers(seed: seed)
    var rows: [RecordValues] = []
    rows.reserveCapacity(count)
    for key in 1...max(1, count) { rows.append(RecordValues(key: key, &numbers)) }
    var changed = rows
    for index in changed.indices {
      changed[index].count += 1
      changed[index].isOpen.toggle()
    }
    var keys: [Int] = []
    keys.reserveCapacity(keyCount)
    for _ in 0..<keyCount { keys.append(Int.random(in: 1...rows.count, using: &numbers)) }
    self.rows = rows
    self.changed = changed
    self.keys = keys
  }

  /// How many objects a measure handles.
  func handled(by measure: Measure) -> Int {
    switch measure {
    case .keysFresh, .keysSame: keys.count
    case .insert, .fetchTwo, .fetchAll, .release, .upsert, .delete: rows.count
    }
  }
}
