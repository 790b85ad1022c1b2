import RoostModel
import RoostWire

/// What the server counts; it belongs to the loop.
struct ServerStats {
  private var methods = [MethodStats](repeating: MethodStats(), count: ServerStats.methodCount)
  var connectionsAccepted: UInt64 = 0
  var connectionsRefused: UInt64 = 0
  var connectionsFailed: UInt64 = 0
  var bytesIn: UInt64 = 0
  var bytesOut: UInt64 = 0
  var rowsImported: UInt64 = 0
  var rowsRejected: UInt64 = 0
  /// Calls and connections' first words refused because a queue was full.
  var refused: UInt64 = 0
  /// Fetches that ended because they held their snapshot for too long.
  var snapshotsExpired: UInt64 = 0
  /// Times that a client took nothing of its unsent bytes for a while.
  var slowEver: UInt64 = 0
  private var statuses = [UInt64](repeating: 0, count: StatusCode.allCases.count)

  private static let methodCount = 32

  subscript(method: WireMethod) -> MethodStats {
    get { methods[Int(method.rawValue)] }
    set { methods[Int(method.rawValue)] = newValue }
    _modify { yield &methods[Int(method.rawValue)] }
  }

  /// A call that outlasted its turn, or was refused, has ended.
  mutating func end(_ method: WireMethod, _ status: EndStatus, nanoseconds: UInt64) {
    self[method].end(status.status, nanoseconds: nanoseconds)
    statuses[Int(status.status.rawValue)] &+= 1
    switch (status.status, status.detail) {
    case (.resourceExhausted, .queue): refused &+= 1
    case (.aborted, .snapshotExpired): snapshotsExpired &+= 1
    default: break
    }
  }

  /// Calls by how they ended, those that never did so left out; a call that ended well is not
  /// counted here.
  var statusEntries: [MapEntry] {
    StatusCode.allCases.filter { $0 != .ok && statuses[Int($0.rawValue)] > 0 }
      .map { MapEntry("\($0)", .natural(statuses[Int($0.rawValue)])) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  var failed: UInt64 { WireMethod.allCases.reduce(0) { $0 &+ self[$1].failed } }

  /// The rows of a chunk; those of a duplicate were counted when it was taken.
  mutating func count(_ acknowledgement: ImportAcknowledgement) {
    guard !acknowledgement.isDuplicate else { return }
    rowsImported &+= UInt64(acknowledgement.accepted)
    rowsRejected &+= UInt64(acknowledgement.rejected)
  }

  /// Calls of every method by name, those never called left out.
  var methodEntries: [MapEntry] {
    WireMethod.allCases.filter { self[$0].started > 0 }
      .map { MapEntry($0.name, .map(self[$0].entries)) }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }

  var requestsStarted: UInt64 { WireMethod.allCases.reduce(0) { $0 + self[$1].started } }
}
