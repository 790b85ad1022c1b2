import RoostModel

/// Frames into the output, in place: header first, patched when the payload is there.
extension ConnectionCore {
  mutating func writeFrame(
    _ type: FrameType, flags: FrameFlags = [], stream: UInt32 = 0,
    _ payload: (inout PackedWriter) -> Void = { _ in }
  ) {
    let start = beginFrame()
    payload(&output)
    finishFrame(start, type: type, flags: flags, stream: stream)
  }

  mutating func beginFrame() -> Int {
    let start = output.bytes.count
    output.fixed(UInt64(0))
    output.fixed(UInt32(0))
    return start
  }

  /// Writes the header of the frame that began at `start`, and its checksum if the peer wants one.
  mutating func finishFrame(_ start: Int, type: FrameType, flags: FrameFlags, stream: UInt32) {
    let payload = output.bytes.count - start - FrameHeader.byteCount
    var header = FrameHeader(
      length: UInt32(truncatingIfNeeded: payload), stream: stream, type: type.rawValue,
      flags: flags)
    if peer.usesChecksums {
      header.flags.insert(.check)
      header.length += 4
    }
    header.write(over: &output.bytes, at: start)
    if peer.usesChecksums {
      let sum = output.bytes.withUnsafeBytes {
        Checksum.crc32(UnsafeRawBufferPointer(rebasing: $0[start...]))
      }
      output.fixed(sum)
    }
  }

  // MARK: Messages

  /// Sends one message: at once in one frame when it fits and there is credit, else as much as
  /// may go, the rest when credit comes.
  mutating func sendMessage(
    at index: Int, end: Bool, _ body: (inout PackedWriter) -> Void
  ) -> SendResult {
    let entry = streams[index]
    guard !isClosed, !entry.flags.contains(.outputEnded) else { return .gone }
    let start = beginFrame()
    body(&output)
    let size = output.bytes.count - start - FrameHeader.byteCount
    let isPlain =
      size <= peer.plainBytesMax && entry.sendCredit > 0 && sendCredit > 0
    guard isPlain, !entry.flags.contains(.hasExtras) || !hasOutbound(entry.id) else {
      return sendSlowly(at: index, from: start, end: end)
    }
    finishFrame(start, type: .message, flags: end ? .end : [], stream: entry.id)
    let counted = output.bytes.count - start - FrameHeader.byteCount
    streams[index].sendCredit -= counted
    sendCredit -= counted
    if end { streams[index].flags.insert(.outputEnded) }
    return .sent
  }

  /// The payload written behind `start` is taken out again, cut into fragments and queued.
  private mutating func sendSlowly(at index: Int, from start: Int, end: Bool) -> SendResult {
    var payload = [UInt8](output.bytes[(start + FrameHeader.byteCount)...])
    output.bytes.removeSubrange(start...)
    guard payload.count <= peer.messageBytesMax else { return .tooLarge }
    guard queuedBytes == 0 || queuedBytes + payload.count <= limits.queuedBytesMax else {
      return .full
    }
    var flags: FrameFlags = []
    if peer.deflateThreshold > 0, payload.count >= peer.deflateThreshold,
      let small = payload.withUnsafeBytes({ Compression.deflate($0) })
    {
      payload = small
      flags = .deflate
    }
    let frames = fragments(of: payload, flags: flags, end: end)
    for frame in frames { queuedBytes += frame.payload.count }
    withExtras(at: index) { $0.outbound.append(contentsOf: frames) }
    if end { streams[index].flags.insert(.outputEnded) }
    if flush(at: index) { return .sent }
    return .queued
  }

  private func fragments(
    of payload: [UInt8], flags: FrameFlags, end: Bool
  ) -> [OutboundFrame] {
    let last: FrameFlags = end ? flags.union(.end) : flags
    // Four bytes are left for a checksum.
    let step = peer.frameBytesMax - 4
    guard payload.count > step else { return [OutboundFrame(flags: last, payload: payload)] }
    var frames: [OutboundFrame] = []
    var position = 0
    while position < payload.count {
      let stop = min(payload.count, position + step)
      let isLast = stop == payload.count
      frames.append(
        OutboundFrame(
          flags: isLast ? last : flags.union(.more), payload: [UInt8](payload[position..<stop])))
      position = stop
    }
    return frames
  }

  func hasOutbound(_ id: UInt32) -> Bool {
    guard let extra = extras[id] else { return false }
    return !extra.outbound.isEmpty || extra.outboundEnd != nil
  }

  /// Moves queued frames into the output while there is credit; true when none is left.
  @discardableResult
  mutating func flush(at index: Int) -> Bool {
    let id = streams[index].id
    guard streams[index].flags.contains(.hasExtras), var extra = extras.removeValue(forKey: id)
    else { return true }
    while extra.outboundStart < extra.outbound.count, sendCredit > 0,
      streams[index].sendCredit > 0
    {
      let frame = extra.outbound[extra.outboundStart]
      extra.outbound[extra.outboundStart].payload = []
      extra.outboundStart += 1
      queuedBytes -= frame.payload.count
      let before = output.bytes.count + FrameHeader.byteCount
      writeFrame(.message, flags: frame.flags, stream: id) { $0.raw(frame.payload) }
      let counted = output.bytes.count - before
      streams[index].sendCredit -= counted
      sendCredit -= counted
    }
    if extra.outboundStart == extra.outbound.count {
      extra.outbound = []
      extra.outboundStart = 0
      if let end = extra.outboundEnd {
        writeFrame(.end, stream: id) { $0.raw(end) }
        extra.outboundEnd = nil
      }
    }
    let isDone = extra.outbound.isEmpty
    if !isDone, !blocked.contains(id) { blocked.append(id) }
    extras[id] = extra
    withExtras(at: index) { _ in }
    return isDone
  }
}
