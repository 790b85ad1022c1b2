/// What a rule found.
enum DoctorVerdict: Hashable, Sendable {
  /// Looked at and well; the figure it was judged by.
  case well(String)
  case found(DoctorFinding)
  /// The server does not tell what the rule needs.
  case untold

  /// What decides the exit code; notes do not.
  var level: FigureLevel {
    if case .found(let finding) = self { finding.level ?? .fine } else { .fine }
  }
}

/// Something an operator should know, and what to do about it.
struct DoctorFinding: Hashable, Sendable {
  /// Nil for a note: worth knowing, no reason to act.
  var level: FigureLevel?
  var what: String
  var figure: String
  /// What the figure was held against.
  var threshold: String
  var advice: String

  var word: String {
    switch level {
    case .critical: "CRITICAL"
    case .warning: "warning"
    case .fine, nil: "note"
    }
  }
}
