import RoostModel
import RoostTransport
import RoostWire
import Synchronization

/// The background actor of writes: takes requests apart and queues them for the store's writer.
///
/// It runs on a thread of its own and waits for nothing, so writes leave in the order they came.
actor Inserter {
  nonisolated let strand: Strand
  nonisolated var unownedExecutor: UnownedSerialExecutor { strand.asUnownedSerialExecutor() }
  private let engine: any StoreEngine

  init(_ engine: any StoreEngine, strand: Strand) {
    self.engine = engine
    self.strand = strand
  }

  func write(_ body: [UInt8], for call: WriteCall) {
    if let reason = call.withdrawal { return call.ended(.failure(reason)) }
    do throws(MessageError) {
      let batch = try body.lend { bytes throws(MessageError) in
        try WriteBatch(bytes)
      }
      engine.submit(batch) { call.ended($0) }
    } catch {
      call.ended(.failure(error.storeError))
    }
  }
}

/// A write on its way. Once it is with the store it runs to its true outcome.
@MainActor
final class WriteCall: Call {
  private let byteCount: Int
  /// 1: the client does not want it any more. 2: its time is up. 3: an operator does not want it.
  /// Looked at before the store has it.
  private nonisolated let withdrawn = Atomic<UInt8>(0)

  init(_ request: IncomingRequest, byteCount: Int, in session: Session) {
    self.byteCount = byteCount
    super.init(request, in: session)
  }

  /// It is committed: a full queue, as the reason, would make the client write it once more.
  override var undeliverable: EndStatus? {
    EndStatus(.internal, .outcomeUnknown, "the write is done, but there is no room for its answer")
  }

  override func cancel() { withdrawn.store(1, ordering: .relaxed) }
  override func expire() { withdrawn.store(2, ordering: .relaxed) }
  override func endByOperator() { withdrawn.store(3, ordering: .relaxed) }

  override var state: CallState { .waiting }
  override var subject: CallSubject { CallSubject(text: "\(byteCount) bytes") }

  nonisolated var withdrawal: StoreError? {
    switch withdrawn.load(ordering: .relaxed) {
    case 1: StoreError(.cancelled, .none, "cancelled before it started")
    case 2: StoreError(.deadlineExceeded, .deadlineBeforeStart, "time was up in the queue")
    case 3: StoreError(.aborted, .endedByOperator, "ended by an operator before it started")
    default: nil
    }
  }

  /// Called once, on any thread.
  nonisolated func ended(_ result: Result<WriteResult, StoreError>) {
    let core = session.core
    core.post { [self] in
      core.writesQueued -= 1
      core.writeBytesQueued -= byteCount
      switch result {
      case .success(let result): session.finish(self) { result.encode(into: &$0) }
      case .failure(let error): session.finish(self, error)
      }
    }
  }
}

extension Session {
  func write(_ request: IncomingRequest, _ body: MessageBody) {
    let limits = core.limits
    guard core.writesQueued < limits.writesQueuedMax else {
      return refuse(request, queue: "the queue of writes", limits.writesQueuedMax)
    }
    guard core.writeBytesQueued + body.count <= limits.writeBytesQueuedMax else {
      return refuse(request, queue: "the bytes of waiting writes", limits.writeBytesQueuedMax)
    }
    core.writesQueued += 1
    core.writeBytesQueued += body.count
    let call = WriteCall(request, byteCount: body.count, in: self)
    begin(call)
    let (bytes, inserter) = (body.bytes, core.inserter)
    inserter.strand.run { inserter.assumeIsolated { $0.write(bytes, for: call) } }
  }
}
