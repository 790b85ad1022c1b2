/// A plot of lines, drawn as SVG for one width.
struct Chart {
  struct Line {
    /// A class of ``PageStyle``.
    var style: String
    /// A nil is a gap.
    var points: [(x: Double, y: Double?)]
    var isFilled = false
  }

  /// A time that is shaded, such as the warm-up.
  struct Band {
    var from: Double
    var to: Double
    var label: String
  }

  /// What a pointer resting on a stretch is told.
  struct Hint {
    var from: Double
    var to: Double
    var text: String
  }

  /// For those who do not see it.
  var label: String
  var x: ChartAxis
  var y: ChartAxis
  var bands: [Band] = []
  var lines: [Line] = []
  var hints: [Hint] = []
  /// Moments to be marked at the bottom, such as those with errors.
  var marks: [Double] = []

  /// The room around the plot.
  private static let left = 58.0
  private static let right = 14.0
  private static let top = 12.0
  private static let bottom = 28.0

  func svg(width: Double, height: Double, style: String) -> String {
    let frame = Frame(
      chart: self, width: width - Chart.left - Chart.right,
      height: height - Chart.top - Chart.bottom)
    let size = "\(Page.number(width)) \(Page.number(height))"
    return """
      <svg class="\(style)" viewBox="0 0 \(size)" role="img" aria-label="\(Page.escaped(label))">
      <g transform="translate(\(Page.number(Chart.left)) \(Page.number(Chart.top)))">
      \(frame.parts.joined(separator: "\n"))
      </g></svg>
      """
  }

  /// A chart on a plot of a certain size.
  private struct Frame {
    let chart: Chart
    let width: Double
    let height: Double

    var parts: [String] {
      bands + grid + chart.lines.flatMap(draw) + marks + hints
    }

    private func left(_ value: Double) -> Double { chart.x.place(value) * width }
    private func top(_ value: Double) -> Double { (1 - chart.y.place(value)) * height }

    private var bands: [String] {
      chart.bands.map { band in
        let (from, to) = (left(band.from), left(band.to))
        let rect = rectangle("band", from, to)
        // A label that does not fit is left out: the legend says it, too.
        let fits = to - from > Double(band.label.count) * 7
        return fits
          ? rect + text("bandlabel", (from + to) / 2, 14, band.label, "middle") : rect
      }
    }

    private var grid: [String] {
      var parts: [String] = []
      for tick in chart.y.ticks {
        let y = top(tick.value)
        parts.append(segment("grid", 0, y, width, y))
        parts.append(text("tick", -8, y + 4, tick.label, "end"))
      }
      var free = -Double.infinity
      for tick in chart.x.ticks {
        let x = left(tick.value)
        let half = Double(tick.label.count) * 3.4
        parts.append(segment("axis", x, height, x, height + 5))
        // Neighbours that would touch are left out.
        guard x - half > free, x + half < width + Chart.right + half / 2 else { continue }
        free = x + half + 6
        let anchor = x + half > width + Chart.right ? "end" : "middle"
        parts.append(text("tick", x, height + 20, tick.label, anchor))
      }
      parts.append(segment("axis", 0, height, width, height))
      return parts
    }

    private func draw(_ line: Line) -> [String] {
      var parts: [String] = []
      for run in runs(line.points) {
        let path = run.map { "\(Page.number(left($0.x))) \(Page.number(top($0.y)))" }
        guard let first = run.first, let last = run.last else { continue }
        if run.count == 1 {
          let place = "cx=\"\(Page.number(left(first.x)))\" cy=\"\(Page.number(top(first.y)))\""
          parts.append("<circle class=\"dot \(line.style)\" \(place) r=\"3\"/>")
          continue
        }
        let outline = "M" + path.joined(separator: "L")
        if line.isFilled {
          let base = Page.number(height)
          let close = "L\(Page.number(left(last.x))) \(base)L\(Page.number(left(first.x))) \(base)Z"
          parts.append("<path class=\"area \(line.style)\" d=\"\(outline)\(close)\"/>")
        }
        parts.append("<path class=\"line \(line.style)\" d=\"\(outline)\"/>")
      }
      return parts
    }

    /// Stretches without a gap.
    private func runs(_ points: [(x: Double, y: Double?)]) -> [[(x: Double, y: Double)]] {
      var runs: [[(x: Double, y: Double)]] = [[]]
      for point in points {
        if let y = point.y {
          runs[runs.count - 1].append((point.x, y))
        } else {
          runs.append([])
        }
      }
      return runs
    }

    private var marks: [String] {
      chart.marks.map { moment in
        "<path class=\"mark\" d=\"M\(Page.number(left(moment))) \(Page.number(height - 9))"
          + "l5 9h-10z\"/>"
      }
    }

    private var hints: [String] {
      chart.hints.map { hint in
        rectangle(
          "hint", left(hint.from), left(hint.to), "<title>\(Page.escaped(hint.text))</title>")
      }
    }

    private func rectangle(
      _ style: String, _ from: Double, _ to: Double, _ inside: String = ""
    ) -> String {
      "<rect class=\"\(style)\" x=\"\(Page.number(from))\" y=\"0\" "
        + "width=\"\(Page.number(max(0, to - from)))\" height=\"\(Page.number(height))\">"
        + inside + "</rect>"
    }

    private func segment(
      _ style: String, _ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double
    ) -> String {
      "<path class=\"\(style)\" d=\"M\(Page.number(x1)) \(Page.number(y1))"
        + "L\(Page.number(x2)) \(Page.number(y2))\"/>"
    }

    private func text(
      _ style: String, _ x: Double, _ y: Double, _ text: String, _ anchor: String
    ) -> String {
      "<text class=\"\(style)\" x=\"\(Page.number(x))\" y=\"\(Page.number(y))\" "
        + "text-anchor=\"\(anchor)\">\(Page.escaped(text))</text>"
    }
  }
}
