/// Every bound of the benchmarks in process.
enum BenchLimits {
  static let countMax = 10_000_000
  static let keysMax = 10_000_000
  static let repeatsMax = 1_000
  /// How many objects the runs of `--curve` have.
  static let curve = [1_000, 10_000, 100_000, 1_000_000]
}
