import RoostTransport

/// What one connection has done.
struct ClientFigures {
  let opened: LoopInstant
  /// When bytes came last.
  var lastInput: LoopInstant
  var requests: UInt64 = 0
  /// Calls that ended neither well nor by the client's own word.
  var failed: UInt64 = 0
  var bytesIn: UInt64 = 0
  var bytesOut: UInt64 = 0

  init(now: LoopInstant) {
    opened = now
    lastInput = now
  }
}
