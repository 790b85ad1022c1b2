package import RoostModel

/// Which optional parts a request's head has.
package struct RequestFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package static let timeout = RequestFlags(rawValue: 0x01)
  package static let sequence = RequestFlags(rawValue: 0x02)
  package static let minToken = RequestFlags(rawValue: 0x04)
  package static let metadata = RequestFlags(rawValue: 0x08)
  package static let credit = RequestFlags(rawValue: 0x10)
  /// Start only when all earlier streams of this connection have ended.
  package static let barrier = RequestFlags(rawValue: 0x20)
  package static let known: RequestFlags = [
    .timeout, .sequence, .minToken, .metadata, .credit, .barrier,
  ]
}

/// The part of a request before its message: `method u16 | flags u8 | 0 u8`, then what the flags
/// name in the order of the bits.
package struct RequestHead: Hashable, Sendable {
  /// Raw: a method this side does not know is an answer, not a broken frame.
  package var method: UInt16
  /// Milliseconds from arrival; 0 has expired.
  package var timeoutMilliseconds: UInt32?
  package var sequence: (number: UInt64, acknowledged: UInt64)? {
    get { sequenceNumber.map { ($0, sequenceAcknowledged) } }
    set {
      sequenceNumber = newValue?.number
      sequenceAcknowledged = newValue?.acknowledged ?? 0
    }
  }
  /// The answer must include this commit.
  package var minToken: UInt64?
  package var metadata: [MapEntry] = []
  /// Credit for the answer instead of the window of HELLO.
  package var initialCredit: UInt32?
  package var isBarrier = false
  private var sequenceNumber: UInt64?
  private var sequenceAcknowledged: UInt64 = 0

  package init(method: UInt16) { self.method = method }

  package init(_ method: WireMethod, timeoutMilliseconds: UInt32? = nil) {
    self.method = method.rawValue
    self.timeoutMilliseconds = timeoutMilliseconds
  }

  private var flags: RequestFlags {
    var flags: RequestFlags = []
    if timeoutMilliseconds != nil { flags.insert(.timeout) }
    if sequenceNumber != nil { flags.insert(.sequence) }
    if minToken != nil { flags.insert(.minToken) }
    if !metadata.isEmpty { flags.insert(.metadata) }
    if initialCredit != nil { flags.insert(.credit) }
    if isBarrier { flags.insert(.barrier) }
    return flags
  }

  package func encode(into writer: inout PackedWriter) {
    writer.fixed(method)
    writer.byte(flags.rawValue)
    writer.byte(0)
    if let timeoutMilliseconds { writer.fixed(timeoutMilliseconds) }
    if let sequenceNumber {
      writer.fixed(sequenceNumber)
      writer.fixed(sequenceAcknowledged)
    }
    if let minToken { writer.fixed(minToken) }
    if !metadata.isEmpty { writer.value(.map(metadata)) }
    if let initialCredit { writer.fixed(initialCredit) }
  }

  /// Reads the head and leaves the reader at the body.
  package init(from reader: inout PackedReader) throws(MessageError) {
    do {
      let word = try reader.fixed(UInt32.self)
      method = UInt16(truncatingIfNeeded: word)
      let flags = RequestFlags(rawValue: UInt8(truncatingIfNeeded: word >> 16))
      if flags.isEmpty, word >> 24 == 0 { return }
      guard flags.isSubset(of: .known), word >> 24 == 0 else {
        throw MessageError(.missingCapability, "a flag of the request's head is unknown")
      }
      try readOptional(flags, from: &reader)
    } catch let error as MessageError {
      throw error
    } catch {
      throw MessageError(.protocolViolation, "the request's head is broken: \(error)")
    }
  }

  private mutating func readOptional(
    _ flags: RequestFlags, from reader: inout PackedReader
  ) throws {
    if flags.contains(.timeout) { timeoutMilliseconds = try reader.fixed(UInt32.self) }
    if flags.contains(.sequence) {
      sequenceNumber = try reader.fixed(UInt64.self)
      sequenceAcknowledged = try reader.fixed(UInt64.self)
    }
    if flags.contains(.minToken) { minToken = try reader.fixed(UInt64.self) }
    if flags.contains(.metadata) { metadata = try RequestHead.metadata(from: &reader) }
    if flags.contains(.credit) {
      let credit = try reader.fixed(UInt32.self)
      guard credit <= WireLimits.creditMax else {
        throw MessageError(.protocolViolation, "the initial credit is over 2^31-1")
      }
      initialCredit = credit
    }
    isBarrier = flags.contains(.barrier)
  }

  private static func metadata(from reader: inout PackedReader) throws -> [MapEntry] {
    let start = reader.offset
    guard case .map(let entries) = try reader.value() else {
      throw MessageError(.protocolViolation, "metadata is not a map")
    }
    guard reader.offset - start <= WireLimits.metadataBytesMax,
      entries.count <= WireLimits.metadataKeysMax
    else { throw MessageError(.badValue, "metadata is too large") }
    for entry in entries {
      let isPlain = entry.key.utf8.allSatisfy { byte in
        switch byte {
        case 0x61...0x7A, 0x30...0x39, 0x2E, 0x5F, 0x2D: true
        default: false
        }
      }
      guard isPlain, !entry.key.isEmpty else {
        throw MessageError(.badValue, "a metadata key is not of [a-z0-9._-]")
      }
    }
    return entries
  }
}
