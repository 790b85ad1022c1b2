import RoostModel

/// All that `roost doctor` looks at, the worst things first.
enum DoctorRules {
  static let all: [DoctorRule] = store + server + load

  /// Sections the rules need beside the figures.
  static let sections: [StatisticsSection] = [.imports, .queries]

  /// The verdict of each rule.
  static func verdicts(_ sample: ServerSample) -> [(rule: DoctorRule, verdict: DoctorVerdict)] {
    var verdicts: [(rule: DoctorRule, verdict: DoctorVerdict)] = []
    for rule in all { verdicts.append((rule, rule.check(sample))) }
    return verdicts
  }

  /// Seconds that the figures of the last minute stand for, in words.
  static func window(_ sample: ServerSample) -> String {
    let seconds = sample.figures.number("window", "seconds") ?? MonitorLimits.windowSeconds
    return "\(FigureForm.fixed(seconds, 0)) s"
  }
}
