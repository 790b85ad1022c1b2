import Dispatch
import Glibc
import RoostModel

/// A thread of ours that runs one function to its end.
final class OwnThread: Sendable {
  private final class Start {
    let body: @Sendable () -> Void
    let ended: DispatchSemaphore

    init(_ body: @escaping @Sendable () -> Void, _ ended: DispatchSemaphore) {
      self.body = body
      self.ended = ended
    }
  }

  private let ended = DispatchSemaphore(value: 0)
  private let thread: pthread_t

  /// Whether the caller is this thread.
  var isCurrent: Bool { pthread_equal(thread, pthread_self()) != 0 }

  init(_ body: @escaping @Sendable () -> Void) throws(StoreError) {
    let start = Unmanaged.passRetained(Start(body, ended))
    var thread = pthread_t()
    let result = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
        start.body()
        start.ended.signal()
        return nil
      }, start.toOpaque())
    guard result == 0 else {
      start.release()
      throw StoreError(
        .resourceExhausted, .none, "no thread can be made: \(String(cString: strerror(result)))")
    }
    pthread_detach(thread)
    self.thread = thread
  }

  /// Waits for the function to return; may be called again, but never from the thread itself.
  func join() {
    ended.wait()
    ended.signal()
  }
}
