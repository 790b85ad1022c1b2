import CSQLite
import Synchronization

/// Stops whatever statement a connection runs; may be called from any thread, at any time.
package final class Interrupter: Sendable {
  /// The handle as a number, since pointers are not Sendable; 0 once the connection is closed.
  private let handle: Mutex<UInt>

  init(_ connection: OpaquePointer) { handle = Mutex(UInt(bitPattern: connection)) }

  package func interrupt() {
    // The lock keeps the connection from being closed during the call.
    handle.withLock { number in
      if let connection = OpaquePointer(bitPattern: number) { sqlite3_interrupt(connection) }
    }
  }

  func clear() { handle.withLock { $0 = 0 } }
}
