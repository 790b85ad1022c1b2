/// Renders families in Prometheus' text format 0.0.4.
package struct PrometheusText {
  package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private var text = ""

  /// The text of all families in their order; those without samples are left out.
  package static func text(_ families: [MetricFamily]) -> String {
    var writer = PrometheusText()
    for family in families where !family.samples.isEmpty { writer.add(family) }
    return writer.text
  }

  private mutating func add(_ family: MetricFamily) {
    text += "# HELP \(family.name) \(PrometheusText.escaped(family.help, quotes: false))\n"
    text += "# TYPE \(family.name) \(family.kind.rawValue)\n"
    for sample in family.samples {
      switch sample.value {
      case .natural(let number): line(family.name, sample.labels, "\(number)")
      case .whole(let number): line(family.name, sample.labels, "\(number)")
      case .fraction(let number): line(family.name, sample.labels, PrometheusText.number(number))
      case .histogram(let figures): add(figures, family.name, sample.labels)
      }
    }
  }

  private mutating func add(
    _ figures: HistogramFigures, _ name: String, _ labels: [MetricLabel]
  ) {
    for (bound, count) in zip(figures.bounds, figures.cumulative) {
      line(
        name + "_bucket", labels + [MetricLabel("le", PrometheusText.number(bound))], "\(count)")
    }
    line(name + "_bucket", labels + [MetricLabel("le", "+Inf")], "\(figures.count)")
    line(name + "_sum", labels, PrometheusText.number(figures.sum))
    line(name + "_count", labels, "\(figures.count)")
  }

  private mutating func line(_ name: String, _ labels: [MetricLabel], _ value: String) {
    text += name
    var separator = "{"
    for label in labels {
      text += "\(separator)\(label.name)=\"\(PrometheusText.escaped(label.value, quotes: true))\""
      separator = ","
    }
    text += labels.isEmpty ? " \(value)\n" : "} \(value)\n"
  }

  /// A label's value has its quotes escaped, a help text does not.
  static func escaped(_ text: String, quotes: Bool) -> String {
    var result = ""
    // By scalars: a line feed behind a carriage return is one character with it.
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\"" where quotes: result += "\\\""
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  static func number(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    return "\(value)"
  }
}
