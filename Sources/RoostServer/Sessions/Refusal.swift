import RoostModel
import RoostTransport
import RoostWire

/// Tells a connection for which there is no room when to come again, and closes it.
final class Refusal: ChannelHandler {
  init(_ channel: any Channel, retryAfterMilliseconds: UInt32) {
    let goAway = GoAway(
      lastStream: 0, status: .unavailable, phase: .final, detail: .overloaded,
      retryAfterMilliseconds: retryAfterMilliseconds, text: "too many connections")
    var payload = PackedWriter()
    goAway.encode(into: &payload)
    var bytes = Preface.server(chosen: Preface.versionMax)
    let start = bytes.count
    bytes.append(contentsOf: [UInt8](repeating: 0, count: FrameHeader.byteCount))
    FrameHeader(
      length: UInt32(payload.bytes.count), stream: 0, type: FrameType.goAway.rawValue, flags: []
    ).write(over: &bytes, at: start)
    bytes.append(contentsOf: payload.bytes)
    channel.write(swapping: &bytes)
    channel.closeGracefully()
  }

  func channel(_ channel: any Channel, received bytes: UnsafeRawBufferPointer) {}
  func channelInputEnded(_ channel: any Channel) {}
  func channel(_ channel: any Channel, closed end: ChannelEnd) {}
}
