/// The far end of a ``MemoryChannel``: what a client would be.
package final class MemoryPeer {
  weak var channel: MemoryChannel?
  let faults: MemoryFaults

  /// All that has come and has not been taken by the test.
  package var received: [UInt8] = []
  /// How many more bytes the peer takes before it counts as stalled.
  package private(set) var appetite = Int.max
  /// The other side has closed.
  package internal(set) var isClosedThere = false

  private var outgoing: [UInt8] = []
  private var delivered = 0
  private(set) var hasEnded = false
  private var hasToldEnd = false
  private var isAborted = false

  init(faults: MemoryFaults) { self.faults = faults }

  package func send(_ bytes: [UInt8]) {
    outgoing.append(contentsOf: bytes)
    channel?.deliverSoon()
  }

  /// Says that nothing follows, as a half-closed socket does.
  package func end() {
    hasEnded = true
    channel?.deliverSoon()
  }

  /// Is gone without a word.
  package func abort() {
    isAborted = true
    channel?.deliverSoon()
  }

  /// Takes only `byteCount` more bytes; call again to go on.
  package func limitAppetite(to byteCount: Int) {
    appetite = byteCount
    if let channel { channel.loop.markDirty(channel) }
  }

  var isCut: Bool { isAborted || delivered >= faults.cutAfterBytes }

  var hasUndelivered: Bool {
    delivered < outgoing.count || isCut || (hasEnded && !hasToldEnd)
  }

  func nextPiece(max byteCount: Int) -> [UInt8] {
    if isAborted { return [] }
    let bound = min(byteCount, faults.pieceBytes, faults.cutAfterBytes - delivered)
    let end = min(outgoing.count, delivered + Swift.max(0, bound))
    defer { delivered = end }
    if delivered == end, hasEnded { hasToldEnd = true }
    return Array(outgoing[delivered..<end])
  }

  func take(_ bytes: UnsafeRawBufferPointer) -> Int {
    let count = min(bytes.count, appetite)
    received.append(contentsOf: bytes[..<count])
    if appetite != .max { appetite -= count }
    return count
  }
}
