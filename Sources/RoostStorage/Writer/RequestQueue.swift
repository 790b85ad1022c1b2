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

/// Requests on their way to the writer's thread: many put, one takes.
final class RequestQueue: Sendable {
  private struct State {
    var waiting: [WriterRequest] = []
    /// Index of the first that is not taken; the array is cut when all are.
    var head = 0
    var byteCount = 0
    var isClosed = false
    var takerSleeps = false
    var requestsHighest = 0
  }

  private let state = Mutex(State())
  private let wake = DispatchSemaphore(value: 0)

  /// Puts a request at the end, or says why not.
  func put(_ request: WriterRequest) -> StoreError? {
    let byteCount = request.byteCount
    return state.withLock { state -> StoreError? in
      if state.isClosed { return StoreError(.unavailable, .draining, "the store is closed") }
      let count = state.waiting.count - state.head
      if count >= StorageLimits.queueRequestsMax
        || (count > 0 && state.byteCount + byteCount > StorageLimits.queueBytesMax)
      {
        return StoreError(
          .resourceExhausted, .queue,
          "the writer's queue is full: \(StorageLimits.queueRequestsMax) requests or "
            + "\(StorageLimits.queueBytesMax >> 20) MiB")
      }
      state.waiting.append(request)
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
    state.withLock { Self.takeFirst(&$0) }
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
        if let request = Self.takeFirst(&state) { return .request(request) }
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

  private static func takeFirst(_ state: inout State) -> WriterRequest? {
    guard state.head < state.waiting.count else { return nil }
    let request = state.waiting[state.head]
    state.head += 1
    state.byteCount -= request.byteCount
    if state.head == state.waiting.count {
      state.waiting.removeAll(keepingCapacity: state.waiting.count <= 1_024)
      state.head = 0
    } else if state.head >= 512 {
      state.waiting.removeSubrange(0..<state.head)
      state.head = 0
    }
    return request
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

  var figures: (requests: Int, bytes: Int, highest: Int) {
    state.withLock { ($0.waiting.count - $0.head, $0.byteCount, $0.requestsHighest) }
  }
}
