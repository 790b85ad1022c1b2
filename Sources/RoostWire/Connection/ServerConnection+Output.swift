package import RoostModel

extension ServerConnection {
  /// Answers a call with its only message and ends it, without a copy when there is credit.
  ///
  /// A message over the client's `max_message`, or one that finds too much waiting, becomes an
  /// END with `undeliverable`; without one it says RESOURCE_EXHAUSTED, after which a client may
  /// send the call again.
  @discardableResult
  package mutating func reply(
    _ stream: UInt32, undeliverable: EndStatus? = nil, _ body: (inout PackedWriter) -> Void
  ) -> SendResult {
    guard !core.isClosed, let index = core.streams.find(stream) else { return .gone }
    let result = core.sendMessage(at: index, end: true, body)
    switch result {
    case .sent: core.close(at: index)
    case .queued, .gone: break
    case .tooLarge:
      end(
        stream,
        undeliverable
          ?? EndStatus(
            .resourceExhausted, .resultTooLarge,
            "the reply is over max_message \(core.peer.messageBytesMax); use Fetch"))
    case .full:
      end(
        stream,
        undeliverable
          ?? EndStatus(.resourceExhausted, .queue, "too many replies wait for credit"))
    }
    return result
  }

  /// Sends one of many messages; ask ``isWritable(_:)`` first.
  @discardableResult
  package mutating func send(
    _ stream: UInt32, _ body: (inout PackedWriter) -> Void
  ) -> SendResult {
    guard !core.isClosed, let index = core.streams.find(stream) else { return .gone }
    return core.sendMessage(at: index, end: false, body)
  }

  /// Ends a stream, behind what is queued on it.
  @discardableResult
  package mutating func end(_ stream: UInt32, _ status: EndStatus = .ok) -> SendResult {
    guard !core.isClosed, let index = core.streams.find(stream),
      !core.streams[index].flags.contains(.outputEnded)
    else { return .gone }
    core.streams[index].flags.insert(.outputEnded)
    if core.hasOutbound(stream), status.isOK {
      var writer = PackedWriter()
      status.encode(into: &writer)
      let payload = writer.bytes
      core.withExtras(at: index) { $0.outboundEnd = payload }
      return .queued
    }
    core.writeFrame(.end, stream: stream) { status.encode(into: &$0) }
    core.close(at: index)
    return .sent
  }

  /// Whether a message on the stream would go out at once.
  ///
  /// After a no, ``ServerEvent/writable(stream:)`` says when it would.
  package mutating func isWritable(_ stream: UInt32) -> Bool {
    guard !core.isClosed, let index = core.streams.find(stream) else { return false }
    return core.isWritable(at: index)
  }

  /// Gives back the credit of a message that has been taken.
  package mutating func returnCredit(_ byteCount: Int, on stream: UInt32) {
    guard !core.isClosed, let index = core.streams.find(stream) else { return }
    core.returnCredit(byteCount, at: index)
  }

  /// Widens a stream's window: an import wants more under way than the default allows.
  package mutating func grant(_ byteCount: Int, on stream: UInt32) {
    guard !core.isClosed, let index = core.streams.find(stream) else { return }
    core.grant(byteCount, at: index)
  }

  /// Tells the client something that asks for no answer.
  package mutating func notice(_ kind: UInt16, _ value: Value) {
    guard !core.isClosed, core.life.isReady else { return }
    core.writeFrame(.notice) {
      $0.fixed(kind)
      $0.value(value)
    }
  }
}
