/// Requests per second of an open loop.
enum PlannedRate: Hashable, Sendable {
  case perSecond(Double)
  /// A multiple of what a closed loop reached just before.
  case ofCapacity(Double)

  var text: String {
    switch self {
    case .perSecond(let rate): Figures.fixed(rate, decimals: rate == rate.rounded() ? 0 : 1) + "/s"
    case .ofCapacity(let share): Figures.percent(share) + " of capacity"
    }
  }

  /// Requests per second, once the capacity is known.
  func resolved(capacity: Double?) -> Double {
    switch self {
    case .perSecond(let rate): rate
    case .ofCapacity(let share): max(1, share * (capacity ?? 0))
    }
  }
}

/// A measured stretch of an open loop.
struct Phase: Hashable, Sendable {
  var seconds: Double
  var from: PlannedRate
  var to: PlannedRate

  var text: String {
    let time = Figures.fixed(seconds, decimals: seconds == seconds.rounded() ? 0 : 1)
    return from == to ? "\(time) s at \(from.text)" : "\(time) s from \(from.text) to \(to.text)"
  }
}

/// The rates of an open loop over time.
struct RateProfile: Hashable, Sendable {
  var phases: [Phase]
  /// What a closed loop reached, where a phase asks for it.
  var capacity: Double?

  var needsCapacity: Bool {
    if capacity != nil { return false }
    for phase in phases {
      if case .ofCapacity = phase.from { return true }
      if case .ofCapacity = phase.to { return true }
    }
    return false
  }

  var seconds: Double { phases.reduce(0) { $0 + $1.seconds } }

  /// The same rates in more or less time.
  mutating func stretch(to seconds: Double) {
    let factor = self.seconds > 0 ? seconds / self.seconds : 1
    for index in phases.indices { phases[index].seconds *= factor }
  }

  /// `10 s at 5,000/s, 5 s from 5,000/s to 10,000/s`.
  var text: String {
    let rates = phases.map(\.text).joined(separator: ", ")
    guard let capacity else { return rates }
    return rates + " (capacity \(Figures.fixed(capacity, decimals: 0))/s)"
  }

  /// The plan in the monotonic clock's time; the warm-up has the first rate.
  func stretches(_ grid: TimeGrid) -> [RateStretch] {
    let first = phases.first?.from.resolved(capacity: capacity) ?? 1
    var stretches = [
      RateStretch(start: grid.start, end: grid.measureFrom, from: first, to: first)
    ]
    var seconds = 0.0
    for (index, phase) in phases.enumerated() {
      seconds += phase.seconds
      let planned = grid.measureFrom + UInt64(seconds * 1e9)
      let end = index == phases.count - 1 ? grid.end : min(grid.end, planned)
      stretches.append(
        RateStretch(
          start: stretches[stretches.count - 1].end, end: end,
          from: phase.from.resolved(capacity: capacity),
          to: phase.to.resolved(capacity: capacity)))
    }
    return stretches
  }
}
