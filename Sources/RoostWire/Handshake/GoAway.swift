package import RoostModel

/// The end of a connection, announced.
///
/// `last u32 | status u8 | phase u8 | detail u16 | retry after u32 ms | UTF-8 text`.
package struct GoAway: Hashable, Sendable {
  package enum Phase: UInt8, Hashable, Sendable {
    /// Open no more streams; what is open goes on.
    case soft = 0
    /// Streams above `last` were not and will not be looked at.
    case final = 1
  }

  package var lastStream: UInt32
  package var status: StatusCode
  package var phase: Phase
  package var detail: StatusDetail
  package var retryAfterMilliseconds: UInt32
  package var text: String

  package init(
    lastStream: UInt32, status: StatusCode, phase: Phase, detail: StatusDetail,
    retryAfterMilliseconds: UInt32 = 0, text: String = ""
  ) {
    self.lastStream = lastStream
    self.status = status
    self.phase = phase
    self.detail = detail
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.text = text
  }

  package func encode(into writer: inout PackedWriter) {
    writer.fixed(lastStream)
    writer.byte(status.rawValue)
    writer.byte(phase.rawValue)
    writer.fixed(detail.rawValue)
    writer.fixed(retryAfterMilliseconds)
    var cut = text
    while cut.utf8.count > WireLimits.goAwayTextMax { cut.removeLast() }
    cut.withUTF8 { writer.raw(UnsafeRawBufferPointer($0)) }
  }

  package init(_ payload: UnsafeRawBufferPointer) throws(MessageError) {
    do throws(PackedError) {
      var reader = PackedReader(payload)
      lastStream = try reader.fixed(UInt32.self)
      status = StatusCode(rawValue: try reader.byte()) ?? .unknown
      guard let phase = Phase(rawValue: try reader.byte()) else {
        throw PackedError.unexpectedValue(expected: "phase 0 or 1", at: 5)
      }
      self.phase = phase
      detail = StatusDetail(rawValue: try reader.fixed(UInt16.self))
      retryAfterMilliseconds = try reader.fixed(UInt32.self)
      guard reader.remaining <= WireLimits.goAwayTextMax else {
        throw PackedError.trailingBytes(at: reader.offset)
      }
      text = try reader.utf8(count: reader.remaining)
    } catch {
      throw MessageError(error)
    }
  }

  package var error: StoreError {
    StoreError(status, detail, text.isEmpty ? "the peer closes the connection" : text)
  }
}
