import FoundationEssentials

/// A small seeded generator: the same seed gives the same test.
package struct SplitMix64: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

extension SplitMix64 {
  /// A number from 0 up to but not including `bound`.
  package mutating func below(_ bound: Int) -> Int {
    Int(next() % UInt64(max(1, bound)))
  }

  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

  /// One of the items; the collection is not empty.
  package mutating func pick<Item>(_ items: [Item]) -> Item { items[below(items.count)] }
}

/// The seed of this run: `ROOST_TEST_SEED`, or a new one each time.
///
/// Put it into the comment of every expectation that depends on it.
package enum TestSeed {
  package static let current: UInt64 = {
    let text = ProcessInfo.processInfo.environment["ROOST_TEST_SEED"]
    return text.flatMap { UInt64($0) } ?? UInt64.random(in: .min ... .max)
  }()

  /// What reproduces the run.
  package static var note: String { "ROOST_TEST_SEED=\(current)" }
}
