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
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }
  private init(_ rawValue: UInt16) { self.rawValue = rawValue }

  public static let none = StatusDetail(0)
  public static let badValue = StatusDetail(10)
  public static let unknownColumn = StatusDetail(11)
  public static let expressionTooLarge = StatusDetail(12)
  public static let sequenceReused = StatusDetail(13)
  public static let badInflate = StatusDetail(14)
  public static let unsupportedExpression = StatusDetail(15)
  public static let protocolViolation = StatusDetail(16)
  public static let deadlineBeforeStart = StatusDetail(20)
  public static let deadlineWhileRunning = StatusDetail(21)
  public static let unknownEntity = StatusDetail(30)
  public static let unknownRow = StatusDetail(31)
  public static let unknownImport = StatusDetail(32)
  public static let uniqueKey = StatusDetail(40)
  public static let role = StatusDetail(50)
  public static let messageSize = StatusDetail(60)
  public static let streams = StatusDetail(61)
  public static let queue = StatusDetail(62)
  public static let diskFull = StatusDetail(63)
  public static let controlFlood = StatusDetail(64)
  public static let resultTooLarge = StatusDetail(65)
  public static let revisionMismatch = StatusDetail(70)
  public static let schemaChanged = StatusDetail(71)
  public static let dedupExpired = StatusDetail(72)
  public static let foreignToken = StatusDetail(73)
  public static let relationshipRule = StatusDetail(74)
  public static let validation = StatusDetail(75)
  public static let snapshotExpired = StatusDetail(80)
  public static let lockConflict = StatusDetail(81)
  public static let importSuperseded = StatusDetail(82)
  public static let chunkGap = StatusDetail(90)
  public static let historyCompacted = StatusDetail(91)
  public static let unknownMethod = StatusDetail(100)
  public static let missingCapability = StatusDetail(101)
  public static let unknownFrame = StatusDetail(102)
  public static let invariant = StatusDetail(110)
  /// The write may or may not have happened; look it up before trying again.
  public static let outcomeUnknown = StatusDetail(111)
  public static let draining = StatusDetail(120)
  public static let starting = StatusDetail(121)
  public static let overloaded = StatusDetail(122)
  public static let checksum = StatusDetail(130)
  public static let corrupt = StatusDetail(131)
  public static let tokenMissing = StatusDetail(140)
}
