/// One line that shows how a run goes, written over itself on a terminal.
enum LiveLine {
  private static let barWidth = 20

  /// Shows the last `seconds`, which `tally` sums up, `elapsed` seconds into the run, warm-up
  /// included.
  static func text(
    _ tally: Tally, seconds: Double, elapsed: Double, options: LoadOptions, errors: UInt64
  ) -> String {
    let whole = options.warmupSeconds + options.durationSeconds
    let phase = elapsed < options.warmupSeconds ? "warm-up" : "measuring"
    let rate = Figures.fixed(seconds > 0 ? Double(tally.requests) / seconds : 0, decimals: 0)
    var text = "\(bar(elapsed / max(whole, 0.001))) \(phase) "
    text += "\(Figures.fixed(max(0, whole - elapsed), decimals: 0)) s left  \(rate)/s"
    if !tally.latencies.isEmpty {
      text += "  p50 " + Figures.duration(tally.latencies.value(atQuantile: 0.5))
      text += "  p99 " + Figures.duration(tally.latencies.value(atQuantile: 0.99))
    }
    if errors > 0 { text += "  \(Figures.grouped(errors)) errors" }
    return text
  }

  private static func bar(_ share: Double) -> String {
    let filled = Int(max(0, min(1, share)) * Double(barWidth))
    return String(repeating: "█", count: filled)
      + String(repeating: "░", count: barWidth - filled)
  }
}
