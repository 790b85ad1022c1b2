import RoostModel

/// Credit, both levels and both ways.
extension ConnectionCore {
  /// The owner of a stream has taken so many message bytes.
  mutating func returnCredit(_ byteCount: Int, at index: Int) {
    let taken = min(max(0, byteCount), streams[index].unreturned)
    streams[index].unreturned -= taken
    undelivered -= taken
    let entry = streams[index]
    let owed = entry.receiveWindow - entry.receiveCredit - entry.unreturned
    if owed >= max(1, entry.receiveWindow / 4), !entry.flags.contains(.inputEnded), !isClosed {
      streams[index].receiveCredit += owed
      writeFrame(.window, stream: entry.id) { $0.fixed(UInt32(truncatingIfNeeded: owed)) }
    }
    returnConnectionCredit()
  }

  /// Widens a stream's window for good.
  mutating func grant(_ byteCount: Int, at index: Int) {
    let room = WireLimits.creditMax - streams[index].receiveWindow
    let added = min(max(0, byteCount), room)
    guard added > 0, !isClosed else { return }
    streams[index].receiveWindow += added
    streams[index].receiveCredit += added
    let id = streams[index].id
    writeFrame(.window, stream: id) { $0.fixed(UInt32(truncatingIfNeeded: added)) }
  }

  /// Connection credit goes back as soon as bytes are parsed, unless too much lies untaken.
  mutating func returnConnectionCredit() {
    guard connectionUnreturned >= limits.connectionWindow / 4,
      undelivered <= limits.connectionWindow, !isClosed
    else { return }
    let owed = connectionUnreturned
    connectionUnreturned = 0
    receiveCredit += owed
    writeFrame(.window) { $0.fixed(UInt32(truncatingIfNeeded: owed)) }
  }

  // MARK: The peer's WINDOW

  mutating func receiveWindow(_ frame: Frame, now: UInt64) throws(WireError) {
    guard frame.payload.count == 4 else { throw .violation("WINDOW is not 4 bytes") }
    let credit = Int(UInt32(littleEndian: frame.payload.loadUnaligned(as: UInt32.self)))
    guard credit > 0, credit <= WireLimits.creditMax else {
      throw .violation("WINDOW of \(credit)")
    }
    let window = frame.stream == 0 ? peer.connectionWindow : peer.streamWindow
    if credit < window / 4 { try takeControl(now: now) }
    if frame.stream == 0 {
      guard sendCredit + credit <= WireLimits.creditMax else {
        throw .violation("the connection's credit is over 2^31-1")
      }
      sendCredit += credit
      flushBlocked()
      return
    }
    guard let index = streams.find(frame.stream) else {
      guard frame.stream <= lastStream else { throw .violation("WINDOW for no stream") }
      return
    }
    guard streams[index].sendCredit + credit <= WireLimits.creditMax else {
      throw .violation("a stream's credit is over 2^31-1")
    }
    streams[index].sendCredit += credit
    flushStream(at: index)
  }

  private mutating func flushBlocked() {
    let turn = blocked
    blocked.removeAll(keepingCapacity: true)
    for id in turn {
      guard let index = streams.find(id) else { continue }
      flushStream(at: index)
    }
    noticeWritable()
  }

  private mutating func flushStream(at index: Int) {
    let id = streams[index].id
    guard flush(at: index) else { return }
    blocked.removeAll { $0 == id }
    if isServer, streams[index].flags.contains(.outputEnded) {
      close(at: index)
    } else if streams[index].flags.contains(.wantsCredit), sendCredit > 0 {
      noticeWritable(at: index)
    }
  }

  private mutating func noticeWritable() {
    guard sendCredit > 0, longCount > 0 || !isServer else { return }
    for id in streams.ids {
      guard let index = streams.find(id), streams[index].flags.contains(.wantsCredit),
        !hasOutbound(id)
      else { continue }
      noticeWritable(at: index)
    }
  }

  private mutating func noticeWritable(at index: Int) {
    guard streams[index].sendCredit > 0 else { return }
    streams[index].flags.remove(.wantsCredit)
    writable.append(streams[index].id)
  }

  /// Whether a message would go out at once; if not, the owner hears when it would.
  mutating func isWritable(at index: Int) -> Bool {
    let entry = streams[index]
    guard entry.sendCredit > 0, sendCredit > 0, !hasOutbound(entry.id) else {
      streams[index].flags.insert(.wantsCredit)
      return false
    }
    return true
  }

  /// The peer's window became known after streams had been opened with an assumed one.
  mutating func widen(streamsBy stream: Int, connectionBy connection: Int) {
    sendCredit += connection
    for id in streams.ids {
      if let index = streams.find(id) { streams[index].sendCredit += stream }
    }
    for id in streams.ids {
      if let index = streams.find(id) { flushStream(at: index) }
    }
    noticeWritable()
  }
}
