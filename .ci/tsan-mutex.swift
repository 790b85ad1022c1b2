import Glibc

/// `Synchronization.Mutex` as ThreadSanitizer can see it: on pthread's mutex.
///
/// The sanitizer of Swift 6.3 knows nothing of the toolchain's own Mutex and reports every state
/// behind one as a race; `.ci/tsan` puts this file into a copy of each room, where it shadows it.
struct Mutex<Value>: @unchecked Sendable {
  /// Sendable because the value is touched only between lock and unlock.
  private final class Box: @unchecked Sendable {
    var value: Value
    let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

    init(_ value: sending Value) {
      self.value = value
      pthread_mutex_init(lock, nil)
    }

    deinit {
      pthread_mutex_destroy(lock)
      lock.deallocate()
    }
  }

  private let box: Box

  init(_ value: sending Value) { box = Box(value) }

  func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    pthread_mutex_lock(box.lock)
    defer { pthread_mutex_unlock(box.lock) }
    return try body(&box.value)
  }
}
