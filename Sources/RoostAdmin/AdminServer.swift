import CMicrohttpd
import Synchronization

/// An HTTP daemon on threads of its own that answers by a router.
///
/// Each connection has a thread, so that a scrape that waits for its figures holds up no probe.
package final class AdminServer: Sendable {
  private let router: AdminRouter
  private let daemon = Mutex<Daemon?>(nil)

  // libmicrohttpd locks inside; this one is only ever started and stopped, under the mutex.
  private struct Daemon: @unchecked Sendable {
    let pointer: OpaquePointer
  }

  package init(_ router: AdminRouter) { self.router = router }

  deinit { stop() }

  /// Serves a socket that listens already and is the daemon's from then on.
  ///
  /// - Returns: false if there are no threads or no memory for it.
  package func start(listening descriptor: Int32) -> Bool {
    // Unretained: `stop` waits for the threads, and `deinit` stops.
    let context = Unmanaged.passUnretained(self).toOpaque()
    let started = roost_mhd_start(
      descriptor, AdminLimits.connectionsMax, AdminLimits.idleSecondsMax,
      AdminLimits.connectionBytesMax, AdminLimits.stackBytes,
      { context, connection, path, method, _, _, _, _ in
        guard let context, let connection, let path, let method else { return .NO }
        return Unmanaged<AdminServer>.fromOpaque(context).takeUnretainedValue()
          .handle(connection, path: String(cString: path), method: String(cString: method))
      }, context)
    guard let started else { return false }
    daemon.withLock { $0 = Daemon(pointer: started) }
    return true
  }

  /// Ends what is under way and waits for the threads.
  package func stop() {
    let running = daemon.withLock { daemon in
      defer { daemon = nil }
      return daemon
    }
    if let running { MHD_stop_daemon(running.pointer) }
  }

  /// Answers once the headers are there: no body is waited for, and none is taken.
  private func handle(_ connection: OpaquePointer, path: String, method: String) -> MHD_Result {
    let authorization = MHD_lookup_connection_value(connection, .HEADER_KIND, "Authorization")
      .map { header in Array(String(cString: header).utf8) }
    let answer = router.answer(method: method, path: path, authorization: authorization)
    guard let response = AdminServer.response(answer) else { return .NO }
    defer { MHD_destroy_response(response) }
    return MHD_queue_response(connection, answer.status, response)
  }

  private static func response(_ answer: AdminAnswer) -> OpaquePointer? {
    let response = answer.body.withUnsafeBytes { bytes in
      MHD_create_response_from_buffer(
        bytes.count, UnsafeMutableRawPointer(mutating: bytes.baseAddress), .RESPMEM_MUST_COPY)
    }
    guard let response else { return nil }
    let fixed = [
      ("Content-Type", answer.contentType), ("Cache-Control", "no-store"),
      // A connection kept between scrapes would hold one of few threads.
      ("Connection", "close"),
    ]
    for (name, value) in fixed + answer.headers { MHD_add_response_header(response, name, value) }
    return response
  }
}
