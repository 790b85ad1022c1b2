import RoostTransport

/// Collects what a channel tells, and answers as the test says.
final class Recorder: ChannelHandler {
  var bytes: [UInt8] = []
  var isConnected = false
  var hasInputEnded = false
  var drainCount = 0
  var ends: [ChannelEnd] = []
  var onReceive: ((any Channel, UnsafeRawBufferPointer) -> Void)?

  func channelConnected(_ channel: any Channel) { isConnected = true }

  func channel(_ channel: any Channel, received bytes: UnsafeRawBufferPointer) {
    self.bytes.append(contentsOf: bytes)
    onReceive?(channel, bytes)
  }

  func channelInputEnded(_ channel: any Channel) { hasInputEnded = true }
  func channelDrained(_ channel: any Channel) { drainCount += 1 }
  func channel(_ channel: any Channel, closed end: ChannelEnd) { ends.append(end) }
}

/// Takes turns until `condition` holds; false if it does not within ten seconds.
func drive(_ loop: EventLoop, until condition: () -> Bool) -> Bool {
  let clock = SystemLoopClock()
  let start = clock.now
  while !condition() {
    if clock.now.elapsed(since: start) > .seconds(10) { return false }
    loop.turn(waiting: .milliseconds(100))
  }
  return true
}

func loopback(_ host: String = "127.0.0.1", port: UInt16 = 0) throws -> SocketAddress {
  guard let address = try SocketAddress.resolve(host: host, port: port).first else {
    throw TransportError(.badAddress, "no address for \(host)")
  }
  return address
}

/// A connected pair on loopback, both ends on one loop.
struct SocketPair {
  let server = Recorder()
  let client = Recorder()
  let serverChannel: SocketChannel
  let clientChannel: SocketChannel

  init(_ loop: EventLoop) throws {
    var accepted: SocketChannel?
    let server = self.server
    let listener = try loop.listen(loopback()) { channel in
      accepted = channel
      return server
    }
    clientChannel = try loop.connect(loopback(port: listener.port), handler: client)
    let client = self.client
    guard drive(loop, until: { accepted != nil && client.isConnected }), let accepted else {
      throw TransportError(.refused, "the pair did not connect")
    }
    serverChannel = accepted
    listener.close()
  }
}

extension Channel {
  func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }
}
