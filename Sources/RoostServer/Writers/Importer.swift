import RoostModel
import RoostWire

/// The background actor of one import: takes chunks apart and queues them for the store's writer.
///
/// It waits for nothing: the thread it runs on takes writes apart, too.
actor Importer {
  /// What became of a chunk, and how far into the source it reached if the client said so.
  typealias Completion = @Sendable (Result<ImportAcknowledgement, StoreError>, UInt64?) -> Void

  nonisolated let strand: Strand
  nonisolated var unownedExecutor: UnownedSerialExecutor { strand.asUnownedSerialExecutor() }
  private let engine: any StoreEngine
  private let descriptor: ImportDescriptor
  /// Chunks that came before the store had begun the import; bounded by the stream's first window.
  private var early: [(body: [UInt8], completion: Completion)]? = []
  private var refusal: StoreError?

  init(_ engine: any StoreEngine, _ descriptor: ImportDescriptor, strand: Strand) {
    self.engine = engine
    self.descriptor = descriptor
    self.strand = strand
  }

  /// Gives the chunk the store expects next.
  func begin(_ completion: @escaping @Sendable (Result<UInt64, StoreError>) -> Void) {
    engine.submitBegin(of: descriptor) { [self] result in
      completion(result)
      strand.run { [self] in assumeIsolated { $0.begun(result) } }
    }
  }

  private func begun(_ result: Result<UInt64, StoreError>) {
    if case .failure(let error) = result { refusal = error }
    let waiting = early ?? []
    early = nil
    for (body, completion) in waiting { submit(body, completion) }
  }

  func add(_ body: [UInt8], completion: @escaping Completion) {
    if early == nil { submit(body, completion) } else { early?.append((body, completion)) }
  }

  private func submit(_ body: [UInt8], _ completion: @escaping Completion) {
    if let refusal { return completion(.failure(refusal), nil) }
    do throws(MessageError) {
      let chunk = try body.lend { bytes throws(MessageError) in
        try ImportChunk(bytes)
      }
      let offset = chunk.sourceOffset
      engine.submit(chunk, of: descriptor) { completion($0, offset) }
    } catch {
      completion(.failure(error.storeError), nil)
    }
  }
}
