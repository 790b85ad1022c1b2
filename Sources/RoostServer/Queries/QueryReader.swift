import RoostModel
import RoostTransport
import RoostWire
import Synchronization

/// Runs one query at a time over a snapshot of its own, on a thread that may block.
actor QueryReader {
  nonisolated let strand: Strand
  nonisolated var unownedExecutor: UnownedSerialExecutor { strand.asUnownedSerialExecutor() }

  private let engine: any StoreEngine
  private let clock: any LoopClock
  private var reader: (any StoreReader)?
  private var watch: FeedWatch
  /// Boxed: a bare closure behind `inout` of a generic type is wrapped anew by every look at it.
  private struct Interruption: Sendable {
    let raise: @Sendable () -> Void
  }
  private let interruption = Mutex<Interruption?>(nil)
  private var cursor: (any RowCursor)?
  private var expansion: Expansion?
  private var request: FetchRequest?
  /// What the client takes in one message, and so of one row.
  private var rowBytesMax = 0
  private var isFirst = true
  private var isCount = false
  private var rowCount = 0
  private var snapshot: UInt64 = 0

  init(
    _ engine: any StoreEngine, feed: any ChangeFeed, clock: any LoopClock, strand: Strand
  ) {
    self.engine = engine
    watch = FeedWatch(feed)
    self.clock = clock
    self.strand = strand
  }

  /// Cuts short what runs; harmless when nothing does.
  nonisolated func interrupt() { interruption.withLock { $0 }?.raise() }

  func count(_ body: [UInt8]) -> Result<Int, StoreError> {
    do throws(StoreError) {
      let query: Query
      do throws(MessageError) {
        query = try body.lend { bytes throws(MessageError) in
          try CountRequest.decode(bytes)
        }
      } catch {
        throw error.storeError
      }
      let reader = try open()
      watch.wait(for: try reader.begin())
      isCount = true
      return .success(try reader.count(query))
    } catch {
      return .failure(error)
    }
  }

  func beginFetch(_ body: [UInt8], rowBytesMax: Int) -> FetchStep {
    do throws(StoreError) {
      let request: FetchRequest
      do throws(MessageError) {
        request = try body.lend { bytes throws(MessageError) in
          try FetchRequest(bytes)
        }
      } catch {
        throw error.storeError
      }
      let reader = try open()
      snapshot = try reader.begin()
      watch.wait(for: snapshot)
      self.request = request
      self.rowBytesMax = rowBytesMax
      isFirst = true
      rowCount = 0
      expansion = try Expansion(request.query, engine.schema)
      cursor = try reader.cursor(request.query)
    } catch {
      return .failed(error)
    }
    return nextStep()
  }

  func nextStep() -> FetchStep {
    guard let cursor, let request, let reader else { return .end(FetchEnd(rows: 0, token: 0)) }
    do throws(StoreError) {
      let batch = try cursor.next(
        rowsMax: rowsMax(request), bytesMax: bytesMax(request), rowBytesMax: rowBytesMax)
      isFirst = false
      guard let batch else { return .end(FetchEnd(rows: rowCount, token: snapshot)) }
      rowCount += batch.rowCount
      guard expansion != nil else {
        return .messages([FetchMessage(rows: batch).bytes], rows: batch.rowCount)
      }
      var messages: [[UInt8]] = []
      try expansion?.expand(batch, reader, into: &messages)
      return .messages(messages, rows: batch.rowCount)
    } catch {
      return .failed(error)
    }
  }

  /// Gives the snapshot up; the statements stay for the next query.
  ///
  /// - Returns: What the query took, if it came to run.
  func finish() -> QueryCost? {
    let cost = isCount ? reader?.cost : cursor?.cost
    isCount = false
    cursor = nil
    expansion = nil
    request = nil
    reader?.end()
    return cost
  }

  private func rowsMax(_ request: FetchRequest) -> Int {
    min(request.chunkRows ?? WireLimits.fetchChunkRows, Limits.chunkRowsMax)
  }

  /// The first chunk is small, so that the first rows come soon.
  private func bytesMax(_ request: FetchRequest) -> Int {
    let wanted = min(
      request.chunkBytes ?? WireLimits.fetchChunkBytes, WireLimits().frameBytesMax - 4_096)
    return isFirst ? min(wanted, WireLimits.fetchFirstChunkBytes) : wanted
  }

  private func open() throws(StoreError) -> any StoreReader {
    if let reader { return reader }
    let made = try engine.makeReader()
    let interrupt = Interruption(raise: made.interrupt)
    interruption.withLock { $0 = interrupt }
    reader = made
    return made
  }
}

extension FetchMessage {
  var bytes: [UInt8] {
    var writer = PackedWriter(reserving: rows.body.count + 64)
    encode(into: &writer)
    return writer.bytes
  }
}
