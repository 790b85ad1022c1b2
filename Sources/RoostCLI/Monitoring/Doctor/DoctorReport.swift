import RoostImport
import RoostModel

/// The verdicts as an operator reads them, and as a script does.
struct DoctorReport {
  private let verdicts: [(rule: DoctorRule, verdict: DoctorVerdict)]

  init(_ sample: ServerSample) { verdicts = DoctorRules.verdicts(sample) }

  /// 0 for nothing found, 1 for warnings, 4 for something critical.
  var exitCode: Int32 {
    switch verdicts.map(\.verdict.level).max() ?? .fine {
    case .fine: ExitCode.done
    case .warning: ExitCode.failed
    case .critical: ExitCode.critical
    }
  }

  /// Findings first, the worst on top; then a line for each rule that found nothing.
  func text(_ style: Style) -> String {
    var lines: [String] = []
    for (_, finding) in findings { lines += text(finding, style) }
    let width = DoctorRules.all.map { DisplayWidth.of($0.subject) }.max() ?? 0
    for (rule, verdict) in verdicts {
      let gap = String(repeating: " ", count: width + 2 - DisplayWidth.of(rule.subject))
      switch verdict {
      case .well(let figure):
        lines.append("ok        \(rule.subject)\(gap)\(TableWriter.oneLine(figure))")
      case .untold:
        lines.append(style.dim("-         \(rule.subject)\(gap)this server does not tell"))
      case .found: break
      }
    }
    return (lines + [summary]).joined(separator: "\n") + "\n"
  }

  private func text(_ finding: DoctorFinding, _ style: Style) -> [String] {
    let gap = String(repeating: " ", count: max(1, 10 - finding.word.count))
    return [
      style.level(finding.word, finding.level ?? .fine) + gap + TableWriter.oneLine(finding.what),
      "          \(TableWriter.oneLine(finding.figure)); should be \(finding.threshold)",
      "          → \(TableWriter.oneLine(finding.advice))",
    ]
  }

  private var findings: [(rule: DoctorRule, finding: DoctorFinding)] {
    var found: [(rule: DoctorRule, finding: DoctorFinding)] = []
    for level in [FigureLevel.critical, .warning, nil] {
      for (rule, verdict) in verdicts {
        if case .found(let finding) = verdict, finding.level == level {
          found.append((rule, finding))
        }
      }
    }
    return found
  }

  private func count(_ level: FigureLevel?) -> Int {
    findings.count { $0.finding.level == level }
  }

  var summary: String {
    let untold = verdicts.count { $0.verdict == .untold }
    let (warnings, notes) = (count(.warning), count(nil))
    return "\(verdicts.count) rules: \(count(.critical)) critical, "
      + "\(warnings) \(warnings == 1 ? "warning" : "warnings"), "
      + "\(notes) \(notes == 1 ? "note" : "notes")" + (untold > 0 ? ", \(untold) not told" : "")
  }

  var json: String {
    var rules: [Value] = []
    for (rule, verdict) in verdicts { rules.append(.map(DoctorReport.entries(rule, verdict))) }
    let report: [MapEntry] = [
      MapEntry("critical", .int(Int64(count(.critical)))),
      MapEntry("notes", .int(Int64(count(nil)))), MapEntry("rules", .list(rules)),
      MapEntry("warnings", .int(Int64(count(.warning)))),
    ]
    return ValueText.json(.map(report)).canonicalText
  }

  private static func entries(_ rule: DoctorRule, _ verdict: DoctorVerdict) -> [MapEntry] {
    let head = [MapEntry("rule", .text(rule.name)), MapEntry("subject", .text(rule.subject))]
    switch verdict {
    case .untold: return head + [MapEntry("verdict", .text("untold"))]
    case .well(let figure):
      return head + [MapEntry("figure", .text(figure)), MapEntry("verdict", .text("ok"))]
    case .found(let finding):
      return head + [
        MapEntry("advice", .text(finding.advice)), MapEntry("figure", .text(finding.figure)),
        MapEntry("threshold", .text(finding.threshold)),
        MapEntry("verdict", .text(finding.word.lowercased())),
        MapEntry("what", .text(finding.what)),
      ]
    }
  }
}
