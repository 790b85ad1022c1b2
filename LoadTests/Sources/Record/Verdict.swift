/// Whether a run kept what was asked of it.
struct Verdict: Hashable, Sendable {
  /// As it was asked for: `get.p99 < 5ms`.
  var rule: String
  /// What the run has come to.
  var found: String
  var holds: Bool
}
