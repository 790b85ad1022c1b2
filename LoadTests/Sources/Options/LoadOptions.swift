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

/// What the command line asks for.
enum Invocation: Hashable, Sendable {
  case help
  case run(LoadOptions)
  /// Two files with results, and where the page goes.
  case compare(String, String, report: String?)
}
