import RoostModel
import RoostTransport
import RoostWire

extension ServerCore {
  /// Puts a get on this turn's batch for the point reader.
  func miss(_ request: IncomingRequest, _ body: [UInt8], in session: Session) {
    guard getsQueued < limits.getsQueuedMax else {
      return session.refuse(request, queue: "the queue of gets", limits.getsQueuedMax)
    }
    getsQueued += 1
    let call = Call(request, in: session)
    session.begin(call)
    missed.append(
      PointRead(
        call: call, deadline: call.deadline, body: body,
        replyBytesMax: session.connection.replyBytesMax))
  }

  /// Sends the turn's misses to the reader, as one batch.
  func sendMisses() {
    guard !missed.isEmpty else { return }
    let reads = missed
    missed = []
    read(reads[...])
  }

  private func read(_ reads: ArraySlice<PointRead>) {
    let started = changes.start()
    let generation = changes.generation
    let (points, plans, bytesMax) = (points, plans, limits.getBytesReadMax)
    points.strand.run { [self] in
      let result = points.assumeIsolated { $0.answer(reads, plans: plans, bytesMax: bytesMax) }
      post { self.deliver(result, started, generation) }
    }
  }

  private func deliver(_ result: PointAnswers, _ started: UInt64, _ generation: UInt64) {
    getsQueued -= result.answers.count
    catchUp()
    for answer in result.answers {
      if generation == changes.generation { fill(answer, result.snapshot) }
      switch answer.result {
      case .success(let message): answer.call.session.finish(answer.call) { $0.raw(message) }
      case .failure(let error): answer.call.session.finish(answer.call, error)
      }
    }
    changes.finish(started)
    if !result.rest.isEmpty { read(result.rest) }
  }

  private func fill(_ answer: PointAnswer, _ snapshot: UInt64) {
    // A reader may see a commit a moment before the feed tells of it.
    guard !answer.fills.isEmpty, answer.schemaVersion == plans.schema.version else { return }
    answer.rows.withUnsafeBytes { bytes in
      for fill in answer.fills {
        guard changes.isCurrent(entity: answer.entity, row: fill.row, snapshot: snapshot) else {
          continue
        }
        let row = UnsafeRawBufferPointer(rebasing: bytes[fill.start..<fill.end])
        guard let key = fill.key else {
          cache.insert(entity: answer.entity, row: fill.row, bytes: row)
          continue
        }
        key.withUnsafeBytes {
          cache.insert(entity: answer.entity, row: fill.row, bytes: row, key: $0)
        }
      }
    }
  }
}
