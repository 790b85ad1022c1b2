extension HTMLReport {
  static func charts(_ entries: [Entry]) -> [String] {
    let hasTimes = entries.contains { $0.record.timeline.count > 1 }
    let hasLatencies = entries.contains { !$0.record.total.latencies.isEmpty }
    var figures: [String] = []
    if hasTimes { figures.append(throughput(entries)) }
    if hasTimes, hasLatencies { figures.append(percentiles(entries)) }
    if hasLatencies { figures.append(distribution(entries)) }
    return figures
  }

  // MARK: Over time

  private static func throughput(_ entries: [Entry]) -> String {
    var chart = timeChart(entries, "Requests per second over time", isRate: true)
    var legend: [(String, String)] = []
    for (index, entry) in entries.enumerated() {
      let style = runStyle(index)
      var line = Chart.Line(style: style, points: [], isFilled: entries.count == 1)
      for point in whole(entry.record.timeline) {
        line.points.append((middle(point), rate(point)))
        if point.total.errors > 0 { chart.marks.append(middle(point)) }
      }
      chart.lines.append(line)
      legend.append((style, entry.name.isEmpty ? "requests/s" : entry.name))
    }
    if !chart.bands.isEmpty { legend.append(("band", "warm-up, not measured")) }
    if !chart.marks.isEmpty { legend.append(("mark", "errors")) }
    return Page.figure(
      "Throughput", "Answers in each interval, failures included.", legend, chart,
      narrow(chart, entries))
  }

  private static func percentiles(_ entries: [Entry]) -> String {
    var chart = timeChart(entries, "Latency percentiles over time", isRate: false)
    let kinds: [(String, String, (IntervalFigures) -> UInt64)] = [
      ("c1", "p50", { $0.p50 }), ("c2", "p99", { $0.p99 }), ("c3", "p99.9", { $0.p999 }),
      ("c4", "max", { $0.max }),
    ]
    var legend: [(String, String)] = []
    for (index, entry) in entries.enumerated() {
      // Two runs show two percentiles each: eight lines could not be told apart.
      for (style, name, value) in entries.count == 2 ? Array(kinds.prefix(2)) : kinds {
        // A colour for each run, as in the other charts, leaves the percentiles to the stroke.
        let style = entries.count == 1 ? style : runStyle(index) + (name == "p50" ? " dash" : "")
        var line = Chart.Line(style: style, points: [])
        for point in whole(entry.record.timeline) {
          let latency = value(point.total)
          line.points.append((middle(point), latency > 0 ? Double(latency) : nil))
        }
        chart.lines.append(line)
        legend.append((style, entry.name.isEmpty ? name : "\(entry.name) \(name)"))
      }
    }
    return Page.figure(
      "Latency over time", "Percentiles of each interval, logarithmic.", legend, chart,
      narrow(chart, entries))
  }

  private static func runStyle(_ index: Int) -> String { index == 0 ? "c2" : "c4" }

  private static func timeChart(_ entries: [Entry], _ label: String, isRate: Bool) -> Chart {
    let points = entries.flatMap { whole($0.record.timeline) }
    let low = points.map(\.start).min() ?? 0
    let high = points.map { $0.start + $0.seconds }.max() ?? 1
    let y: ChartAxis
    if isRate {
      y = .counts(to: points.map(rate).max() ?? 1)
    } else {
      let least = points.map(\.total.p50).filter { $0 > 0 }.min() ?? 1
      let most =
        points.map { entries.count == 2 ? $0.total.p99 : $0.total.max }.max() ?? 1_000
      y = .durations(from: Double(least), to: Double(most))
    }
    var chart = Chart(
      label: label, x: .seconds(from: low, to: high, ticks: 10), y: y)
    if low < 0 { chart.bands = [Chart.Band(from: low, to: 0, label: "warm-up")] }
    if entries.count == 1, points.count <= 400 { chart.hints = points.map(hint) }
    return chart
  }

  private static func narrow(_ chart: Chart, _ entries: [Entry]) -> Chart {
    var chart = chart
    chart.x = .seconds(from: chart.x.low, to: chart.x.high, ticks: 5)
    return chart
  }

  /// Without the remains of intervals, whose rates are noise.
  private static func whole(_ points: [TimelinePoint]) -> [TimelinePoint] {
    let usual = points.map(\.seconds).max() ?? 0
    return points.filter { $0.seconds >= usual * 0.25 }
  }

  private static func middle(_ point: TimelinePoint) -> Double { point.start + point.seconds / 2 }

  private static func rate(_ point: TimelinePoint) -> Double {
    point.seconds > 0 ? Double(point.total.requests) / point.seconds : 0
  }

  private static func hint(_ point: TimelinePoint) -> Chart.Hint {
    let end = point.start + point.seconds
    var text = "\(Figures.fixed(point.start, decimals: 1)) to \(Figures.fixed(end, decimals: 1)) s"
    text += "\n\(Figures.fixed(rate(point), decimals: 0)) requests/s"
    if point.total.errors > 0 { text += "\n\(Figures.grouped(point.total.errors)) errors" }
    text += "\np50 \(Figures.duration(point.total.p50)), p99 \(Figures.duration(point.total.p99))"
    text +=
      "\np99.9 \(Figures.duration(point.total.p999)), max \(Figures.duration(point.total.max))"
    return Chart.Hint(from: point.start, to: end, text: text)
  }

  // MARK: Distribution

  private static func distribution(_ entries: [Entry]) -> String {
    let curves = curves(entries)
    let histograms = curves.map(\.histogram)
    let count = histograms.map(\.count).max() ?? 1
    let y = ChartAxis.durations(
      from: Double(histograms.map(\.min).min() ?? 1), to: Double(histograms.map(\.max).max() ?? 1))
    var chart = Chart(
      label: "Latency by percentile", x: .percentiles(of: count), y: y)
    for curve in curves {
      chart.lines.append(Chart.Line(style: curve.style, points: points(curve.histogram, chart.x)))
    }
    return Page.figure(
      "Latency distribution",
      "How long the fastest share of all requests took at most; each further nine takes the same "
        + "room.", curves.map { ($0.style, $0.name) }, chart, chart)
  }

  private static func curves(
    _ entries: [Entry]
  ) -> [(style: String, name: String, histogram: Histogram)] {
    if entries.count == 2 {
      return zip(["c2", "c4"], entries).map { ($0, $1.name, $1.record.total.latencies) }
        .filter { !$0.2.isEmpty }
    }
    let lines = entries[0].record.operations.filter { !$0.latencies.isEmpty }
    return lines.enumerated().map { index, line in
      let style = "c\(index % 6 + 1)" + (index < 6 ? "" : " dash")
      return (style, line.name, line.latencies)
    }
  }

  /// Durations at even distances of the axis.
  private static func points(
    _ histogram: Histogram, _ axis: ChartAxis
  ) -> [(x: Double, y: Double?)] {
    let steps = 120
    let reach = min(axis.high, ChartAxis.percentiles(of: histogram.count).high)
    var points: [(x: Double, y: Double?)] = []
    for step in 0...steps {
      let nines = reach * Double(step) / Double(steps)
      let quantile = ChartAxis.quantile(nines)
      points.append((nines, Double(max(1, histogram.value(atQuantile: quantile)))))
    }
    return points
  }
}
