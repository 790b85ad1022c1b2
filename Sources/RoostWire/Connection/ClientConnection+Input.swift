import RoostModel

extension ClientConnection {
  mutating func pendingEvent() -> ClientEvent? {
    if !endedHere.isEmpty {
      let (stream, status) = endedHere.removeFirst()
      return .ended(stream: stream, status)
    }
    guard !core.writable.isEmpty else { return nil }
    let stream = core.writable.removeFirst()
    return core.streams.find(stream) == nil ? nil : .writable(stream: stream)
  }

  mutating func handle(
    _ type: FrameType, _ frame: Frame, now: UInt64
  ) throws(WireError) -> ClientEvent? {
    switch type {
    case .message: return try message(frame, now: now)
    case .end: return try end(frame)
    case .window:
      try core.receiveWindow(frame, now: now)
      return nil
    case .ping:
      try core.receivePing(frame, now: now)
      return nil
    case .goAway: return goAway(try core.receiveGoAway(frame, now: now))
    case .notice: return try notice(frame, now: now)
    case .hello: throw .violation("a second HELLO")
    case .auth, .request, .cancel:
      throw .violation("frame type \(type.rawValue) from a server")
    }
  }

  private mutating func message(_ frame: Frame, now: UInt64) throws(WireError) -> ClientEvent? {
    if frame.payload.isEmpty, !frame.flags.contains(.end) { try core.takeControl(now: now) }
    guard let index = core.streams.find(frame.stream) else {
      throw .violation("MESSAGE on stream \(frame.stream), which is not open")
    }
    let flags = core.streams[index].flags
    let isLast = frame.flags.contains(.end)
    let received = try core.receive(frame, at: index)
    if flags.contains(.cancelled) {
      core.returnCredit(core.streams[index].unreturned, at: index)
      guard isLast else { return nil }
      core.close(at: index)
      return .ended(stream: frame.stream, EndStatus(.cancelled, .none, "cancelled"))
    }
    switch received {
    case .partial:
      return nil
    case .broken(let error):
      // The stream is still the server's to end; until then it is a cancelled one.
      if isLast {
        core.close(at: index)
      } else {
        cancel(frame.stream)
        core.returnCredit(core.streams[index].unreturned, at: index)
        core.streams[index].flags.insert(.isWaiting)
      }
      return .ended(stream: frame.stream, EndStatus(error))
    case .whole(let body, let credit):
      if isLast { core.close(at: index) }
      return .message(stream: frame.stream, body, credit: isLast ? 0 : credit, isLast: isLast)
    }
  }

  private mutating func end(_ frame: Frame) throws(WireError) -> ClientEvent? {
    guard let index = core.streams.find(frame.stream) else {
      throw .violation("END on stream \(frame.stream), which is not open")
    }
    let status: EndStatus
    do throws(MessageError) {
      status = try EndStatus(frame.payload)
    } catch {
      throw .violation("END: \(error.message)")
    }
    let isReported = core.streams[index].flags.contains(.isWaiting)
    let isCut = core.extras[frame.stream]?.fragments != nil
    core.close(at: index)
    if isReported { return nil }
    if status.isOK, isCut { throw .violation("END with OK inside a message") }
    return .ended(stream: frame.stream, status)
  }

  private mutating func goAway(_ goAway: GoAway) -> ClientEvent {
    beginDraining()
    guard goAway.phase == .final else { return .goAway(goAway) }
    let isBroken = goAway.detail != .draining
    for stream in core.streams.ids where isBroken || stream > goAway.lastStream {
      guard let index = core.streams.find(stream) else { continue }
      let isReported = core.streams[index].flags.contains(.isWaiting)
      core.close(at: index)
      if isReported { continue }
      let isUnseen = stream > goAway.lastStream
      endedHere.append(
        (
          stream,
          isUnseen
            ? EndStatus(.unavailable, .draining, "the server did not look at the call")
            : EndStatus(.unavailable, .none, "the connection ended: \(goAway.text)")
        ))
    }
    if isBroken {
      core.isClosed = true
      closeHere()
    }
    return .goAway(goAway)
  }

  private mutating func notice(_ frame: Frame, now: UInt64) throws(WireError) -> ClientEvent? {
    try core.takeControl(now: now)
    do throws(PackedError) {
      var reader = PackedReader(frame.payload)
      let kind = try reader.fixed(UInt16.self)
      let value = try reader.value()
      try reader.finish()
      return .notice(kind: kind, value)
    } catch {
      throw .violation("NOTICE: \(error)")
    }
  }
}
