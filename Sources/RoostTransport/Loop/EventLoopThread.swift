/// A loop on a thread of its own; everything reaches it by ``mailbox``.
package final class EventLoopThread: Sendable {
  package let mailbox: Mailbox
  private let thread: OwnedThread

  /// Starts the thread and waits until its loop exists.
  package init(
    name: String, limits: TransportLimits = TransportLimits()
  ) throws(TransportError) {
    let loop = try EventLoop(limits: limits)
    mailbox = loop.mailbox
    // Handed to the thread, which alone uses it from here on.
    nonisolated(unsafe) let handed = loop
    thread = try OwnedThread(name: name) { handed.run() }
  }

  /// Ends the loop after what was posted before; does not wait for it.
  package func stop() { mailbox.post { $0.stop() } }

  /// Waits for the thread's end; not to be called from it, and once only.
  package func join() { thread.join() }
}
