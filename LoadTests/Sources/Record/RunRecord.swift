/// A finished run as its JSON result tells it: what reports and comparisons are made from.
struct RunRecord: Hashable, Sendable {
  /// One operation, or all together.
  struct Line: Hashable, Sendable {
    var name: String
    var requests: UInt64
    var errors: UInt64
    var requestsPerSecond: Double
    var latencies: Histogram
  }

  /// Something to be read beside the figures: an option, the server's name.
  struct Fact: Hashable, Sendable {
    var name: String
    var value: String
  }

  var url = ""
  var entity: String?
  /// The name of the scenario, if it was one.
  var scenario: String?
  var rows: UInt64 = 0
  var server = ""
  var startedAt = ""
  var mix = ""
  var loop = ""
  var seconds = 0.0
  var total: Line
  var operations: [Line]
  var timeline: [TimelinePoint] = []
  var facts: [Fact] = []
  var generator = GeneratorRecord()
  var unsent: UInt64 = 0
  var failures: [String] = []
  var notes: [String] = []
  /// Thresholds and checks, in the order they were given.
  var verdicts: [Verdict] = []
}

/// How busy the generator of a finished run was.
struct GeneratorRecord: Hashable, Sendable {
  var threadShares: [Double] = []
  var isLimiting = false
  /// Nanoseconds that requests of an open loop were sent late, 99th percentile.
  var lag: UInt64?

  var busiest: Double { threadShares.max() ?? 0 }
}
