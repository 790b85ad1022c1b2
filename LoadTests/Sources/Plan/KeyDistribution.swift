#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Which rows are asked for how often.
enum KeyDistribution: Hashable, Sendable {
  /// Each equally often.
  case uniform
  /// Few very often, most hardly ever; the frequent ones lie scattered over all rows.
  case zipf(exponent: Double)
  /// The newest often, the older ones ever less.
  case latest(exponent: Double)

  var name: String {
    switch self {
    case .uniform: "uniform"
    case .zipf(let exponent): "zipf \(exponent)"
    case .latest(let exponent): "latest \(exponent)"
    }
  }
}

/// Ranks with the frequency 1/rankˢ, by rejection-inversion (W. Hörmann and G. Derflinger, 1996):
/// no table, however many there are.
struct ZipfRanks: Hashable, Sendable {
  private let count: Double
  private let exponent: Double
  private let lowest: Double
  private let highest: Double
  private let shortcut: Double

  /// Ranks from 0 to `count` - 1; `exponent` above 0.
  init(count: UInt64, exponent: Double) {
    self.count = Double(max(1, count))
    self.exponent = exponent
    lowest = ZipfRanks.integral(1.5, exponent) - 1
    highest = ZipfRanks.integral(self.count + 0.5, exponent)
    shortcut =
      2 - ZipfRanks.inverse(ZipfRanks.integral(2.5, exponent) - pow(2, -exponent), exponent)
  }

  func choose(_ random: inout RandomSource) -> UInt64 {
    // Half of all draws and more are taken at once; the bound is for a broken source of numbers.
    for _ in 0..<1_000 {
      let share = Double(random.next() >> 11) * 0x1p-53
      let point = highest + share * (lowest - highest)
      let value = ZipfRanks.inverse(point, exponent)
      let rank = min(count, max(1, value.rounded()))
      let isClose = rank - value <= shortcut
      if isClose || point >= ZipfRanks.integral(rank + 0.5, exponent) - pow(rank, -exponent) {
        return UInt64(rank) - 1
      }
    }
    return 0
  }

  private static func integral(_ value: Double, _ exponent: Double) -> Double {
    let logarithm = log(value)
    let part = (1 - exponent) * logarithm
    return (abs(part) > 1e-8 ? expm1(part) / part : 1 + part / 2) * logarithm
  }

  private static func inverse(_ value: Double, _ exponent: Double) -> Double {
    let part = max(-1, value * (1 - exponent))
    return exp((abs(part) > 1e-8 ? log1p(part) / part : 1 - part / 2) * value)
  }
}
