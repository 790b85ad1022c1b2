import RoostModel

/// One thread's part of a run; moments are nanoseconds of the monotonic clock.
struct LoadPlan: Sendable {
  var mix: Mix
  var keys: KeySpace
  var writes: WriteSet?
  var connections: Int
  var depth: Int
  var start: UInt64
  /// From here on requests are measured.
  var measureFrom: UInt64
  /// From here on nothing is sent.
  var end: UInt64
  /// The intervals of the time series.
  var grid: TimeGrid
  /// nil for a closed loop.
  var pacing: Pacing?
  var random: RandomSource
}

/// A request to be sent.
struct LoadRequest {
  enum Body {
    case get(row: Int64)
    case fetch(from: Int64)
    case count(from: Int64)
    case write(WriteOperation)
    case echo
  }
  var body: Body
  var connection: Int
  /// Comes back with the answer.
  var slot: Int
}

/// How a request ended.
enum CallOutcome {
  /// `commit` is that of a write, else 0.
  case success(commit: UInt64, rows: UInt64, bytes: UInt64)
  /// `isOutcomeUnknown`: a write that may have happened.
  case failure(FailureKind, isOutcomeUnknown: Bool)
}

/// Where requests go: connections, or a test's script.
protocol CallPort: AnyObject {
  /// Sends a request, whose end ``LoadEngine/answered(_:_:now:)`` hears later, never within this.
  func send(_ request: LoadRequest)
}
