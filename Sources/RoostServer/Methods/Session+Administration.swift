import RoostModel
import RoostTransport
import RoostWire

extension Session {
  /// Compares or applies a schema; the thread that takes it apart does not wait for the writer.
  func register(_ request: IncomingRequest, _ body: MessageBody) {
    let call = RegisterCall(request, in: self)
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

  /// Tells the figures of the store and the server, all as of one moment.
  ///
  /// Within the turn and on this thread: no reader, writer or disk is waited for, so that it
  /// answers while all of them are busy.
  func readStats(_ request: IncomingRequest, _ body: MessageBody) {
    do throws(StoreError) {
      let entries = try core.statistics(
        try StatisticsRequest.read(body), bytesMax: connection.replyBytesMax)
      answer(request) { Statistics.encode(entries, into: &$0) }
    } catch {
      refuse(request, EndStatus(error))
    }
  }

  /// Ends a call of any connection, for an operator.
  func cancelOperation(_ request: IncomingRequest, _ body: MessageBody) {
    do throws(MessageError) {
      let wanted = try body.withBytes { bytes throws(MessageError) in
        try CancelOperation(bytes)
      }
      let call = core.sessions[wanted.client]?.calls[wanted.stream]
      call?.endByOperator()
      answer(request) { CancelOperation.encodeReply(found: call != nil, into: &$0) }
    } catch {
      refuse(request, EndStatus(error))
    }
  }
}

extension StatisticsRequest {
  fileprivate static func read(_ body: MessageBody) throws(StoreError) -> StatisticsRequest {
    do throws(MessageError) {
      return try body.withBytes { bytes throws(MessageError) in
        try StatisticsRequest(bytes)
      }
    } catch {
      throw error.storeError
    }
  }
}

/// A schema on its way to the writer, which may apply it at any moment: an operator cannot take it
/// back, and to say so would be untrue.
private final class RegisterCall: Call {
  override func endByOperator() {}
  override var state: CallState { .waiting }
}
