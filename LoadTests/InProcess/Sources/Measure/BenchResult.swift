/// What one run gave.
struct BenchResult: Sendable {
  let options: BenchOptions
  let count: Int
  private var samples: [Side: [Measure: Samples]] = [:]

  init(options: BenchOptions, count: Int) {
    self.options = options
    self.count = count
  }

  mutating func add(_ nanoseconds: UInt64, _ measure: Measure, _ side: Side) {
    samples[side, default: [:]][measure, default: Samples()].add(nanoseconds)
  }

  func samples(_ measure: Measure, _ side: Side) -> Samples {
    samples[side]?[measure] ?? Samples()
  }

  func objects(_ measure: Measure) -> Int {
    measure == .keysFresh || measure == .keysSame ? options.keys : count
  }

  func rate(_ measure: Measure, _ side: Side) -> Double? {
    samples(measure, side).rate(of: objects(measure))
  }

  /// Roost's rate as a share of SQLite's, from the same run; nil unless both were measured.
  func ratio(_ measure: Measure) -> Double? {
    guard let ours = rate(measure, .roost), let theirs = rate(measure, .sqlite) else { return nil }
    return ours / theirs
  }
}
