import Dispatch
import RoostModel
import Synchronization

/// What the writer is asked to do.
enum WriterRequest: Sendable {
  case write(WriteBatch, @Sendable (Result<WriteResult, StoreError>) -> Void)
  case chunk(
    ImportChunk, ImportDescriptor, @Sendable (Result<ImportAcknowledgement, StoreError>) -> Void)
  case beginImport(ImportDescriptor, @Sendable (Result<UInt64, StoreError>) -> Void)
  case register(StoreSchema, @Sendable (Result<SchemaRegistration, StoreError>) -> Void)
  case reserve(EntityID, Int, @Sendable (Result<Range<Int64>, StoreError>) -> Void)

  /// About what it takes in memory while it waits.
  var byteCount: Int {
    switch self {
    case .write(let batch, _): batch.operations.reduce(128) { $0 + Self.byteCount($1) }
    case .chunk(let chunk, _, _): chunk.rows.body.count + 256
    case .beginImport, .register, .reserve: 256
    }
  }

  private static func byteCount(_ operation: WriteOperation) -> Int {
    switch operation {
    case .insert(_, _, let assignments), .update(_, _, let assignments, _),
      .upsert(_, _, _, let assignments):
      assignments.reduce(64) { $0 + byteCount($1.value) }
    case .delete, .link, .unlink: 64
    }
  }

  private static func byteCount(_ value: Value) -> Int {
    switch value {
    case .text(let text), .decimal(let text): 48 + text.utf8.count
    case .blob(let bytes): 64 + bytes.count
    default: 48
    }
  }

  func fail(_ error: StoreError) {
    switch self {
    case .write(_, let completion): completion(.failure(error))
    case .chunk(_, _, let completion): completion(.failure(error))
    case .beginImport(_, let completion): completion(.failure(error))
    case .register(_, let completion): completion(.failure(error))
    case .reserve(_, _, let completion): completion(.failure(error))
    }
  }
}

/// First in, first out, without moving what waits.
private struct Lane {
  private struct Entry {
    /// nil once it is taken.
    var request: WriterRequest?
    let put: UInt64
  }

  private var requests: [Entry] = []
  /// The first that is not taken; the array is cut now and then.
  private var head = 0

  var count: Int { requests.count - head }

  /// When the oldest that waits was put.
  var oldest: UInt64? { head < requests.count ? requests[head].put : nil }

  mutating func put(_ request: WriterRequest, at now: UInt64) {
    requests.append(Entry(request: request, put: now))
  }

  mutating func take() -> WriterRequest? {
    guard head < requests.count else { return nil }
    let request = requests[head].request
    requests[head].request = nil
    head += 1
    if head == requests.count {
      requests.removeAll(keepingCapacity: requests.count <= 1_024)
      head = 0
    } else if head >= 512 {
      requests.removeSubrange(0..<head)
      head = 0
    }
    return request
  }
}

/// Requests on their way to the writer's thread: many put, one takes.
///
/// Import chunks stand in a lane of their own, so that a small write never waits behind them; each
/// lane keeps its order.
final class RequestQueue: Sendable {
  private struct State {
    var quick = Lane()
    var bulk = Lane()
    var quickInRow = 0
    var byteCount = 0
    var isClosed = false
    var takerSleeps = false
    var requestsHighest = 0
    var refused = 0

    var count: Int { quick.count + bulk.count }

    mutating func put(_ request: WriterRequest, at now: UInt64) {
      if case .chunk = request { bulk.put(request, at: now) } else { quick.put(request, at: now) }
    }

    mutating func take() -> WriterRequest? {
      let isBulkTurn = quickInRow >= StorageLimits.quickInRowMax && bulk.count > 0
      let request = isBulkTurn ? bulk.take() : quick.take() ?? bulk.take()
      guard let request else { return nil }
      if case .chunk = request { quickInRow = 0 } else { quickInRow += 1 }
      byteCount -= request.byteCount
      return request
    }
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)
  private let clock: StoreClock

  init(_ clock: StoreClock = .monotonic) { self.clock = clock }

  /// Puts a request at the end, or says why not.
  ///
  /// A caller that waits for the answer holds its request's bytes anyway, and does one at a time:
  /// the bound of bytes is for the others.
  func put(_ request: WriterRequest, callerWaits: Bool) -> StoreError? {
    let byteCount = request.byteCount
    let now = clock.now()
    return state.withLock { state -> StoreError? in
      if state.isClosed { return StoreError(.unavailable, .draining, "the store is closed") }
      let count = state.count
      if count >= StorageLimits.queueRequestsMax
        || (!callerWaits && count > 0
          && state.byteCount + byteCount > StorageLimits.queueBytesMax)
      {
        state.refused += 1
        return StoreError(
          .resourceExhausted, .queue,
          "the writer's queue is full: \(StorageLimits.queueRequestsMax) requests or "
            + "\(StorageLimits.queueBytesMax >> 20) MiB")
      }
      state.put(request, at: now)
      state.byteCount += byteCount
      state.requestsHighest = max(state.requestsHighest, count + 1)
      if state.takerSleeps {
        state.takerSleeps = false
        wake.signal()
      }
      return nil
    }
  }

  /// The next request if one waits.
  func takeIfReady() -> WriterRequest? {
    state.withLock { $0.take() }
  }

  enum Taken {
    case request(WriterRequest)
    case timeout
    case closed
  }

  /// The next request; waits until one comes, the time is up or the queue is closed and empty.
  func take(milliseconds: Int?) -> Taken {
    let deadline = milliseconds.map { DispatchTime.now() + .milliseconds($0) }
    while true {
      let taken = state.withLock { state -> Taken? in
        if let request = state.take() { return .request(request) }
        if state.isClosed { return .closed }
        state.takerSleeps = true
        return nil
      }
      if let taken { return taken }
      if let deadline {
        if wake.wait(timeout: deadline) == .timedOut, stopSleeping() { return .timeout }
      } else {
        wake.wait()
      }
    }
  }

  /// False if a signal is on its way, which then must be taken.
  private func stopSleeping() -> Bool {
    let slept = state.withLock { state -> Bool in
      defer { state.takerSleeps = false }
      return state.takerSleeps
    }
    if !slept { wake.wait() }
    return slept
  }

  /// Takes no more; what waits is still handed out.
  func close() {
    state.withLock { state in
      state.isClosed = true
      if state.takerSleeps {
        state.takerSleeps = false
        wake.signal()
      }
    }
  }

  struct Figures {
    var requests = 0
    var bytes = 0
    var requestsHighest = 0
    /// Requests that found it full.
    var refused = 0
    /// How long the oldest has waited.
    var oldestMicroseconds = 0
  }

  var figures: Figures {
    let now = clock.now()
    return state.withLock { state in
      let oldest = min(state.quick.oldest ?? now, state.bulk.oldest ?? now)
      return Figures(
        requests: state.count, bytes: state.byteCount, requestsHighest: state.requestsHighest,
        refused: state.refused,
        oldestMicroseconds: Int(clamping: (now &- min(oldest, now)) / 1_000))
    }
  }
}
