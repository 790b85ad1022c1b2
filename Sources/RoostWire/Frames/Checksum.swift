import CZlib

/// CRC-32 as zlib, gzip and PNG compute it; the CHECK flag's checksum.
package enum Checksum {
  package static func crc32(_ buffer: UnsafeRawBufferPointer) -> UInt32 {
    let bytes = buffer.bindMemory(to: UInt8.self)
    return UInt32(truncatingIfNeeded: CZlib.crc32_z(0, bytes.baseAddress, buffer.count))
  }
}
