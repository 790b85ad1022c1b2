import CLinux
import Glibc

extension EventLoop {
  /// Listens on an address; port 0 takes a free one, ``Listener/port`` tells which.
  package func listen(
    _ address: SocketAddress, accept: @escaping Listener.Accept
  ) throws(TransportError) -> Listener {
    try Listener(address, loop: self, accept: accept)
  }

  /// Starts to connect; the handler hears `channelConnected` or `closed`.
  ///
  /// What is written meanwhile leaves with the connection's first flush.
  package func connect(
    _ address: SocketAddress, handler: any ChannelHandler
  ) throws(TransportError) -> SocketChannel {
    let descriptor = try SystemCall.check(
      socket(
        address.family,
        Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket")
    let result = address.withPointer { Glibc.connect(descriptor, $0, $1) }
    if result < 0, errno != EINPROGRESS {
      let failure = SystemCall.failure("connect", errno)
      Glibc.close(descriptor)
      throw failure
    }
    let channel = SocketChannel(descriptor: descriptor, loop: self, isConnecting: true)
    channel.handler = handler
    do throws(TransportError) {
      try channel.register()
    } catch {
      channel.abort()
      throw error
    }
    return channel
  }
}
