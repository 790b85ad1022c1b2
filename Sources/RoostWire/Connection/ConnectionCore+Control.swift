import RoostModel

/// Control frames, the rules every frame obeys, and time.
extension ConnectionCore {
  mutating func takeControl(now: UInt64) throws(WireError) {
    guard control.take(now: now) else {
      throw WireError(.resourceExhausted, .controlFlood, "too many control frames")
    }
  }

  /// The next frame whose type is known and whose flags and stream suit it.
  mutating func nextFrame(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int, now: UInt64
  ) throws(WireError) -> (FrameType, Frame)? {
    while true {
      guard let frame = try decoder.next(in: buffer, at: &offset) else {
        noteRest(buffer.count - offset, now: now)
        return nil
      }
      life.heard = now
      life.frameSince = nil
      life.restBytes = 0
      guard let type = FrameType(rawValue: frame.header.type) else {
        // 0x40…0x7F: room for extensions, skipped, but not for free.
        try takeControl(now: now)
        continue
      }
      try checkShape(type, frame)
      return (type, frame)
    }
  }

  private mutating func noteRest(_ byteCount: Int, now: UInt64) {
    guard byteCount != life.restBytes else { return }
    if byteCount > life.restBytes { life.heard = now }
    if life.frameSince == nil { life.frameSince = now }
    life.restBytes = byteCount
    if byteCount == 0 { life.frameSince = nil }
  }

  private func checkShape(_ type: FrameType, _ frame: Frame) throws(WireError) {
    let allowed: FrameFlags
    let isOfStream: Bool
    switch type {
    case .request: (allowed, isOfStream) = ([.end, .check], true)
    case .message: (allowed, isOfStream) = ([.end, .deflate, .check, .more], true)
    case .end, .cancel: (allowed, isOfStream) = ([.check], true)
    case .window: (allowed, isOfStream) = ([.check], frame.stream != 0)
    case .ping, .auth: (allowed, isOfStream) = ([.acknowledge, .check], false)
    case .hello, .goAway, .notice: (allowed, isOfStream) = ([.check], false)
    }
    guard frame.flags.isSubset(of: allowed) else {
      throw .violation("a flag does not go with frame type \(type.rawValue)")
    }
    guard isOfStream == (frame.stream != 0) else {
      throw .violation("frame type \(type.rawValue) with stream \(frame.stream)")
    }
  }

  mutating func receivePing(_ frame: Frame, now: UInt64) throws(WireError) {
    guard frame.payload.count == 8 else { throw .violation("PING is not 8 bytes") }
    if frame.flags.contains(.acknowledge) {
      guard pingsUnanswered > 0 else { throw .violation("an answer to no PING") }
      pingsUnanswered -= 1
      return
    }
    try takeControl(now: now)
    let payload = frame.payload
    writeFrame(.ping, flags: .acknowledge) { $0.raw(payload) }
  }

  mutating func receiveGoAway(_ frame: Frame, now: UInt64) throws(WireError) -> GoAway {
    try takeControl(now: now)
    do {
      return try GoAway(frame.payload)
    } catch {
      throw .violation("GOAWAY: \(error.message)")
    }
  }

  // MARK: Time

  mutating func tick(now: UInt64) -> TimeOutcome {
    guard !isClosed else { return .fine }
    if streams.count > 0 { life.busy = now }
    if !life.isReady, now >= life.opened + limits.handshakeTimeout {
      return timeUp("no HELLO in time")
    }
    if let since = life.frameSince, now >= since + limits.frameTimeout {
      return timeUp("a frame did not complete in time")
    }
    guard life.isReady else { return .fine }
    if let sent = life.pingSent {
      if life.heard >= sent {
        life.pingSent = nil
      } else if now >= sent + limits.pingTimeout {
        isClosed = true
        return .abort
      }
    } else if now >= life.heard + limits.pingAfter, pingsUnanswered < 8 {
      life.pingSent = now
      pingsUnanswered += 1
      writeFrame(.ping) { $0.fixed(now) }
      return .flush
    }
    return .fine
  }

  private mutating func timeUp(_ message: String) -> TimeOutcome {
    fail(
      WireError(.deadlineExceeded, .none, message), lastStream: isServer ? lastStream : 0)
    return .flush
  }

  /// When ``tick(now:)`` next has something to do, if nothing comes meanwhile.
  var nextDeadline: UInt64 {
    var deadline: UInt64
    if !life.isReady {
      deadline = life.opened + limits.handshakeTimeout
    } else if let sent = life.pingSent {
      deadline = sent + limits.pingTimeout
    } else {
      deadline = life.heard + limits.pingAfter
    }
    if let since = life.frameSince { deadline = min(deadline, since + limits.frameTimeout) }
    return deadline
  }
}
