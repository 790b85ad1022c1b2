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
      if generation == changes.generation {
        fill(answer.found, result.snapshot)
        noteNeighbours(answer.found)
      }
      if case .success = answer.result, answer.rowCount > 0 {
        let rows = UInt64(answer.rowCount)
        models.count(answer.entity) {
          $0.gets &+= rows
          $0.getMisses &+= rows
        }
      }
      switch answer.result {
      case .success(let message): answer.call.session.finish(answer.call) { $0.raw(message) }
      case .failure(let error): answer.call.session.finish(answer.call, error)
      }
    }
    changes.finish(started)
    if !result.rest.isEmpty { read(result.rest) }
    readNeighbours()
  }

  private func noteNeighbours(_ found: FoundRows) {
    // An import wants the processor, and changes what would be read.
    guard importsRunning == 0, plans[found.entity]?.isCompact == true else { return }
    neighbours.note(found, cache)
  }

  /// Sends the reader for rows beside those that were missed, once its answers are on their way.
  private func readNeighbours() {
    guard let blocks = neighbours.take() else { return }
    let started = changes.start()
    let generation = changes.generation
    let (points, plans) = (points, plans)
    points.strand.run { [self] in
      let result = points.assumeIsolated { $0.neighbours(blocks, plans: plans) }
      post {
        self.catchUp()
        if generation == self.changes.generation {
          for found in result.found { self.fill(found, result.snapshot, isAsked: false) }
        }
        self.changes.finish(started)
        self.neighbours.isReading = false
        self.readNeighbours()
      }
    }
  }

  private func fill(_ found: FoundRows, _ snapshot: UInt64, isAsked: Bool = true) {
    guard !found.fills.isEmpty, found.schemaVersion == plans.schema.version else { return }
    found.bytes.withUnsafeBytes { bytes in
      for fill in found.fills {
        // A reader may see a commit a moment before the feed tells of it.
        guard changes.isCurrent(entity: found.entity, row: fill.row, snapshot: snapshot) else {
          continue
        }
        // What is here has been asked for, and is the same.
        if !isAsked, cache.contains(entity: found.entity, row: fill.row) { continue }
        let row = UnsafeRawBufferPointer(rebasing: bytes[fill.start..<fill.end])
        guard let key = fill.key else {
          cache.insert(entity: found.entity, row: fill.row, bytes: row)
          continue
        }
        key.withUnsafeBytes {
          cache.insert(entity: found.entity, row: fill.row, bytes: row, key: $0)
        }
      }
    }
  }
}
