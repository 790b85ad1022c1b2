import CLinux
import Glibc

/// A joinable thread of the kernel, outside the cooperative pool: what runs on it may block.
package struct OwnedThread: Sendable {
  private let thread: pthread_t

  package init(
    name: String, _ body: @escaping @Sendable () -> Void
  ) throws(TransportError) {
    let start = Unmanaged.passRetained(ThreadStart(name: name, body: body))
    var thread = pthread_t()
    let number = pthread_create(
      &thread, nil,
      { argument in
        guard let argument else { return nil }
        let start = Unmanaged<ThreadStart>.fromOpaque(argument).takeRetainedValue()
        // The kernel keeps fifteen bytes of a name.
        clinux_set_thread_name(String(start.name.prefix(15)))
        start.body()
        return nil
      }, start.toOpaque())
    guard number == 0 else {
      start.release()
      throw SystemCall.failure("pthread_create", number)
    }
    self.thread = thread
  }

  /// Waits for the thread's end; not to be called from it, and once only.
  package func join() { pthread_join(thread, nil) }
}

private final class ThreadStart: Sendable {
  let name: String
  let body: @Sendable () -> Void

  init(name: String, body: @escaping @Sendable () -> Void) {
    self.name = name
    self.body = body
  }
}
