/// One thing that is looked at.
struct DoctorRule: Sendable {
  /// For scripts; stays.
  var name: String
  /// What is looked at, for people.
  var subject: String
  var check: @Sendable (ServerSample) -> DoctorVerdict

  /// A figure that must not be above a threshold; each is nil where the server does not tell it.
  ///
  /// `form` writes both; `finding` is what the figure means above the threshold and what to do.
  static func above(
    _ value: Double?, _ threshold: Double?, _ level: FigureLevel,
    _ form: (Double?) -> String, _ finding: (what: String, advice: String)
  ) -> DoctorVerdict {
    guard let value, let threshold else { return .untold }
    guard value > threshold else { return .well(form(value)) }
    return .found(
      DoctorFinding(
        level: level, what: finding.what, figure: form(value),
        threshold: "at most \(form(threshold))", advice: finding.advice))
  }

  /// A counter that should stay at 0.
  static func none(
    _ value: Double?, _ level: FigureLevel, _ finding: (what: String, advice: String)
  ) -> DoctorVerdict {
    above(value, 0, level, FigureForm.grouped, finding)
  }
}
