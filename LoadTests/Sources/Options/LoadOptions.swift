/// What a run is to do, as the command line says it.
struct LoadOptions: Hashable, Sendable {
  var url = ""
  var mix = Mix.getsOnly
  var connections = 50
  /// Requests each connection has under way at once.
  var depth = 1
  var threads = 1
  var durationSeconds = 10.0
  var warmupSeconds = 2.0
  /// Length of the time series' intervals.
  var intervalSeconds = 1.0
  /// Requests per second of an open loop; nil for a closed loop.
  var ratePerSecond: UInt64?
  /// Rates that change, or follow from the server's capacity; takes the place of one rate.
  var profile: RateProfile?
  /// The scenario's name.
  var scenario: String?
  var keys = KeyDistribution.uniform
  /// Rows of one `batch`.
  var batchKeys = 100
  /// How long a slow reader keeps the credit of each message, and how much it gives ahead.
  var slowMilliseconds = 50
  var slowCreditBytes = 1 << 16
  /// Rows to be made before the run.
  var data: DataPlan?
  /// Imports that run beside the requests.
  var imports: BesideImports?
  var thresholds: [Threshold] = []
  /// What the highest rate is searched for.
  var search: Threshold?
  var entity: String?
  var seed: UInt64 = 1
  var timeoutSeconds = 30.0
  /// Rows of one page that `fetch` reads.
  var fetchRows = 100
  /// Payload of an echo.
  var echoBytes = 64
  var keepsWrites = false
  var isJSON = false
  /// Where the page goes.
  var reportFile: String?
  /// Where to say that the measuring has begun.
  var measuringFile: String?
}

extension LoadOptions {
  var isOpenLoop: Bool { ratePerSecond != nil || profile != nil }

  /// Whether the run makes rows for itself.
  var makesRows: Bool {
    (data != nil && data?.file == nil) || imports != nil
      || mix.operations.contains { $0.needsOwnRows }
  }

  /// The loop in words.
  var loopText: String {
    let shape = "\(connections) × \(depth)"
    if let profile { return "open loop, \(profile.text) over \(shape)" }
    guard let rate = ratePerSecond else { return "closed loop, \(shape)" }
    return "open loop, \(Figures.grouped(rate)) requests/s over \(shape)"
  }
}

/// What the command line asks for.
enum Invocation: Hashable, Sendable {
  case help
  case run(LoadOptions)
  /// Two files with results, and where the page goes.
  case compare(String, String, report: String?)
}
