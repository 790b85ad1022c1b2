import RoostModel
import RoostTransport
import RoostWire

/// A get that the cache could not answer.
struct PointRead: Sendable {
  let call: Call
  let deadline: LoopInstant?
  let body: [UInt8]
  /// What the client takes; more is not even read.
  let replyBytesMax: Int
}

/// A row to be cached: where it lies in its answer's `rows`, and the key it was asked for by.
struct CacheFill: Sendable {
  var row: Int64
  var start: Int
  var end: Int
  var key: [UInt8]?
}

/// Whole rows of one entity, all columns, for the cache.
struct FoundRows: Sendable {
  var entity: EntityID = 0
  var schemaVersion: UInt32 = 0
  /// The fills lie in it.
  var bytes: [UInt8] = []
  var fills: [CacheFill] = []
}

/// What a reader found for one get.
struct PointAnswer: Sendable {
  let call: Call
  /// The reply's bytes, or why there is none.
  var result: Result<[UInt8], StoreError>
  var found = FoundRows()
  var entity: EntityID = 0
  /// As many as keys were asked for, also those that are missing.
  var rowCount = 0

  /// What it holds in memory.
  var byteCount: Int {
    if case .success(let message) = result { return message.count + found.bytes.count }
    return found.bytes.count
  }
}

/// As many answers from one snapshot as may be ready at once.
struct PointAnswers: Sendable {
  /// The snapshot's commit number.
  var snapshot: UInt64 = 0
  var answers: [PointAnswer] = []
  /// Reads that must wait until these answers are on their way.
  var rest: ArraySlice<PointRead> = []
}

/// Reads the gets of a turn in one snapshot, away from the main thread.
actor PointReader {
  nonisolated let strand: Strand
  nonisolated var unownedExecutor: UnownedSerialExecutor { strand.asUnownedSerialExecutor() }

  private let engine: any StoreEngine
  private let clock: any LoopClock
  private var reader: (any StoreReader)?
  private var watch: FeedWatch

  init(
    _ engine: any StoreEngine, feed: any ChangeFeed, clock: any LoopClock, strand: Strand
  ) {
    self.engine = engine
    watch = FeedWatch(feed)
    self.clock = clock
    self.strand = strand
  }

  /// Answers `reads` from one snapshot until the answers hold `bytesMax` bytes; one at least.
  func answer(
    _ reads: ArraySlice<PointRead>, plans: EntityPlans, bytesMax: Int
  ) -> PointAnswers {
    var result = PointAnswers(rest: reads)
    result.answers.reserveCapacity(reads.count)
    do throws(StoreError) {
      let reader = try open()
      result.snapshot = try reader.begin()
      defer { reader.end() }
      watch.wait(for: result.snapshot)
      var bytes = 0
      while bytes < bytesMax, let read = result.rest.popFirst() {
        let answer = answer(read, reader, plans)
        bytes += answer.byteCount
        result.answers.append(answer)
      }
    } catch {
      result.answers = reads.map { PointAnswer(call: $0.call, result: .failure(error)) }
      result.rest = []
    }
    return result
  }

  /// The rows of blocks that are there and not long, from one snapshot; none if they are not to be
  /// had.
  func neighbours(
    _ blocks: [NeighbourBlock], plans: EntityPlans
  ) -> (snapshot: UInt64, found: [FoundRows]) {
    do throws(StoreError) {
      let reader = try open()
      let snapshot = try reader.begin()
      defer { reader.end() }
      watch.wait(for: snapshot)
      var found: [FoundRows] = []
      for block in blocks where plans[block.entity] != nil {
        if let rows = rows(of: block, reader) { found.append(rows) }
      }
      return (snapshot, found)
    } catch {
      // Nobody waits for them: whoever wants one of these rows will hear why.
      return (0, [])
    }
  }

  private func rows(of block: NeighbourBlock, _ reader: any StoreReader) -> FoundRows? {
    let bytesMax = NeighbourBlock.rowCount * NeighbourBlock.rowBytesMax
    guard
      let batch = try? reader.rows(
        block.entity, ids: Array(block.rows), columns: nil, bytesMax: bytesMax),
      let bounds = try? PointReader.bounds(batch),
      let fills = try? PointReader.fills(batch, bounds, keys: nil)
    else { return nil }
    return FoundRows(
      entity: batch.entity, schemaVersion: batch.schemaVersion, bytes: batch.body, fills: fills)
  }

  private func open() throws(StoreError) -> any StoreReader {
    if let reader { return reader }
    let made = try engine.makeReader()
    reader = made
    return made
  }

  private func answer(
    _ read: PointRead, _ reader: any StoreReader, _ plans: EntityPlans
  ) -> PointAnswer {
    if let deadline = read.deadline, deadline <= clock.now {
      let late = StoreError(.deadlineExceeded, .deadlineBeforeStart, "time was up in the queue")
      return PointAnswer(call: read.call, result: .failure(late))
    }
    do throws(StoreError) {
      let request = try PointReader.request(read.body)
      guard let plan = plans[request.entity] else {
        throw StoreError(.notFound, .unknownEntity, "no entity \(request.entity)")
      }
      var answer = try rows(request, for: read, reader, plan)
      answer.entity = request.entity
      answer.rowCount = request.keys.count
      return answer
    } catch {
      return PointAnswer(call: read.call, result: .failure(error))
    }
  }

  private static func request(_ body: [UInt8]) throws(StoreError) -> GetRequest {
    do throws(MessageError) {
      return try body.lend { bytes throws(MessageError) in
        try GetRequest(bytes)
      }
    } catch {
      throw error.storeError
    }
  }

  private func rows(
    _ request: GetRequest, for read: PointRead, _ reader: any StoreReader, _ plan: EntityPlan
  ) throws(StoreError) -> PointAnswer {
    var ids: [Int64] = []
    for key in request.keys {
      switch key {
      case .row(let row): ids.append(row)
      case .constraint(let properties, let values):
        let row = try reader.row(request.entity, constraint: properties, values: values)
        // No row has it: ids begin at 1.
        ids.append(row ?? 0)
      }
    }
    let wanted = request.columns.map(GetScan.withIdentifier)
    let bytesMax = read.replyBytesMax
    if let wanted {
      guard plan.isCompact, let batch = try wholeRows(request, ids, reader, bytesMax) else {
        let batch = try reader.rows(
          request.entity, ids: ids, columns: wanted, bytesMax: bytesMax)
        return PointAnswer(call: read.call, result: .success(PointReader.message(batch)))
      }
      return try whole(batch, request, read, wanted)
    }
    let batch = try reader.rows(request.entity, ids: ids, columns: nil, bytesMax: bytesMax)
    return try whole(batch, request, read, nil)
  }

  /// Whole rows for a get of some columns; nil if they are too long for it.
  private func wholeRows(
    _ request: GetRequest, _ ids: [Int64], _ reader: any StoreReader, _ bytesMax: Int
  ) throws(StoreError) -> RowBatch? {
    do throws(StoreError) {
      return try reader.rows(request.entity, ids: ids, columns: nil, bytesMax: bytesMax)
    } catch  where error.detail == .resultTooLarge {
      return nil
    }
  }

  /// The answer from whole rows, which are also for the cache.
  private func whole(
    _ batch: RowBatch, _ request: GetRequest, _ read: PointRead, _ wanted: [PropertyID]?
  ) throws(StoreError) -> PointAnswer {
    do throws(PackedError) {
      let bounds = try PointReader.bounds(batch)
      var answer = PointAnswer(
        call: read.call, result: .success([]),
        found: FoundRows(
          entity: batch.entity, schemaVersion: batch.schemaVersion, bytes: batch.body,
          fills: try PointReader.fills(batch, bounds, keys: request.keys)))
      if let wanted {
        let places = wanted.compactMap { batch.columns.firstIndex(of: $0) }
        guard places.count == wanted.count else { return PointReader.unknownColumn(read) }
        answer.result = PointReader.project(batch, bounds, wanted, places, read.replyBytesMax)
      } else {
        answer.result = .success(PointReader.message(batch))
      }
      return answer
    } catch {
      throw StoreError(.internal, .invariant, "a row of the store is broken", cause: "\(error)")
    }
  }

  private static func unknownColumn(_ read: PointRead) -> PointAnswer {
    let error = StoreError(
      .invalidArgument, .unknownColumn, "a column is not one of the entity's")
    return PointAnswer(call: read.call, result: .failure(error))
  }

  private static func message(_ batch: RowBatch) -> [UInt8] {
    var writer = PackedWriter(reserving: batch.body.count + 64)
    batch.encode(into: &writer)
    return writer.bytes
  }

  private static func project(
    _ batch: RowBatch, _ bounds: [Int], _ columns: [PropertyID], _ places: [Int],
    _ bytesMax: Int
  ) -> Result<[UInt8], StoreError> {
    var writer = PackedWriter(reserving: batch.body.count + 64)
    writer.raw(EntityPlan.header(batch.entity, batch.schemaVersion, columns))
    writer.count(batch.rowCount)
    batch.body.withUnsafeBytes { bytes in
      for index in 0..<batch.rowCount {
        let row = UnsafeRawBufferPointer(rebasing: bytes[bounds[index]..<bounds[index + 1]])
        RowSlicer.project(
          row, columnCount: batch.columns.count, places, into: &writer, bytesMax: bytesMax)
      }
    }
    guard writer.byteCount <= bytesMax else {
      // A column that is asked for several times.
      return .failure(
        StoreError(.resourceExhausted, .resultTooLarge, "the columns take more than max_message"))
    }
    return .success(writer.bytes)
  }

  private static func bounds(_ batch: RowBatch) throws(PackedError) -> [Int] {
    try batch.body.lend { bytes throws(PackedError) in
      try RowSlicer.bounds(bytes, columnCount: batch.columns.count, rowCount: batch.rowCount)
    }
  }

  /// Every row that is there, with the unique key it was asked for by; a missing one is not
  /// remembered.
  private static func fills(
    _ batch: RowBatch, _ bounds: [Int], keys: [GetKey]?
  ) throws(PackedError) -> [CacheFill] {
    var fills: [CacheFill] = []
    for index in 0..<batch.rowCount {
      let start = bounds[index]
      let row = try batch.body.lend { bytes throws(PackedError) -> Int64? in
        var reader = PackedReader(bytes, offset: start)
        return try reader.peek() == PackedTag.null ? nil : try reader.intValue()
      }
      guard let row else { continue }
      var fill = CacheFill(row: row, start: start, end: bounds[index + 1], key: nil)
      if case .constraint(let properties, let values)? = keys?[index] {
        var writer = PackedWriter()
        writer.list(count: 1 + values.count)
        writer.ids(properties)
        for value in values { writer.value(value) }
        fill.key = writer.bytes
      }
      fills.append(fill)
    }
    return fills
  }
}
