import Synchronization

/// Rows that only this process knows: negative, never used twice.
enum TemporaryRows {
  private static let counter = Atomic<Int64>(0)

  static func next() -> Int64 {
    -counter.add(1, ordering: .relaxed).newValue
  }
}
