import RoostModel
import Synchronization

/// Rows, rows/s and what remains, on one line of a terminal's standard error.
@MainActor
final class ImportProgressLine {
  private let console: Console
  private let counters: ImportCounters
  private let start = ContinuousClock.now
  private var isShown = false

  init(_ console: Console, _ counters: ImportCounters) {
    self.console = console
    self.counters = counters
  }

  /// Draws until the task is cancelled; does nothing without a terminal.
  func draw() async {
    guard let width = console.errorWidth else { return }
    while !Task.isCancelled {
      guard (try? await Task.sleep(for: .milliseconds(200))) != nil else { return }
      let duration = start.duration(to: .now).components
      let seconds = Double(duration.seconds) + Double(duration.attoseconds) / 1e18
      let text = ImportProgressLine.text(
        rows: counters.rowsSent.load(ordering: .relaxed),
        bytes: counters.bytesRead.load(ordering: .relaxed), total: counters.bytesTotal,
        seconds: seconds)
      console.show("\r\u{1B}[K\(DisplayWidth.fitted(text, max(10, width - 1)))")
      isShown = true
    }
  }

  func clear() {
    if isShown { console.show("\r\u{1B}[K") }
    isShown = false
  }

  /// `▰▰▰▱▱▱▱▱▱▱  31 %   104,000 rows   171,000 rows/s   2 s left`
  nonisolated static func text(rows: Int, bytes: Int, total: Int?, seconds: Double) -> String {
    let rate = seconds > 0 ? Int(Double(rows) / seconds) : 0
    var parts = ["\(NumberForm.grouped(rows)) rows", "\(NumberForm.grouped(rate)) rows/s"]
    if let total, total > 0 {
      let share = min(1, Double(bytes) / Double(total))
      let full = Int(share * 10)
      let bar = String(repeating: "▰", count: full) + String(repeating: "▱", count: 10 - full)
      parts.insert("\(bar) \(Int(share * 100)) %", at: 0)
      if share > 0.01, share < 1 {
        parts.append("\(Int((seconds / share - seconds).rounded(.up))) s left")
      }
    }
    return parts.joined(separator: "   ")
  }
}
