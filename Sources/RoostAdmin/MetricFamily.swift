/// Measurements of one name, for one `HELP` and one `TYPE`.
package struct MetricFamily: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// Only grows while the process lives; its name ends in `_total`.
    case counter
    case gauge
    case histogram
  }

  package var name: String
  package var kind: Kind
  package var help: String
  package var samples: [MetricSample]

  package init(_ name: String, _ kind: Kind, _ help: String, _ samples: [MetricSample]) {
    self.name = name
    self.kind = kind
    self.help = help
    self.samples = samples
  }

  /// A family with a single sample and no labels.
  package init(_ name: String, _ kind: Kind, _ help: String, _ value: MetricValue) {
    self.init(name, kind, help, [MetricSample(value)])
  }
}

/// One line of a family; a histogram is one sample of many lines.
package struct MetricSample: Hashable, Sendable {
  package var labels: [MetricLabel]
  package var value: MetricValue

  package init(_ value: MetricValue, _ labels: MetricLabel...) {
    self.labels = labels
    self.value = value
  }
}

/// Tells the samples of a family apart; the value may be any text.
package struct MetricLabel: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

/// What was measured, in base units: bytes, seconds, or a number of things.
package enum MetricValue: Hashable, Sendable {
  case natural(UInt64)
  case whole(Int64)
  case fraction(Double)
  case histogram(HistogramFigures)
}

/// How many measurements lie below each bound.
package struct HistogramFigures: Hashable, Sendable {
  /// Ascending, without infinity.
  package var bounds: [Double]
  /// For each bound, the measurements up to it, those of the bounds before included.
  package var cumulative: [UInt64]
  /// Of all measurements, those above the last bound included.
  package var count: UInt64
  package var sum: Double

  package init(bounds: [Double], cumulative: [UInt64], count: UInt64, sum: Double) {
    self.bounds = bounds
    self.cumulative = cumulative
    self.count = count
    self.sum = sum
  }
}
