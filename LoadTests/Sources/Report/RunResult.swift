/// How busy the generator itself was.
struct GeneratorLoad: Hashable, Sendable {
  /// Share of a processor each thread used while it measured.
  var threadShares: [Double] = []
  /// How late requests of an open loop were sent though they could have been.
  var lag = Histogram()

  var busiest: Double { threadShares.max() ?? 0 }

  /// Above this a thread has no time left: what is measured is the generator, not the server.
  static let limitingShare = 0.9

  var isLimiting: Bool { busiest >= GeneratorLoad.limitingShare }
}

/// What a run worked on.
struct TargetSummary: Hashable, Sendable {
  var url: String
  /// nil when only echoes were sent.
  var entity: String?
  var rows: UInt64 = 0
  /// Identifiers were too scattered to keep them all.
  var isTruncated = false
  /// Name and version of the server's program.
  var server = ""
  /// `attribute of n rows`, when there were writes.
  var writes: String?
}

/// Everything a run found out.
struct RunResult: Sendable {
  var options: LoadOptions
  var target: TargetSummary
  var tallies: Tallies
  /// From the beginning of measuring to its end or the last answer, whichever is later.
  var seconds: Double
  /// What was counted over time, warm-up included.
  var timeline: [TimelinePoint] = []
  /// Date and time, ISO 8601.
  var startedAt = ""
  var unsent: UInt64 = 0
  var generator = GeneratorLoad()
  /// Rows that writes changed and that have been put back; nil when nothing was to be put back.
  var restored: Int?
  /// What imports beside the requests came to.
  var imports: ImportOutcome?
  /// Rows the run made for itself and has deleted again.
  var removed: Int?
  /// Rows still have values that writes gave them.
  var couldNotRestore = false
  /// What did not go as planned and is no failed request.
  var notes: [String] = []
  var wasInterrupted = false
  /// What became of thresholds and checks.
  var verdicts: [Verdict] = []
  /// The search this run is the end of.
  var search: SearchOutcome?

  var hasFailures: Bool { tallies.total.errors > 0 || !(imports?.failures.isEmpty ?? true) }

  /// Whether the run is what was asked for: thresholds and checks hold, and nothing failed unless
  /// a threshold says how much may.
  var isGood: Bool {
    let judgesErrors = options.thresholds.contains { $0.allowsErrors }
    return verdicts.allSatisfy(\.holds) && (judgesErrors || !hasFailures) && !couldNotRestore
  }

  func perSecond(_ count: UInt64) -> Double { seconds > 0 ? Double(count) / seconds : 0 }
}
