import RoostTransport
import Testing

@Suite struct MemoryChannelTests {
  @Test(arguments: [1, 3, 64, 10_000])
  func bytesArriveInPieces(pieceBytes: Int) throws {
    let loop = try EventLoop(clock: ManualLoopClock())
    let channel = MemoryChannel(loop: loop, faults: MemoryFaults(pieceBytes: pieceBytes))
    let recorder = Recorder()
    var pieces = 0
    recorder.onReceive = { channel, bytes in
      pieces += 1
      channel.write(bytes)
    }
    channel.handler = recorder
    let sent = (0..<1_000).map { UInt8(truncatingIfNeeded: $0) }
    channel.peer.send(sent)
    channel.peer.end()
    for _ in 0..<1_002 { loop.turn() }
    #expect(recorder.bytes == sent)
    #expect(channel.peer.received == sent)
    #expect(pieces == (1_000 + pieceBytes - 1) / pieceBytes)
    #expect(recorder.hasInputEnded)
  }

  @Test func aDelayIsTheClocks() throws {
    let clock = ManualLoopClock()
    let loop = try EventLoop(clock: clock)
    let channel = MemoryChannel(loop: loop, faults: MemoryFaults(delay: .milliseconds(50)))
    let recorder = Recorder()
    channel.handler = recorder
    channel.peer.send([1])
    loop.turn()
    clock.advance(by: .milliseconds(49))
    loop.turn()
    #expect(recorder.bytes.isEmpty)
    clock.advance(by: .milliseconds(1))
    loop.turn()
    #expect(recorder.bytes == [1])
  }

  @Test func aCutEndsTheChannelInMidStream() throws {
    let loop = try EventLoop(clock: ManualLoopClock())
    let channel = MemoryChannel(loop: loop, faults: MemoryFaults(cutAfterBytes: 5))
    let recorder = Recorder()
    channel.handler = recorder
    channel.peer.send([1, 2, 3, 4, 5, 6, 7])
    for _ in 0..<4 { loop.turn() }
    #expect(recorder.bytes == [1, 2, 3, 4, 5])
    #expect(recorder.ends == [.closedByPeer])
  }

  @Test func aStalledPeerIsNotReadUntilItTakes() throws {
    var limits = TransportLimits()
    limits.outputHighWater = 100
    limits.outputLowWater = 10
    let loop = try EventLoop(limits: limits, clock: ManualLoopClock())
    let channel = MemoryChannel(loop: loop)
    let recorder = Recorder()
    channel.handler = recorder
    channel.peer.limitAppetite(to: 50)
    channel.write([UInt8](repeating: 1, count: 200))
    channel.peer.send([9])
    for _ in 0..<4 { loop.turn() }
    #expect(channel.peer.received.count == 50)
    #expect(recorder.bytes.isEmpty)
    channel.peer.limitAppetite(to: .max)
    for _ in 0..<4 { loop.turn() }
    #expect(channel.peer.received.count == 200)
    #expect(recorder.drainCount == 1)
    #expect(recorder.bytes == [9])
  }
}
