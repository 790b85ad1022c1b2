import RoostModel
import RoostWire

/// The loop's side of an import: chunks that are not acknowledged, which of them are sent, and the
/// way back into the stream after a lost connection.
///
/// `@unchecked Sendable`: touched by the loop's thread alone; ``ImportWriter`` hands everything
/// over in jobs.
final class ImportCore: StreamHandler, @unchecked Sendable {
  /// A chunk the server has not acknowledged; at most ``ClientLimits/importChunksMax`` of them.
  private struct Chunk {
    let number: UInt64
    let firstRow: Int
    let rowCount: Int
    let bytes: [UInt8]

    /// An error of the chunk by its place in the whole import.
    func placed(_ error: RowError) -> ImportRowError {
      ImportRowError(
        row: firstRow + error.row, detail: error.detail, property: error.property,
        message: error.message)
    }
  }

  private let session: ClientSession
  private let openingBody: [UInt8]
  private let deadline: LoopInstant
  private let report: (ImportReport) -> Void
  private let finished: (Result<ImportProgress, ClientError>) -> Void
  private var chunks: [Chunk] = []
  /// How many of ``chunks`` this connection has been given.
  private var sentCount = 0
  private var isInputEnded = false
  private var isEndSent = false
  /// The server's first message on this stream has come.
  private var isStarted = false
  private var isFinished = false
  private var place: (connection: RoostConnection, stream: UInt32)?
  private var call: SessionCall?
  private var lostInSuccession = 0
  /// Ends the import if the server does not come back; set while the import has no stream.
  private var patience: LoopTimer?
  private(set) var progress = ImportProgress()

  init(
    _ session: ClientSession, openingBody: [UInt8], deadline: LoopInstant,
    report: @escaping @Sendable (ImportReport) -> Void,
    finished: @escaping @Sendable (Result<ImportProgress, ClientError>) -> Void
  ) {
    self.session = session
    self.openingBody = openingBody
    self.deadline = deadline
    self.report = report
    self.finished = finished
  }

  func start() {
    guard !isFinished else { return }
    let call = SessionCall(
      .import, .stream, body: openingBody, deadline: deadline, shape: .stream(self))
    self.call = call
    session.start(call)
  }

  func add(number: UInt64, firstRow: Int, rowCount: Int, bytes: [UInt8]) {
    guard !isFinished else { return }
    chunks.append(Chunk(number: number, firstRow: firstRow, rowCount: rowCount, bytes: bytes))
    progress.sent += rowCount
    pump()
  }

  /// No chunk comes any more; the import ends when all are acknowledged.
  func endInput() {
    isInputEnded = true
    pump()
  }

  func abort(_ error: ClientError) {
    // First of all: what the cancellation brings must not be the reason.
    finish(.failure(error))
    if let call { session.cancel(call) }
  }

  // MARK: Stream

  func opened(_ connection: RoostConnection, stream: UInt32) {
    place = (connection, stream)
    sentCount = 0
    isEndSent = false
    isStarted = false
    pump()
  }

  /// Sends what the connection takes; the rest goes when credit comes back.
  private func pump() {
    guard let (connection, stream) = place, !isEndSent else { return }
    while sentCount < chunks.count {
      guard connection.mayStream(stream) else { return }
      let bytes = chunks[sentCount].bytes
      switch connection.message(stream, body: { $0.raw(bytes) }) {
      case .sent, .queued: sentCount += 1
      case .gone, .full: return
      case .tooLarge:
        return abort(
          ClientError(
            .resourceExhausted, .local,
            "a row to import is over the server's max_message", detail: .messageSize))
      }
    }
    if isInputEnded {
      isEndSent = true
      connection.endInput(stream)
    }
  }

  func creditReturned() { pump() }

  func received(_ message: UnsafeRawBufferPointer, wireBytes: Int) {
    place.map { $0.connection.release($0.stream, wireBytes) }
    do throws(MessageError) {
      if !isStarted {
        isStarted = true
        endPatience()
        // What the server has taken already is sent all the same: only its answer to a chunk
        // says what became of the rows.
        _ = try ImportStarted.decode(message)
        return
      }
      for item in try ImportAcknowledgement.list(message) { acknowledged(item) }
    } catch {
      abort(.badReply(error.message))
    }
  }

  private func acknowledged(_ acknowledgement: ImportAcknowledgement) {
    guard let index = chunks.firstIndex(where: { $0.number == acknowledgement.number }) else {
      return
    }
    lostInSuccession = 0
    let chunk = chunks.remove(at: index)
    if index < sentCount { sentCount -= 1 }
    progress.acknowledged += chunk.rowCount
    progress.accepted += acknowledgement.accepted
    progress.rejected += acknowledgement.rejected
    // Taken before the connection was lost, and so long ago that the server keeps no report of it.
    if !acknowledgement.hasCounts { progress.unknown += chunk.rowCount }
    progress.commit = max(progress.commit, acknowledgement.commit)
    report(
      ImportReport(
        progress: progress, errors: acknowledgement.errors.map { chunk.placed($0) },
        firstRow: chunk.firstRow, rowCount: chunk.rowCount))
    pump()
  }

  func ended(_ failure: AttemptFailure?, trailers: [MapEntry]) {
    place = nil
    guard !isFinished else { return }
    switch failure {
    case nil where chunks.isEmpty && isInputEnded: finish(.success(progress))
    case nil: finish(.failure(.badReply("the import ended before all its rows")))
    case .lost(let error), .unprocessed(let error), .notConnected(let error): resume(error)
    case .status(let error) where error.isRetryable && error.code != .status(.aborted):
      resume(error)
    case .status(let error): finish(.failure(error))
    }
  }

  /// Opens the import again under its own id; the server knows which chunks it has taken.
  private func resume(_ error: ClientError) {
    lostInSuccession += 1
    let isWorthTrying: Bool
    switch error.code {
    case .connectionLost: isWorthTrying = true
    default: isWorthTrying = error.isRetryable
    }
    guard isWorthTrying, lostInSuccession < ClientLimits.importResumptionsMax,
      let scope = session.scope
    else { return finish(.failure(error)) }
    if patience == nil {
      patience = scope.after(session.options.importPatience) { [self] in abort(error) }
    }
    progress.resumptions += 1
    let wait = session.reconnect.wait(before: lostInSuccession, random: .random(in: 0..<1))
    scope.after(wait) { [self] in start() }
  }

  private func endPatience() {
    if let patience { session.scope?.cancel(patience) }
    patience = nil
  }

  private func finish(_ result: Result<ImportProgress, ClientError>) {
    guard !isFinished else { return }
    isFinished = true
    endPatience()
    place = nil
    chunks = []
    finished(result)
  }
}
