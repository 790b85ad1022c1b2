import Synchronization

/// A count that any thread may raise.
final class Counter: Sendable {
  private let number = Atomic<Int>(0)
  func increment() { number.add(1, ordering: .relaxed) }
  var value: Int { number.load(ordering: .relaxed) }
}
