import CLinux
import Glibc

/// A TCP connection, accepted or made.
package final class SocketChannel: Channel, Pollable, Flushable, Closable {
  enum State {
    /// Next: open or closed.
    case connecting
    /// Next: closing or closed.
    case open
    /// Output is being flushed and input dropped. Next: closed.
    case closing(dropped: Int)
    case closed
  }

  let descriptor: Int32
  package unowned let loop: EventLoop
  package var handler: (any ChannelHandler)?

  private var state: State
  private var slot: Poller.Slot?
  private var output = OutputBuffer()
  private var interest: Readiness = []
  private var isDirty = false
  private var isPaused = false
  private var isThrottled = false
  private var hasInputEnded = false
  private var hasShutDown = false
  private var closeTimer: TimerToken?

  init(descriptor: Int32, loop: EventLoop, isConnecting: Bool) {
    self.descriptor = descriptor
    self.loop = loop
    state = isConnecting ? .connecting : .open
    var one: Int32 = 1
    setsockopt(
      descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
  }

  /// Starts to be watched; until then nothing comes.
  func register() throws(TransportError) {
    interest = wantedInterest
    slot = try loop.poller.add(self, interest)
  }

  package var unsentByteCount: Int { output.count }

  package var peerName: String {
    if isClosed { return "" }
    return (try? SocketAddress.peer(of: descriptor).text) ?? ""
  }

  package var isClosed: Bool {
    if case .closed = state { true } else { false }
  }

  // MARK: Writing

  package func write(swapping bytes: inout [UInt8]) {
    guard canWrite, !bytes.isEmpty else { return bytes.removeAll(keepingCapacity: true) }
    output.append(swapping: &bytes, keeping: loop.limits.outputKeptBytes)
    wrote()
  }

  package func write(_ bytes: UnsafeRawBufferPointer) {
    guard canWrite, !bytes.isEmpty else { return }
    output.append(bytes)
    wrote()
  }

  private var canWrite: Bool {
    switch state {
    case .connecting, .open: true
    case .closing, .closed: false
    }
  }

  private func wrote() {
    if !isThrottled, output.count > loop.limits.outputHighWater {
      isThrottled = true
      updateInterest()
    }
    guard !isDirty else { return }
    isDirty = true
    loop.markDirty(self)
  }

  func flush() {
    isDirty = false
    switch state {
    case .connecting, .closed: return
    case .open, .closing: send()
    }
  }

  private func send() {
    if !output.isEmpty {
      let count = output.withUnsent { buffer in
        SystemCall.retrying {
          Glibc.send(
            descriptor, buffer.baseAddress, buffer.count,
            Int32(MSG_NOSIGNAL | MSG_DONTWAIT))
        }
      }
      if count < 0 {
        guard errno == EAGAIN || errno == EWOULDBLOCK else { return failed("send", errno) }
      } else {
        output.consume(count, keeping: loop.limits.outputKeptBytes)
      }
    }
    if isThrottled, output.count <= loop.limits.outputLowWater {
      isThrottled = false
      if case .open = state { handler?.channelDrained(self) }
    }
    if case .closing = state, output.isEmpty { shutDownOutput() }
    updateInterest()
  }

  // MARK: Reading

  package func pauseReading() {
    isPaused = true
    updateInterest()
  }

  package func resumeReading() {
    isPaused = false
    updateInterest()
  }

  func ready(_ readiness: Readiness) {
    if case .connecting = state { return finishConnecting() }
    if readiness.contains(.writable) { send() }
    if readiness.contains(.readable) {
      read()
    } else if readiness.contains(.hungUp), !isClosed {
      // Nobody reads just now, and nobody will be able to write.
      close(.closedByPeer)
    }
  }

  private func read() {
    if isClosed || hasInputEnded { return }
    let buffer = loop.readBuffer
    let count = SystemCall.retrying {
      recv(descriptor, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
    }
    switch (count, state) {
    case (1..., .closing(let dropped)):
      state = .closing(dropped: dropped + count)
      if dropped + count > loop.limits.drainBytes { close(.closedHere) }
    case (1..., _):
      handler?.channel(self, received: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
    case (0, .closing):
      if output.isEmpty { close(.closedHere) } else { endInput() }
    case (0, _):
      endInput()
      handler?.channelInputEnded(self)
    default:
      if errno != EAGAIN, errno != EWOULDBLOCK { failed("recv", errno) }
    }
  }

  private func endInput() {
    hasInputEnded = true
    updateInterest()
  }

  private func finishConnecting() {
    var number: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &number, &length)
    guard number == 0 else { return failed("connect", number) }
    state = .open
    updateInterest()
    handler?.channelConnected(self)
    if !output.isEmpty { wrote() }
  }

  // MARK: Closing

  package func closeGracefully() {
    switch state {
    case .closing, .closed: return
    case .connecting: return close(.closedHere)
    case .open: break
    }
    state = .closing(dropped: 0)
    let limit = loop.limits.drainTime
    closeTimer = loop.schedule(after: limit) { [weak self] in self?.close(.closedHere) }
    if output.isEmpty { shutDownOutput() } else { wrote() }
    updateInterest()
  }

  package func abort() { close(.closedHere) }

  func closeAtOnce() { close(.closedHere) }

  private func shutDownOutput() {
    guard !hasShutDown else { return }
    hasShutDown = true
    shutdown(descriptor, Int32(SHUT_WR))
    if hasInputEnded { close(.closedHere) }
  }

  private func failed(_ call: String, _ number: Int32) {
    switch number {
    case ECONNRESET, EPIPE: close(.closedByPeer)
    default: close(.failed(SystemCall.failure(call, number)))
    }
  }

  private func close(_ end: ChannelEnd) {
    if isClosed { return }
    state = .closed
    if let closeTimer { loop.cancel(closeTimer) }
    if let slot { loop.poller.remove(slot, of: descriptor) }
    slot = nil
    Glibc.close(descriptor)
    output.reset(keeping: 0)
    loop.afterTurn { [self] in
      let last = handler
      handler = nil
      last?.channel(self, closed: end)
    }
  }

  // MARK: Interest

  private var wantedInterest: Readiness {
    switch state {
    case .connecting: return .writable
    case .closed: return []
    case .open, .closing: break
    }
    var wanted: Readiness = output.isEmpty || isDirty ? [] : .writable
    let mayRead: Bool = if case .closing = state { true } else { !isPaused && !isThrottled }
    if mayRead, !hasInputEnded { wanted.insert(.readable) }
    return wanted
  }

  private func updateInterest() {
    let wanted = wantedInterest
    guard wanted != interest, let slot else { return }
    interest = wanted
    do throws(TransportError) {
      try loop.poller.change(slot, of: descriptor, to: wanted)
    } catch {
      close(.failed(error))
    }
  }
}
