#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Maps values of one direction of a chart to 0...1 and names places on it.
struct ChartAxis {
  struct Tick {
    var value: Double
    var label: String
  }

  var low: Double
  var high: Double
  var isLogarithmic = false
  var ticks: [Tick]

  /// Where a value stands, from 0 to 1; what lies outside stands at the edge.
  func place(_ value: Double) -> Double {
    let share =
      isLogarithmic
      ? log(max(value, low) / low) / log(high / low) : (value - low) / (high - low)
    return share.isFinite ? max(0, min(1, share)) : 0
  }

  /// From 0 to at least `most`, at round numbers.
  static func counts(to most: Double) -> ChartAxis {
    let step = roundStep(max(most, 1) / 4)
    let high = (max(most, 1) / step).rounded(.up) * step
    let count = Int((high / step).rounded())
    let ticks = (0...max(1, count)).map {
      Tick(value: Double($0) * step, label: short(Double($0) * step))
    }
    return ChartAxis(low: 0, high: high, ticks: ticks)
  }

  /// Seconds of a run.
  static func seconds(from low: Double, to high: Double, ticks most: Int) -> ChartAxis {
    let high = max(high, low + 0.001)
    let step = roundStep((high - low) / Double(max(1, most)))
    var ticks: [Tick] = []
    var index = (low / step).rounded(.up)
    while index * step <= high, ticks.count < 100 {
      let value = index * step
      let decimals = step >= 1 ? 0 : step >= 0.1 ? 1 : 2
      ticks.append(Tick(value: value, label: Figures.fixed(value, decimals: decimals) + " s"))
      index += 1
    }
    return ChartAxis(low: low, high: high, ticks: ticks)
  }

  /// Durations in nanoseconds, logarithmic.
  static func durations(from low: Double, to high: Double) -> ChartAxis {
    let low = max(1, low)
    let high = max(high, low * 1.5)
    // Three decades and more are told by their powers of ten alone.
    let parts: [Double] = high / low > 1_000 ? [1] : high / low > 30 ? [1, 3] : [1, 2, 5]
    var edges: [Double] = []
    var decade = 1.0
    while decade < 1e13 {
      edges += parts.map { $0 * decade }
      decade *= 10
    }
    let first = edges.last { $0 <= low } ?? 1
    let last = edges.first { $0 >= high } ?? high
    let ticks = edges.filter { $0 >= first && $0 <= last }.map {
      Tick(value: $0, label: roundDuration($0))
    }
    return ChartAxis(low: first, high: max(last, first * 2), isLogarithmic: true, ticks: ticks)
  }

  /// Shares of requests, spread so that each further nine takes the same room.
  static func percentiles(of count: UInt64) -> ChartAxis {
    let high = max(1, min(6, log10(Double(max(count, 10)))))
    let named: [(Double, String)] = [
      (0.5, "50 %"), (0.9, "90 %"), (0.99, "99 %"), (0.999, "99.9 %"),
      (0.9999, "99.99 %"), (0.99999, "99.999 %"), (0.999999, "99.9999 %"),
    ]
    let ticks = named.map { Tick(value: nines($0.0), label: $0.1) }
      .filter { $0.value <= high + 0.01 }
    return ChartAxis(low: 0, high: high, ticks: ticks)
  }

  /// 1 for 90 %, 2 for 99 % and so on.
  static func nines(_ quantile: Double) -> Double { -log10(max(1e-9, 1 - quantile)) }

  /// The share of requests that stands at so many nines.
  static func quantile(_ nines: Double) -> Double { 1 - pow(10, -nines) }

  /// 1, 2 or 5 times a power of ten, not below `least`.
  private static func roundStep(_ least: Double) -> Double {
    let power = pow(10, log10(max(least, 1e-9)).rounded(.down))
    return [1, 2, 5, 10].map { $0 * power }.first { $0 >= least * 0.999_999 } ?? power * 10
  }

  private static func short(_ count: Double) -> String {
    switch count {
    case 1e6...: trimmed(count / 1e6) + "M"
    case 1e4...: trimmed(count / 1e3) + "k"
    default: Figures.fixed(count, decimals: count == count.rounded() ? 0 : 1)
    }
  }

  private static func roundDuration(_ nanoseconds: Double) -> String {
    switch nanoseconds {
    case 1e9...: trimmed(nanoseconds / 1e9) + " s"
    case 1e6...: trimmed(nanoseconds / 1e6) + " ms"
    case 1e3...: trimmed(nanoseconds / 1e3) + " µs"
    default: trimmed(nanoseconds) + " ns"
    }
  }

  private static func trimmed(_ number: Double) -> String {
    Figures.fixed(number, decimals: number == number.rounded() ? 0 : 1)
  }
}
