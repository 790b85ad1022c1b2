import RoostModel
import RoostTransport
import RoostWire

extension Session {
  /// Compares or applies a schema; the thread that takes it apart does not wait for the writer.
  func register(_ request: IncomingRequest, _ body: MessageBody) {
    let call = Call(request, in: self)
    begin(call)
    let (bytes, core, engine) = (body.bytes, core, core.engine)
    core.writers.run {
      Session.register(bytes, engine) { result in
        core.post {
          // The commit that changed the schema is in the feed: what is cached is for the old one.
          core.catchUp()
          switch result {
          case .success(let registration): self.finish(call) { registration.encode(into: &$0) }
          case .failure(let error): self.finish(call, error)
          }
        }
      }
    }
  }

  private nonisolated static func register(
    _ body: [UInt8], _ engine: any StoreEngine,
    _ completion: @escaping @Sendable (Result<SchemaRegistration, StoreError>) -> Void
  ) {
    do throws(MessageError) {
      let request = try body.lend { bytes throws(MessageError) in
        try SchemaRegisterRequest(bytes)
      }
      engine.submitRegistration(request.schema, mode: request.mode, completion: completion)
    } catch {
      completion(.failure(error.storeError))
    }
  }

  /// Asks the store for its figures, then adds the server's, all as of one moment.
  func readStats(_ request: IncomingRequest) {
    let call = Call(request, in: self)
    begin(call)
    let (core, engine) = (core, core.engine)
    core.readers.run {
      let result: Result<[MapEntry], StoreError>
      do throws(StoreError) {
        result = .success(try engine.statistics())
      } catch {
        result = .failure(error)
      }
      core.post {
        switch result {
        case .success(let store):
          let entries = store + core.statisticsEntries
          self.finish(call) { Statistics.encode(entries, into: &$0) }
        case .failure(let error): self.finish(call, error)
        }
      }
    }
  }
}
