import RoostModel
import RoostTransport
import RoostWire

/// An import stream. Credit goes back with each acknowledgement, so what is in memory is bounded
/// by the window, however large the file.
///
/// starting → open → ending (the client has sent its last) → over. A failure ends it from any.
@MainActor
final class ImportCall: Call {
  private let importer: Importer
  private var isStarted = false
  private var hasInputEnded: Bool
  private(set) var figures: ImportFigures
  private var commit: UInt64 = 0

  init(
    _ request: IncomingRequest, _ descriptor: ImportDescriptor, _ importer: Importer,
    in session: Session
  ) {
    self.importer = importer
    figures = ImportFigures(
      descriptor, client: session.id, agent: session.agent, now: session.core.loop.now)
    hasInputEnded = request.isLast
    super.init(request, in: session)
  }

  func start() {
    let (importer, core) = (importer, session.core)
    importer.strand.run { [self] in
      importer.assumeIsolated { importer in
        importer.begin { result in core.post { self.started(result) } }
      }
    }
  }

  private func started(_ result: Result<UInt64, StoreError>) {
    guard !isOver else { return }
    switch result {
    case .failure(let error): session.finish(self, error)
    case .success(let next):
      isStarted = true
      let window = session.connection.limits.streamWindow
      session.connection.send(stream) { ImportStarted.encode(next: next, into: &$0) }
      session.connection.grant(WireLimits.importWindow - window, on: stream)
      session.core.markDirty(session)
      finishIfDone()
    }
  }

  override func received(_ body: MessageBody, credit: Int, isLast: Bool) {
    hasInputEnded = hasInputEnded || isLast
    let bytes = body.bytes
    figures.chunksWaiting += 1
    figures.bytes += bytes.count
    session.core.importBytesTaken(bytes.count, from: session)
    let (importer, core) = (importer, session.core)
    let isTaken = importer.strand.run { [self] in
      importer.assumeIsolated {
        $0.add(bytes) { result, offset in
          core.post {
            self.figures.sourceOffset = offset ?? self.figures.sourceOffset
            self.acknowledged(result, byteCount: bytes.count, credit: credit)
          }
        }
      }
    }
    if !isTaken { session.core.importBytesReleased(bytes.count) }
  }

  override func inputEnded() {
    hasInputEnded = true
    finishIfDone()
  }

  private func acknowledged(
    _ result: Result<ImportAcknowledgement, StoreError>, byteCount: Int, credit: Int
  ) {
    session.core.importBytesReleased(byteCount)
    figures.chunksWaiting -= 1
    // Also those of an import that has ended meanwhile: their rows are in.
    if case .success(let acknowledgement) = result { session.core.stats.count(acknowledgement) }
    guard !isOver else { return }
    switch result {
    case .failure(let error): return session.finish(self, error)
    case .success(let acknowledgement):
      figures.accepted += acknowledgement.accepted
      figures.rejected += acknowledgement.rejected
      figures.chunks += 1
      commit = max(commit, acknowledgement.commit)
      session.connection.send(stream) { acknowledgement.encode(into: &$0) }
      session.connection.returnCredit(credit, on: stream)
      session.core.markDirty(session)
    }
    finishIfDone()
  }

  private func finishIfDone() {
    guard isStarted, hasInputEnded, figures.chunksWaiting == 0, !isOver else { return }
    session.finish(
      self,
      EndStatus(trailers: [
        ("rejected", .int(Int64(figures.rejected))), ("rows", .int(Int64(figures.accepted))),
        ("token", .int(Int64(bitPattern: commit))),
      ]))
  }

  override func stop(_ status: EndStatus) {
    session.core.importsRunning -= 1
    figures.ended = session.core.loop.now
    figures.end = status
    session.core.imports.add(figures)
  }

  override func tick(_ now: LoopInstant) { figures.rate.look(figures.rows, now: now) }

  // MARK: For statistics

  override var rowCount: Int { figures.rows }

  override var subject: CallSubject {
    CallSubject(
      entity: figures.descriptor.entity, text: figures.descriptor.source?.name ?? "")
  }
}

extension Session {
  func startImport(_ request: IncomingRequest, _ body: MessageBody) {
    guard core.importsRunning < core.limits.importsMax else {
      return refuse(request, queue: "the list of imports", core.limits.importsMax)
    }
    do throws(MessageError) {
      let descriptor = try body.withBytes { bytes throws(MessageError) in
        try ImportDescriptor(bytes)
      }
      core.importsRunning += 1
      let importer = Importer(core.engine, descriptor, strand: Strand(on: core.writers))
      let call = ImportCall(request, descriptor, importer, in: self)
      begin(call)
      call.start()
    } catch {
      refuse(request, EndStatus(error))
    }
  }
}

extension ServerCore {
  /// Counts a chunk on its way to the store; its connection rests while there are too many.
  func importBytesTaken(_ byteCount: Int, from session: Session) {
    importBytesQueued += byteCount
    guard importBytesQueued > limits.importBytesQueuedMax,
      !importersPaused.contains(where: { $0 === session })
    else { return }
    importersPaused.append(session)
    session.pauseReading()
  }

  func importBytesReleased(_ byteCount: Int) {
    importBytesQueued -= byteCount
    guard importBytesQueued <= limits.importBytesQueuedMax / 2, !importersPaused.isEmpty else {
      return
    }
    let sessions = importersPaused
    importersPaused = []
    for session in sessions { session.resumeReading() }
  }
}
