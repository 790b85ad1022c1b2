/// A channel without a socket, for tests: the same turns, the same order of calls.
package final class MemoryChannel: Channel, Flushable {
  package unowned let loop: EventLoop
  package var handler: (any ChannelHandler)?
  /// The other end, which the test holds.
  package let peer: MemoryPeer

  package private(set) var isClosed = false
  private var output = OutputBuffer()
  private var isDirty = false
  private var isPaused = false
  private var isThrottled = false
  private var isClosing = false
  private var isDelivering = false
  private var hasInputEnded = false

  package init(loop: EventLoop, faults: MemoryFaults = MemoryFaults()) {
    self.loop = loop
    peer = MemoryPeer(faults: faults)
    peer.channel = self
  }

  package var unsentByteCount: Int { output.count }
  package var peerName: String { "memory" }

  package func write(swapping bytes: inout [UInt8]) {
    guard !isClosed, !isClosing, !bytes.isEmpty else {
      return bytes.removeAll(keepingCapacity: true)
    }
    output.append(swapping: &bytes, keeping: loop.limits.outputKeptBytes)
    wrote()
  }

  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard !isClosed, !isClosing, !bytes.isEmpty else { return }
    output.append(bytes)
    wrote()
  }

  private func wrote() {
    if output.count > loop.limits.outputHighWater { isThrottled = true }
    guard !isDirty else { return }
    isDirty = true
    loop.markDirty(self)
  }

  func flush() {
    isDirty = false
    if isClosed { return }
    let taken = output.withUnsent { peer.take($0) }
    output.consume(taken, keeping: loop.limits.outputKeptBytes)
    if isThrottled, output.count <= loop.limits.outputLowWater {
      isThrottled = false
      if !isClosing { handler?.channelDrained(self) }
      deliverSoon()
    }
    if isClosing, output.isEmpty { close(.closedHere) }
  }

  package func pauseReading() { isPaused = true }

  package func resumeReading() {
    isPaused = false
    deliverSoon()
  }

  package func closeGracefully() {
    guard !isClosed, !isClosing else { return }
    isClosing = true
    loop.schedule(after: loop.limits.drainTime) { [weak self] in self?.close(.closedHere) }
    wrote()
  }

  package func abort() { close(.closedHere) }

  // MARK: From the peer

  func deliverSoon() {
    guard !isClosed, !isDelivering, peer.hasUndelivered else { return }
    isDelivering = true
    let step: () -> Void = { [self] in
      isDelivering = false
      deliver()
    }
    if peer.faults.delay > .zero {
      loop.schedule(after: peer.faults.delay, step)
    } else {
      loop.soon(step)
    }
  }

  private func deliver() {
    guard !isClosed, !isPaused, !isThrottled else { return }
    let piece = peer.nextPiece(max: loop.limits.readBytes)
    if !piece.isEmpty {
      if !isClosing { piece.withUnsafeBytes { handler?.channel(self, received: $0) } }
    } else if peer.isCut {
      return close(.closedByPeer)
    } else if peer.hasEnded, !hasInputEnded {
      hasInputEnded = true
      if !isClosing { handler?.channelInputEnded(self) }
    }
    deliverSoon()
  }

  private func close(_ end: ChannelEnd) {
    if isClosed { return }
    isClosed = true
    peer.isClosedThere = true
    output.reset(keeping: 0)
    loop.afterTurn { [self] in
      let last = handler
      handler = nil
      last?.channel(self, closed: end)
    }
  }
}
