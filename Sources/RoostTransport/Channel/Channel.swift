/// A connection as its handler sees it: bytes in by callback, bytes out by ``write(swapping:)``.
///
/// Belongs to the loop's thread, as its handler does. All that is written within one turn leaves
/// in one system call at the turn's end.
package protocol Channel: AnyObject {
  var loop: EventLoop { get }

  /// The peer's address and port for people; "" if it is not known.
  var peerName: String { get }

  /// What has been written and not yet taken by the peer's side.
  var unsentByteCount: Int { get }

  /// No more may be written, and nothing more comes.
  var isClosed: Bool { get }

  /// Sends `bytes` and leaves an empty array with its capacity in their place: no copy is made
  /// unless earlier bytes still wait.
  func write(swapping bytes: inout [UInt8])

  func write(_ bytes: UnsafeRawBufferPointer)

  /// Stops taking bytes from the peer; what it sends waits in the kernel, then in the peer.
  func pauseReading()
  func resumeReading()

  /// Sends what is written, says that nothing follows, drops what still comes for a moment, and
  /// closes: so the peer reads the last words instead of a reset.
  func closeGracefully()

  /// Closes at once and drops what is unsent.
  func abort()
}

/// Why a channel is no more.
package enum ChannelEnd: Hashable, Sendable {
  /// This side closed it.
  case closedHere
  /// The peer closed it or the network did.
  case closedByPeer
  case failed(TransportError)
}

/// What a channel tells its owner, always on the loop's thread and within a turn.
package protocol ChannelHandler: AnyObject {
  /// A connect has succeeded; accepted channels do not tell.
  func channelConnected(_ channel: any Channel)

  /// Bytes came; they are lent for the call.
  func channel(_ channel: any Channel, received bytes: UnsafeRawBufferPointer)

  /// The peer will send nothing more; what is unsent can still be written.
  func channelInputEnded(_ channel: any Channel)

  /// Unsent bytes have fallen to the low-water mark after they had passed the high one.
  func channelDrained(_ channel: any Channel)

  /// The last call of all; comes exactly once.
  func channel(_ channel: any Channel, closed end: ChannelEnd)
}

extension ChannelHandler {
  package func channelConnected(_ channel: any Channel) {}
  package func channelDrained(_ channel: any Channel) {}
}
