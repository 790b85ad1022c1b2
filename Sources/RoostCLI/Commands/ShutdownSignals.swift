#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// SIGTERM and SIGINT, which the server takes by its loop.
enum ShutdownSignals {
  /// Holds them back on this thread and all it will start.
  ///
  /// A signal goes to any thread that lets it through, and would end the process there: so this
  /// comes before the store starts its threads.
  static func holdBack() {
    var mask = sigset_t()
    sigemptyset(&mask)
    sigaddset(&mask, SIGTERM)
    sigaddset(&mask, SIGINT)
    pthread_sigmask(SIG_BLOCK, &mask, nil)
  }
}
