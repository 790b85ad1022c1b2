import RoostTransport

/// What one connection has done.
struct ClientFigures {
  let opened: LoopInstant
  /// When bytes came last.
  var lastInput: LoopInstant
  /// When an operator beyond the limit of connections asked for something last.
  var lastQuestion: LoopInstant
  var requests: UInt64 = 0
  /// Calls that ended neither well nor by the client's own word.
  var failed: UInt64 = 0
  var bytesIn: UInt64 = 0
  var bytesOut: UInt64 = 0

  init(now: LoopInstant) {
    opened = now
    lastInput = now
    lastQuestion = now
  }
}
