import RoostModel

/// Why a request failed, as far as results tell failures apart.
struct FailureKind: Hashable, Sendable {
  var code: StatusCode
  var detail: StatusDetail
  var message: String

  /// Two failures with one status are one kind; the first message stands for all.
  static func == (left: FailureKind, right: FailureKind) -> Bool {
    left.code == right.code && left.detail == right.detail
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(detail)
  }
}

/// What the requests of one operation came to.
///
/// Latencies are those of requests that succeeded and of those that ran into their deadline: a fast
/// refusal is no latency of the service, a request nobody answered is.
struct Tally: Sendable {
  var latencies = Histogram()
  private(set) var successes: UInt64 = 0
  private(set) var errors: UInt64 = 0
  private(set) var failures: [FailureKind: UInt64] = [:]
  /// Rows and bytes the answers brought.
  var rows: UInt64 = 0
  var bytes: UInt64 = 0

  var requests: UInt64 { successes &+ errors }
  /// Nothing was counted, not even the waiting of a request that was never sent.
  var isEmpty: Bool { requests == 0 && latencies.isEmpty }

  mutating func succeeded(after nanoseconds: UInt64) {
    successes &+= 1
    latencies.record(nanoseconds)
  }

  mutating func failed(_ kind: FailureKind, after nanoseconds: UInt64) {
    errors &+= 1
    if failures[kind] != nil || failures.count < LoadLimits.failureKindsMax {
      failures[kind, default: 0] += 1
    }
    if kind.code == .deadlineExceeded { latencies.record(nanoseconds) }
  }

  mutating func add(_ outcome: CallOutcome, after nanoseconds: UInt64) {
    switch outcome {
    case .success(_, let rows, let bytes, _):
      succeeded(after: nanoseconds)
      self.rows &+= rows
      self.bytes &+= bytes
    case .failure(let kind, _): failed(kind, after: nanoseconds)
    }
  }

  mutating func merge(_ other: Tally) {
    if other.isEmpty { return }
    latencies.merge(other.latencies)
    successes &+= other.successes
    errors &+= other.errors
    for (kind, count) in other.failures
    where failures[kind] != nil || failures.count < LoadLimits.failureKindsMax {
      failures[kind, default: 0] += count
    }
    rows &+= other.rows
    bytes &+= other.bytes
  }

  /// Forgets everything and keeps the histogram's memory.
  mutating func reset() {
    if isEmpty { return }
    latencies.reset()
    successes = 0
    errors = 0
    failures.removeAll()
    rows = 0
    bytes = 0
  }
}

/// One tally for each operation.
struct Tallies: Sendable {
  private var items = [Tally](repeating: Tally(), count: Operation.allCases.count)

  subscript(operation: Operation) -> Tally {
    get { items[operation.rawValue] }
    _modify { yield &items[operation.rawValue] }
  }

  mutating func merge(_ other: Tallies) {
    for operation in Operation.allCases { self[operation].merge(other[operation]) }
  }

  mutating func reset() {
    for operation in Operation.allCases { self[operation].reset() }
  }

  var isEmpty: Bool { items.allSatisfy { $0.isEmpty } }

  /// All operations as one.
  var total: Tally {
    var sum = Tally()
    for item in items { sum.merge(item) }
    return sum
  }
}
