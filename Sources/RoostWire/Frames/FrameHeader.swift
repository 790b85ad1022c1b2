/// What a frame is; raw values are the wire's.
package enum FrameType: UInt8, Hashable, Sendable, CaseIterable {
  case hello = 0x01
  case request = 0x02
  case message = 0x03
  case end = 0x04
  case cancel = 0x05
  case window = 0x06
  case ping = 0x07
  case goAway = 0x08
  case auth = 0x09
  case notice = 0x0A
}

/// Flags of a frame; the other bits are zero.
package struct FrameFlags: OptionSet, Hashable, Sendable {
  package var rawValue: UInt8
  package init(rawValue: UInt8) { self.rawValue = rawValue }

  /// The sender's last frame on this stream.
  package static let end = FrameFlags(rawValue: 0x01)
  package static let deflate = FrameFlags(rawValue: 0x02)
  /// The last four payload bytes are the checksum of header and rest.
  package static let check = FrameFlags(rawValue: 0x04)
  package static let acknowledge = FrameFlags(rawValue: 0x08)
  /// The message goes on in the stream's next MESSAGE.
  package static let more = FrameFlags(rawValue: 0x10)
  package static let known: FrameFlags = [.end, .deflate, .check, .acknowledge, .more]
}

/// The twelve bytes before every payload, little-endian:
/// `length u32 | stream u32 | type u8 | flags u8 | zero u16`.
package struct FrameHeader: Hashable, Sendable {
  package static let byteCount = 12

  package var length: UInt32
  package var stream: UInt32
  /// Raw, since types from 0x40 to 0x7F may be unknown and are then skipped.
  package var type: UInt8
  package var flags: FrameFlags

  package init(length: UInt32, stream: UInt32, type: UInt8, flags: FrameFlags = []) {
    self.length = length
    self.stream = stream
    self.type = type
    self.flags = flags
  }

  /// Writes the header over bytes that are already there.
  package func write(over bytes: inout [UInt8], at offset: Int) {
    let low = UInt64(length) | UInt64(stream) << 32
    let high = UInt32(type) | UInt32(flags.rawValue) << 8
    bytes.withUnsafeMutableBytes { buffer in
      guard offset >= 0, offset + FrameHeader.byteCount <= buffer.count else { return }
      buffer.storeBytes(of: low.littleEndian, toByteOffset: offset, as: UInt64.self)
      buffer.storeBytes(of: high.littleEndian, toByteOffset: offset + 8, as: UInt32.self)
    }
  }
}

/// One frame, its payload a view into the receive buffer, without the checksum.
package struct Frame {
  package var header: FrameHeader
  package var payload: UnsafeRawBufferPointer

  package init(header: FrameHeader, payload: UnsafeRawBufferPointer) {
    self.header = header
    self.payload = payload
  }

  package var stream: UInt32 { header.stream }
  package var flags: FrameFlags { header.flags }
}
