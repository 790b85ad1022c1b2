import RoostModel

/// Takes frames out of received bytes without copying them.
///
/// Length, reserved bits and type are judged on the header alone, before any byte is reserved.
package struct FrameDecoder: Sendable {
  package var frameBytesMax: Int
  /// Bytes the buffer must hold from the offset on before ``next(in:at:)`` gets further.
  package private(set) var bytesWanted = FrameHeader.byteCount

  package init(frameBytesMax: Int) { self.frameBytesMax = frameBytesMax }

  /// The next frame, and `offset` moved behind it; nil when it is not complete yet.
  package mutating func next(
    in buffer: UnsafeRawBufferPointer, at offset: inout Int
  ) throws(WireError) -> Frame? {
    let available = buffer.count - offset
    guard available >= FrameHeader.byteCount else {
      bytesWanted = FrameHeader.byteCount
      return nil
    }
    let header = try header(in: buffer, at: offset)
    let size = FrameHeader.byteCount + Int(header.length)
    guard available >= size else {
      bytesWanted = size
      return nil
    }
    bytesWanted = FrameHeader.byteCount
    let whole = UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + size])
    offset += size
    return Frame(header: header, payload: try payload(of: whole, header))
  }

  private func header(
    in buffer: UnsafeRawBufferPointer, at offset: Int
  ) throws(WireError) -> FrameHeader {
    let low = UInt64(
      littleEndian: buffer.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    let high = UInt32(
      littleEndian: buffer.loadUnaligned(fromByteOffset: offset + 8, as: UInt32.self))
    let header = FrameHeader(
      length: UInt32(truncatingIfNeeded: low), stream: UInt32(truncatingIfNeeded: low >> 32),
      type: UInt8(truncatingIfNeeded: high),
      flags: FrameFlags(rawValue: UInt8(truncatingIfNeeded: high >> 8)))
    guard high >> 16 == 0, header.flags.isSubset(of: .known) else {
      throw .violation("a reserved bit of the frame header is set")
    }
    guard header.stream <= WireLimits.streamIDMax else {
      throw .violation("stream \(header.stream) is out of range")
    }
    guard Int(header.length) <= frameBytesMax else {
      throw WireError(
        .resourceExhausted, .messageSize,
        "a frame of \(header.length) bytes is over max_frame \(frameBytesMax)")
    }
    try checkType(header.type)
    return header
  }

  private func checkType(_ type: UInt8) throws(WireError) {
    switch type {
    case 0, 0x80...: throw .violation("frame type \(type) is never valid")
    case 0x01...0x0A, 0x40...0x7F: return
    default: throw WireError(.unimplemented, .unknownFrame, "frame type \(type) is unknown")
    }
  }

  private func payload(
    of whole: UnsafeRawBufferPointer, _ header: FrameHeader
  ) throws(WireError) -> UnsafeRawBufferPointer {
    guard header.flags.contains(.check) else {
      return UnsafeRawBufferPointer(rebasing: whole[FrameHeader.byteCount...])
    }
    guard header.length >= 4 else { throw .violation("a frame is too short for its checksum") }
    let end = whole.count - 4
    let stated = UInt32(littleEndian: whole.loadUnaligned(fromByteOffset: end, as: UInt32.self))
    guard Checksum.crc32(UnsafeRawBufferPointer(rebasing: whole[..<end])) == stated else {
      throw WireError(.dataLoss, .checksum, "a frame's checksum does not match")
    }
    return UnsafeRawBufferPointer(rebasing: whole[FrameHeader.byteCount..<end])
  }
}
