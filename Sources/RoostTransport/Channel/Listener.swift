import CLinux
import Glibc

/// Accepts connections until it is closed.
package final class Listener: Pollable, Closable {
  /// Gives the handler of a new channel, or nil to close it at once.
  package typealias Accept = (SocketChannel) -> (any ChannelHandler)?

  let descriptor: Int32
  package let port: UInt16
  private unowned let loop: EventLoop
  private let accept: Accept
  private var slot: Poller.Slot?
  /// Given up for a moment when descriptors run out, so that a connection can be taken and closed.
  private var reserve: Int32

  init(
    _ address: SocketAddress, loop: EventLoop, accept: @escaping Accept
  ) throws(TransportError) {
    self.loop = loop
    self.accept = accept
    descriptor = try Listener.open(address, backlog: loop.limits.backlog)
    reserve = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    do throws(TransportError) {
      port = try SocketAddress.local(of: descriptor).port
    } catch {
      Glibc.close(descriptor)
      throw error
    }
    slot = try loop.poller.add(self, .readable)
  }

  /// Stops accepting; what is accepted lives on.
  package func close() {
    guard let slot else { return }
    self.slot = nil
    loop.poller.remove(slot, of: descriptor)
    Glibc.close(descriptor)
    if reserve >= 0 { Glibc.close(reserve) }
  }

  func closeAtOnce() { close() }

  func ready(_ readiness: Readiness) {
    for _ in 0..<loop.limits.acceptsPerTurn {
      guard slot != nil else { return }
      let socket = clinux_accept4(
        descriptor, Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue))
      if socket >= 0 {
        take(socket)
        continue
      }
      switch errno {
      case ECONNABORTED, EINTR: continue
      case EMFILE, ENFILE: return refuseOne()
      case ENOBUFS, ENOMEM: return rest()
      default: return
      }
    }
  }

  private func take(_ socket: Int32) {
    let channel = SocketChannel(descriptor: socket, loop: loop, isConnecting: false)
    guard let handler = accept(channel) else { return channel.abort() }
    channel.handler = handler
    do throws(TransportError) {
      try channel.register()
    } catch {
      channel.abort()
    }
  }

  /// Closes one waiting connection with the reserved descriptor: its peer learns at once, and the
  /// loop does not spin on a listener that stays readable.
  private func refuseOne() {
    if reserve >= 0 { Glibc.close(reserve) }
    let socket = clinux_accept4(descriptor, Int32(SOCK_CLOEXEC.rawValue))
    if socket >= 0 { Glibc.close(socket) }
    reserve = Glibc.open("/dev/null", O_RDONLY | O_CLOEXEC)
    rest()
  }

  private func rest() {
    guard let slot else { return }
    try? loop.poller.change(slot, of: descriptor, to: [])
    loop.schedule(after: loop.limits.acceptPause) { [weak self] in
      guard let self, let slot = self.slot else { return }
      try? self.loop.poller.change(slot, of: self.descriptor, to: .readable)
    }
  }

  /// A socket that listens, for a server with threads of its own; the caller closes it.
  package static func socket(
    _ address: SocketAddress, backlog: Int
  ) throws(TransportError) -> (descriptor: Int32, port: UInt16) {
    let descriptor = try open(address, backlog: backlog)
    do throws(TransportError) {
      return (descriptor, try SocketAddress.local(of: descriptor).port)
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }

  private static func open(
    _ address: SocketAddress, backlog: Int
  ) throws(TransportError) -> Int32 {
    let descriptor = try SystemCall.check(
      Glibc.socket(
        address.family,
        Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0), "socket")
    do throws(TransportError) {
      var one: Int32 = 1
      let size = socklen_t(MemoryLayout<Int32>.size)
      setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &one, size)
      if address.family == AF_INET6 {
        setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &one, size)
      }
      try SystemCall.check(address.withPointer { bind(descriptor, $0, $1) }, "bind")
      try SystemCall.check(Glibc.listen(descriptor, Int32(clamping: backlog)), "listen")
      return descriptor
    } catch {
      Glibc.close(descriptor)
      throw error
    }
  }
}
