import RoostModel
import RoostTransport
import RoostWire

extension Session {
  /// Answers from the cache if every key is there, else leaves the whole get to a reader.
  ///
  /// - Complexity: O(keys); on a hit no allocation and one copy, into the output.
  func get(_ request: IncomingRequest, _ body: MessageBody) {
    let isAnswered = body.withBytes { bytes in
      if let (entity, row) = GetRequest.oneRow(bytes) {
        return answerRow(request.stream, entity, row)
      }
      return answerRows(request.stream, bytes)
    }
    if isAnswered {
      core.answeredGets &+= 1
    } else {
      core.miss(request, body.bytes, in: self)
    }
  }

  private func answerRow(_ stream: UInt32, _ entity: EntityID, _ row: Int64) -> Bool {
    let position = core.cache.position(entity: entity, row: row)
    guard position != 0, let plan = core.plans[entity] else { return false }
    core.models.count(entity) { $0.gets &+= 1 }
    connection.reply(stream) { writer in
      writer.raw(plan.header)
      writer.count(1)
      writer.raw(core.cache.bytes(at: position))
    }
    return true
  }

  private func answerRows(_ stream: UInt32, _ body: UnsafeRawBufferPointer) -> Bool {
    core.positions.removeAll(keepingCapacity: true)
    guard let scan = GetScan(body, { core.find($0, $1) }), let plan = core.plans[scan.entity]
    else { return false }
    var places: [Int] = []
    if let columns = scan.columns {
      // A column there is not: the reader says so.
      guard let found = plan.places(of: columns) else { return false }
      places = found
    }
    let rows = UInt64(core.positions.count)
    core.models.count(scan.entity) { $0.gets &+= rows }
    // One key or column many times makes much of little: what is over is cut short, and refused.
    let bytesMax = connection.outputCount + connection.replyBytesMax + FrameHeader.byteCount
    guard let columns = scan.columns else {
      connection.reply(stream) { writer in
        writer.raw(plan.header)
        writer.count(core.positions.count)
        for position in core.positions where writer.byteCount <= bytesMax {
          writer.raw(core.cache.bytes(at: position))
        }
      }
      return true
    }
    let header = EntityPlan.header(scan.entity, core.plans.schema.version, columns)
    connection.reply(stream) { writer in
      writer.raw(header)
      writer.count(core.positions.count)
      for position in core.positions {
        RowSlicer.project(
          core.cache.bytes(at: position), columnCount: plan.columns.count, places, into: &writer,
          bytesMax: bytesMax)
      }
    }
    return true
  }
}

extension ServerCore {
  /// Notes where the row of a key is; false if it is not cached.
  fileprivate func find(_ entity: EntityID, _ key: GetScan.Key) -> Bool {
    let position =
      switch key {
      case .row(let row): cache.position(entity: entity, row: row)
      case .unique(let bytes): cache.position(entity: entity, key: bytes)
      }
    guard position != 0 else { return false }
    positions.append(position)
    return true
  }

  /// Counts the gets answered since `start`, all with the time the last of them took.
  func recordAnsweredGets(since start: UInt64) {
    guard answeredGets > 0 else { return }
    let now = clock.now.nanoseconds
    stats[.get].startAndSucceed(answeredGets, nanoseconds: now > start ? now - start : 0)
    answeredGets = 0
  }
}
