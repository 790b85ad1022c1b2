/// Chooses places among so many, as often as a distribution says.
struct KeyChooser: Hashable, Sendable {
  private let count: UInt64
  private let distribution: KeyDistribution
  /// nil for a uniform distribution.
  private let ranks: ZipfRanks?

  init(count: UInt64, distribution: KeyDistribution) {
    self.count = count
    self.distribution = distribution
    switch distribution {
    case .uniform: ranks = nil
    case .zipf(let exponent), .latest(let exponent):
      ranks = ZipfRanks(count: count, exponent: exponent)
    }
  }

  /// A place below the count; 0 when there is none.
  func choose(_ random: inout RandomSource) -> UInt64 {
    guard let ranks else { return random.below(count) }
    let rank = ranks.choose(&random)
    if case .latest = distribution { return count > rank ? count - 1 - rank : 0 }
    // Scattered, so that frequent rows do not share a page; two ranks may meet in one place.
    var mixed = rank &+ 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return (mixed ^ (mixed >> 31)).multipliedFullWidth(by: count).high
  }
}
