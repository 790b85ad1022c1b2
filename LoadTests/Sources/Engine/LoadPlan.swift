import RoostModel

/// One thread's part of a run; moments are nanoseconds of the monotonic clock.
struct LoadPlan: Sendable {
  var mix: Mix
  var keys: KeySpace
  var writes: WriteSet?
  /// Rows the run makes for itself.
  var own: OwnRows?
  /// Which places of ``keys`` are chosen.
  var rows: KeyChooser
  /// Which of the keys that are asked by are chosen.
  var lookups = KeyChooser(count: 0, distribution: .uniform)
  var batchKeys = 100
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
    case batch(rows: [Int64])
    /// The place of a key.
    case lookup(UInt64)
    case slow(from: Int64)
    case own(OwnWrite)
    case churn
    case fetch(from: Int64)
    case count(from: Int64)
    case write(WriteOperation)
    case echo
    case stats
  }
  var body: Body
  var connection: Int
  /// Comes back with the answer.
  var slot: Int
}

/// How a request ended.
enum CallOutcome {
  /// `commit` and `row` are those of a write, else 0.
  case success(commit: UInt64, rows: UInt64, bytes: UInt64, row: Int64 = 0)
  /// `isOutcomeUnknown`: a write that may have happened.
  case failure(FailureKind, isOutcomeUnknown: Bool)
}

/// Where requests go: connections, or a test's script.
protocol CallPort: AnyObject {
  /// Sends a request, whose end ``LoadEngine/answered(_:_:now:)`` hears later, never within this.
  func send(_ request: LoadRequest)
}
