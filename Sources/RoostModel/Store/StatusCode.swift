/// How a call ended; numbers and names are gRPC's.
public enum StatusCode: UInt8, Hashable, Sendable, CaseIterable {
  case ok = 0
  case cancelled = 1
  /// Never sent by a server; a client's word for a number it does not know.
  case unknown = 2
  case invalidArgument = 3
  case deadlineExceeded = 4
  case notFound = 5
  case alreadyExists = 6
  case permissionDenied = 7
  case resourceExhausted = 8
  case failedPrecondition = 9
  case aborted = 10
  case outOfRange = 11
  case unimplemented = 12
  case `internal` = 13
  case unavailable = 14
  case dataLoss = 15
  case unauthenticated = 16
}

/// The precise reason below a status code; the table is in `Protocol/SPEC.md`, "Status".
public struct StatusDetail: RawRepresentable, Hashable, Sendable {
  /// The number on the wire.
  public var rawValue: UInt16
  /// A detail by its number, known or not.
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  /// No reason beyond the status code.
  public static let none = StatusDetail(0)
  /// A value of the wrong type or out of range.
  public static let badValue = StatusDetail(10)
  /// A property the entity does not have.
  public static let unknownColumn = StatusDetail(11)
  /// An expression beyond the limits of nodes, depth or list values.
  public static let expressionTooLarge = StatusDetail(12)
  /// A sequence number that came with another request before.
  public static let sequenceReused = StatusDetail(13)
  /// Compressed bytes that do not unpack to what they say.
  public static let badInflate = StatusDetail(14)
  /// An operation on types it is not made for.
  public static let unsupportedExpression = StatusDetail(15)
  /// The peer broke the protocol.
  public static let protocolViolation = StatusDetail(16)
  /// The time was up before anything was done.
  public static let deadlineBeforeStart = StatusDetail(20)
  /// The time was up while the call ran.
  public static let deadlineWhileRunning = StatusDetail(21)
  /// An entity the store does not have.
  public static let unknownEntity = StatusDetail(30)
  /// A row that does not exist.
  public static let unknownRow = StatusDetail(31)
  /// An import the store knows nothing of.
  public static let unknownImport = StatusDetail(32)
  /// Another row has this unique key.
  public static let uniqueKey = StatusDetail(40)
  /// The principal may not do this.
  public static let role = StatusDetail(50)
  /// A message beyond the limit.
  public static let messageSize = StatusDetail(60)
  /// Too many calls at once on one connection.
  public static let streams = StatusDetail(61)
  /// The writer's queue is full; try again later.
  public static let queue = StatusDetail(62)
  /// No room is left on the disk.
  public static let diskFull = StatusDetail(63)
  /// Too many control frames.
  public static let controlFlood = StatusDetail(64)
  /// A result beyond the limit.
  public static let resultTooLarge = StatusDetail(65)
  /// The row has changed since the revision that was named.
  public static let revisionMismatch = StatusDetail(70)
  /// The schema is another than the one the request was made for.
  public static let schemaChanged = StatusDetail(71)
  /// Too long ago to say whether the write was done before.
  public static let dedupExpired = StatusDetail(72)
  /// A commit number of another store.
  public static let foreignToken = StatusDetail(73)
  /// A relationship's delete rule or target forbids it.
  public static let relationshipRule = StatusDetail(74)
  /// A value or a row that the model does not allow.
  public static let validation = StatusDetail(75)
  /// The snapshot was held for too long.
  public static let snapshotExpired = StatusDetail(80)
  /// Another process has the store.
  public static let lockConflict = StatusDetail(81)
  /// Another connection has taken the import over.
  public static let importSuperseded = StatusDetail(82)
  /// An operator ended the call.
  public static let endedByOperator = StatusDetail(83)
  /// A chunk that is not the next one.
  public static let chunkGap = StatusDetail(90)
  /// History that is no longer kept.
  public static let historyCompacted = StatusDetail(91)
  /// A method the server does not have.
  public static let unknownMethod = StatusDetail(100)
  /// A feature the server does not have.
  public static let missingCapability = StatusDetail(101)
  /// A frame of a kind the peer does not know.
  public static let unknownFrame = StatusDetail(102)
  /// A bug: something that cannot be was.
  public static let invariant = StatusDetail(110)
  /// The write may or may not have happened; look it up before trying again.
  public static let outcomeUnknown = StatusDetail(111)
  /// The server is about to stop.
  public static let draining = StatusDetail(120)
  /// The server is not ready yet.
  public static let starting = StatusDetail(121)
  /// The server has too much to do.
  public static let overloaded = StatusDetail(122)
  /// Bytes that changed on their way.
  public static let checksum = StatusDetail(130)
  /// A file that is damaged.
  public static let corrupt = StatusDetail(131)
  /// No token came with the request.
  public static let tokenMissing = StatusDetail(140)
}
