/// Narrows down the highest rate that holds a target: doubles until one misses it, or halves until
/// one holds it, then bisects; decides only, runs nothing.
struct RateBisection: Hashable, Sendable {
  /// The highest rate that held and the lowest above it that missed; nil when there is none yet.
  var held: Double? { heldRates.max() }
  private(set) var missed: Double?
  private(set) var steps = 0
  /// All that held and did not miss since.
  private var heldRates: [Double] = []
  private let first: Double
  private let stepsMax: Int

  /// How near the two rates are to be, as a share of the lower one.
  static let precision = 0.05

  init(first: Double, stepsMax: Int = LoadLimits.searchStepsMax) {
    self.first = max(1, first.rounded())
    self.stepsMax = stepsMax
  }

  /// The rate to try next; nil when both rates are near one another or the steps are used up.
  var next: Double? {
    guard steps < stepsMax else { return nil }
    switch (held, missed) {
    case (nil, nil): return first
    case (let held?, nil):
      let next = (held * 2).rounded()
      return next <= Double(LoadLimits.rateMax) ? next : nil
    case (nil, let missed?): return missed > 1 ? max(1, (missed / 2).rounded(.down)) : nil
    case (let held?, let missed?):
      let middle = ((held + missed) / 2).rounded()
      guard missed - held > held * RateBisection.precision, middle > held, middle < missed
      else { return nil }
      return middle
    }
  }

  /// Says what became of a rate; one that missed after it had held is believed the second time,
  /// and what held below it is held still.
  mutating func tried(_ rate: Double, holds: Bool) {
    steps += 1
    if holds {
      heldRates.append(rate)
      if let missed, missed <= rate { self.missed = nil }
    } else {
      missed = min(missed ?? .infinity, rate)
      heldRates.removeAll { $0 >= rate }
    }
  }
}
