/// A few lines that show how a run goes, written over themselves on a terminal.
struct LiveView: Sendable {
  let options: LoadOptions
  /// Of the last intervals that were shown, the newest last.
  private var rates: [Double] = []
  private var tails: [Double] = []

  private static let barWidth = 30
  private static let historyMax = 48

  init(options: LoadOptions) { self.options = options }

  /// Shows the last `seconds`, which `tally` sums up, `elapsed` seconds into the run, warm-up
  /// included; `errors` are those of the whole run.
  mutating func lines(
    _ tally: Tally, seconds: Double, elapsed: Double, errors: UInt64
  ) -> [String] {
    let latencies = tally.latencies.percentiles
    let rate = seconds > 0 ? Double(tally.requests) / seconds : 0
    rates = (rates + [rate]).suffix(LiveView.historyMax)
    tails = (tails + [Double(latencies.p99)]).suffix(LiveView.historyMax)
    var lines = [head(elapsed), line("requests/s", Figures.fixed(rate, decimals: 0), rates)]
    if tally.latencies.isEmpty {
      lines.append(line("p99", "-", tails))
    } else {
      lines.append(line("p99", Figures.duration(latencies.p99), tails))
      lines.append(
        "  p50 \(Figures.duration(latencies.p50))   p99.9 \(Figures.duration(latencies.p999))   "
          + "max \(Figures.duration(latencies.max))")
    }
    lines.append("  " + (errors > 0 ? "\(Figures.grouped(errors)) errors" : "no errors"))
    return lines
  }

  private func head(_ elapsed: Double) -> String {
    let whole = options.warmupSeconds + options.durationSeconds
    let phase = elapsed < options.warmupSeconds ? "warm-up" : "measuring"
    let left = Figures.fixed(max(0, whole - elapsed), decimals: 0)
    return "\(bar(elapsed / max(whole, 0.001))) \(phase) \(left) s left"
  }

  private func line(_ name: String, _ value: String, _ history: [Double]) -> String {
    let padding = String(repeating: " ", count: max(0, 11 - name.count))
    let space = String(repeating: " ", count: max(0, 10 - value.count))
    return "  \(name)\(padding)\(space)\(value)  \(LiveView.spark(history))"
  }

  private func bar(_ share: Double) -> String {
    let filled = Int(max(0, min(1, share)) * Double(LiveView.barWidth))
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: LiveView.barWidth - filled)
  }

  /// Heights from 0 to the greatest value.
  static func spark(_ values: [Double]) -> String {
    let steps = Array("▁▂▃▄▅▆▇█")
    let most = values.max() ?? 0
    return String(
      values.map { value in
        guard most > 0, value.isFinite else { return steps[0] }
        return steps[max(0, min(7, Int((value / most * 7).rounded())))]
      })
  }
}
