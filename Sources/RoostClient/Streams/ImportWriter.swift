public import RoostModel
import Synchronization

/// An import under way: takes batches of rows as fast as the server commits them.
///
/// Up to ``ClientLimits/importChunksMax`` chunks are under way and not acknowledged; then
/// ``send(_:)`` waits. When the connection is lost the import is taken up again under its id, and
/// no chunk goes in twice. Only one task may use a writer at a time.
public final class ImportWriter: Sendable {
  private struct State {
    var nextNumber: UInt64 = 0
    var nextRow = 0
    var unacknowledged = 0
    var ending: Result<ImportProgress, ClientError>?
    var progress = ImportProgress()
    var roomWaiter: CheckedContinuation<Void, Never>?
    var endWaiter: CheckedContinuation<Result<ImportProgress, ClientError>, Never>?
    var chunker = ImportChunker()
    var sourceOffset: UInt64?
  }
  private let state = Mutex(State())
  private let client: RoostClient
  private let core: Mutex<ImportCore?>
  private let onReport: (@Sendable (ImportReport) -> Void)?

  init(_ client: RoostClient, onReport: (@Sendable (ImportReport) -> Void)?) {
    self.client = client
    self.onReport = onReport
    core = Mutex(nil)
  }

  func start(openingBody: [UInt8], deadline: LoopInstant) {
    let core = ImportCore(
      client.session, openingBody: openingBody, deadline: deadline,
      report: { [weak self] in self?.reported($0) },
      finished: { [weak self] in self?.ended($0) })
    self.core.withLock { $0 = core }
    client.onLoop(otherwise: { ended(.failure(.closed)) }) { _ in core.start() }
  }

  deinit {
    let core = core.withLock { $0 }
    guard let core else { return }
    client.onLoop { _ in core.abort(.cancelled) }
  }

  /// The counts so far.
  public var progress: ImportProgress { state.withLock { $0.progress } }

  /// Hands rows over; waits while as many chunks as may be are under way.
  ///
  /// - Parameters:
  ///   - batch: Rows with any number of columns; small batches are joined to chunks of about
  ///     ``ClientLimits/importChunkRows`` rows, large ones are cut.
  ///   - sourceOffset: Bytes of the descriptor's source read when these rows had been; the
  ///     server shows how far the import is by it.
  /// - Throws: ``ClientError`` when the import has ended meanwhile, also for a task's cancellation.
  public func send(
    _ batch: RowBatch, sourceOffset: UInt64? = nil
  ) async throws(ClientError) {
    let chunks: Result<[RowBatch], ClientError> = state.withLock { state in
      state.sourceOffset = sourceOffset ?? state.sourceOffset
      return Result { () throws(ClientError) in try state.chunker.add(batch) }
    }
    for chunk in try chunks.get() { try await submit(chunk) }
  }

  /// Sends what is left and waits until the server has judged every row.
  ///
  /// - Returns: The final counts.
  /// - Throws: ``ClientError`` that ended the import; rows acknowledged before stay in the store.
  public func finish() async throws(ClientError) -> ImportProgress {
    if let last = state.withLock({ $0.chunker.flush() }) { try await submit(last) }
    let core = core.withLock { $0 }
    client.onLoop { _ in core?.endInput() }
    let result = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        let ending = state.withLock { state in
          if state.ending == nil { state.endWaiter = waiter }
          return state.ending
        }
        if let ending { waiter.resume(returning: ending) }
      }
    } onCancel: {
      abort()
    }
    return try result.get()
  }

  /// Ends the import; chunks that were acknowledged stay.
  public func abort() {
    let core = core.withLock { $0 }
    client.onLoop(otherwise: { ended(.failure(.closed)) }) { _ in core?.abort(.cancelled) }
  }

  private func submit(_ chunk: RowBatch) async throws(ClientError) {
    try await waitForRoom()
    let (number, row, offset) = state.withLock { state in
      defer {
        state.nextNumber += 1
        state.nextRow += chunk.rowCount
        state.unacknowledged += 1
      }
      return (state.nextNumber, state.nextRow, state.sourceOffset)
    }
    let bytes = MethodCodec.importChunk(
      ImportChunk(number: number, rows: chunk, sourceOffset: offset))
    let count = chunk.rowCount
    let core = core.withLock { $0 }
    client.onLoop { _ in
      core?.add(number: number, firstRow: row, rowCount: count, bytes: bytes)
    }
  }

  private func waitForRoom() async throws(ClientError) {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (waiter: CheckedContinuation<Void, Never>) in
        let mustWait = state.withLock { state in
          let isFull = state.unacknowledged >= ClientLimits.importChunksMax
          guard isFull, state.ending == nil else { return false }
          state.roomWaiter = waiter
          return true
        }
        if !mustWait { waiter.resume() }
      }
    } onCancel: {
      abort()
    }
    guard let ending = state.withLock({ $0.ending }) else { return }
    switch ending {
    case .failure(let error): throw error
    case .success:
      throw ClientError(.invalidArgument, .local, "the import was finished before")
    }
  }

  private func reported(_ report: ImportReport) {
    onReport?(report)
    let waiter = state.withLock { state in
      state.progress = report.progress
      state.unacknowledged -= 1
      defer { state.roomWaiter = nil }
      return state.roomWaiter
    }
    waiter?.resume()
  }

  private func ended(_ result: Result<ImportProgress, ClientError>) {
    core.withLock { $0 = nil }
    let (room, end) = state.withLock { state in
      if state.ending == nil { state.ending = result }
      defer {
        state.roomWaiter = nil
        state.endWaiter = nil
      }
      return (state.roomWaiter, state.endWaiter)
    }
    room?.resume()
    end?.resume(returning: result)
  }
}
