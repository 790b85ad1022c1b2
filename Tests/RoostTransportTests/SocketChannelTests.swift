import RoostTransport
import Testing

@Suite struct SocketChannelTests {
  @Test(arguments: ["127.0.0.1", "::1", "localhost"])
  func echoesOverLoopback(host: String) throws {
    let loop = try EventLoop()
    let server = Recorder()
    server.onReceive = { channel, bytes in channel.write(bytes) }
    let listener = try loop.listen(loopback(host)) { _ in server }
    #expect(listener.port != 0)
    let client = Recorder()
    let channel = try loop.connect(loopback(host, port: listener.port), handler: client)
    channel.write(Array("early words".utf8))
    #expect(drive(loop) { client.bytes == Array("early words".utf8) })
    #expect(client.isConnected)
  }

  @Test func anAddressTellsWhetherItIsLoopback() throws {
    for host in ["127.0.0.1", "127.9.9.9", "::1", "[::1]", "::ffff:127.0.0.1"] {
      #expect(try loopback(host).isLoopback, "\(host)")
    }
    for host in ["0.0.0.0", "10.0.0.1", "::", "::ffff:10.0.0.1"] {
      #expect(try !loopback(host).isLoopback, "\(host)")
    }
    #expect(throws: TransportError.self) { try loopback("no.such.host.invalid") }
  }

  @Test func oneTurnsWritesKeepTheirOrder() throws {
    let loop = try EventLoop()
    let pair = try SocketPair(loop)
    var swapped: [UInt8] = [1, 2]
    pair.serverChannel.write(swapping: &swapped)
    #expect(swapped.isEmpty)
    pair.serverChannel.write([3])
    swapped = [4, 5]
    pair.serverChannel.write(swapping: &swapped)
    #expect(drive(loop) { pair.client.bytes == [1, 2, 3, 4, 5] })
  }

  @Test func aSlowReaderStopsTheReadingOfItsRequests() throws {
    var limits = TransportLimits()
    limits.outputHighWater = 64 << 10
    limits.outputLowWater = 16 << 10
    let loop = try EventLoop(limits: limits)
    let pair = try SocketPair(loop)
    pair.clientChannel.pauseReading()
    let block = [UInt8](repeating: 7, count: 256 << 10)
    var written = 0
    // More than the kernel takes for a peer that does not read.
    while pair.serverChannel.unsentByteCount < 1 << 20, written < 64 << 20 {
      pair.serverChannel.write(block)
      written += block.count
      loop.turn()
    }
    #expect(pair.serverChannel.unsentByteCount >= 1 << 20)
    let drainsBefore = pair.server.drainCount
    pair.clientChannel.write([1])
    for _ in 0..<20 { loop.turn(waiting: .milliseconds(1)) }
    #expect(pair.server.bytes.isEmpty)
    #expect(pair.server.drainCount == drainsBefore)
    pair.clientChannel.resumeReading()
    #expect(drive(loop) { pair.client.bytes.count == written && pair.server.bytes == [1] })
    #expect(pair.server.drainCount == drainsBefore + 1)
  }

  @Test func theLastWordsArriveThoughThePeerStillWrites() throws {
    let loop = try EventLoop()
    let pair = try SocketPair(loop)
    pair.server.onReceive = { channel, _ in
      channel.write(Array("goodbye".utf8))
      channel.closeGracefully()
    }
    pair.clientChannel.write([0])
    pair.clientChannel.write([UInt8](repeating: 1, count: 10_000))
    #expect(drive(loop) { pair.client.hasInputEnded })
    #expect(pair.client.bytes == Array("goodbye".utf8))
    #expect(pair.client.ends.isEmpty)
    pair.clientChannel.closeGracefully()
    #expect(drive(loop) { !pair.client.ends.isEmpty && !pair.server.ends.isEmpty })
    #expect(pair.client.ends == [.closedHere])
    #expect(pair.server.ends == [.closedHere])
  }

  @Test func aPeerThatIsGoneEndsTheChannelOnce() throws {
    let loop = try EventLoop()
    let pair = try SocketPair(loop)
    pair.clientChannel.abort()
    #expect(pair.clientChannel.isClosed)
    #expect(drive(loop) { pair.server.hasInputEnded })
    pair.serverChannel.write([1])
    loop.turn()
    pair.serverChannel.write([2])
    #expect(drive(loop) { !pair.server.ends.isEmpty })
    #expect(pair.server.ends == [.closedByPeer])
    #expect(pair.client.ends == [.closedHere])
  }

  @Test func aPortWithoutListenerRefuses() throws {
    let loop = try EventLoop()
    let listener = try loop.listen(loopback()) { _ in nil }
    let port = listener.port
    listener.close()
    let client = Recorder()
    _ = try loop.connect(loopback(port: port), handler: client)
    #expect(drive(loop) { !client.ends.isEmpty })
    guard case .failed(let error)? = client.ends.first else {
      Issue.record("ended with \(client.ends)")
      return
    }
    #expect(error.code == .refused)
  }

  @Test func aPortThatIsTakenIsSaidToBe() throws {
    let loop = try EventLoop()
    let listener = try loop.listen(loopback()) { _ in nil }
    let error = #expect(throws: TransportError.self) {
      try loop.listen(loopback(port: listener.port)) { _ in nil }
    }
    #expect(error?.code == .addressInUse)
  }

  @Test func stoppingALoopClosesWhatIsOpen() throws {
    let loop = try EventLoop()
    let pair = try SocketPair(loop)
    loop.stop()
    loop.run()
    #expect(pair.server.ends == [.closedHere])
    #expect(pair.client.ends == [.closedHere])
  }
}
