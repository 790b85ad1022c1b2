import RoostModel
import RoostStorage
import RoostTestSupport

/// A store's statistics, by the names of the maps that lead to a figure.
struct Figures {
  let entries: [MapEntry]

  subscript(_ way: String...) -> Value? {
    var entries = entries
    var value: Value?
    for name in way {
      value = entries.first { $0.key == name }?.value
      if case .map(let inner)? = value { entries = inner }
    }
    return value
  }
}

extension Fixture {
  var figures: Figures { get throws { Figures(entries: try store.statistics()) } }
}

extension StoreClock {
  /// Stands still until a test moves it.
  init(_ clock: ManualClock) {
    self.init {
      let (seconds, attoseconds) = clock.now.offset.components
      return UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000)
    }
  }
}
