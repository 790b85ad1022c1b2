import RoostModel
import RoostWire

/// The background actor of one import: takes chunks apart and queues them for the store's writer.
actor Importer {
  nonisolated let strand: Strand
  nonisolated var unownedExecutor: UnownedSerialExecutor { strand.asUnownedSerialExecutor() }
  private let engine: any StoreEngine
  private let descriptor: ImportDescriptor

  init(_ engine: any StoreEngine, _ descriptor: ImportDescriptor, strand: Strand) {
    self.engine = engine
    self.descriptor = descriptor
    self.strand = strand
  }

  /// The chunk the store expects next.
  func begin() -> Result<UInt64, StoreError> {
    do throws(StoreError) {
      return .success(try engine.beginImport(descriptor))
    } catch {
      return .failure(error)
    }
  }

  func add(
    _ body: [UInt8],
    completion: @escaping @Sendable (Result<ImportAcknowledgement, StoreError>) -> Void
  ) {
    do throws(MessageError) {
      let chunk = try body.lend { bytes throws(MessageError) in
        try ImportChunk(bytes)
      }
      engine.submit(chunk, of: descriptor, completion: completion)
    } catch {
      completion(.failure(error.storeError))
    }
  }
}
