/// Reads packed values from bytes that may be anything: every read is checked, none traps.
///
/// It borrows the buffer: use it only within the `withUnsafeBytes` call that gave the buffer.
/// After a throw the position is unspecified; drop the reader.
public struct PackedReader {
  // Inlined into its callers: most reads are of one to eight bytes.
  @usableFromInline let buffer: UnsafeRawBufferPointer
  @usableFromInline var position: Int

  /// Where the next byte is read.
  @inlinable public var offset: Int { position }

  /// Reads from `offset` to the end of the buffer.
  @inlinable
  public init(_ buffer: UnsafeRawBufferPointer, offset: Int = 0) {
    self.buffer = buffer
    position = offset
  }

  /// Bytes that are still to be read.
  @inlinable
  public var remaining: Int { buffer.count - offset }
  /// Whether every byte has been read.
  @inlinable
  public var isAtEnd: Bool { offset >= buffer.count }

  /// Checks that nothing is left.
  ///
  /// - Throws: ``PackedError/trailingBytes(at:)`` if something is.
  @inlinable
  public func finish() throws(PackedError) {
    if !isAtEnd { throw .trailingBytes(at: offset) }
  }

  // MARK: Parts

  /// The next byte, without reading it.
  @inlinable @inline(__always)
  public func peek() throws(PackedError) -> UInt8 {
    guard offset < buffer.count else { throw .truncated(at: offset) }
    return buffer[offset]
  }

  /// Reads one byte.
  @inlinable @inline(__always)
  public mutating func byte() throws(PackedError) -> UInt8 {
    guard offset < buffer.count else { throw .truncated(at: offset) }
    defer { position += 1 }
    return buffer[offset]
  }

  /// Reads an integer of its own size, little-endian.
  @inlinable
  public mutating func fixed<Integer: FixedWidthInteger>(
    _ type: Integer.Type
  ) throws(PackedError) -> Integer {
    let bytes = try raw(count: MemoryLayout<Integer>.size)
    return Integer(littleEndian: bytes.loadUnaligned(as: Integer.self))
  }

  /// The next `count` bytes, as a view into the buffer.
  @inlinable
  public mutating func raw(count: Int) throws(PackedError) -> UnsafeRawBufferPointer {
    guard count >= 0, count <= remaining else { throw .truncated(at: offset) }
    defer { position += count }
    return UnsafeRawBufferPointer(rebasing: buffer[offset..<offset + count])
  }

  /// Reads seven bits a byte, the lowest first, in the shortest form only.
  @inlinable
  public mutating func varint() throws(PackedError) -> UInt64 {
    let start = offset
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while true {
      let next = try byte()
      if shift == 63, next > 1 { throw .notCanonical(at: start) }
      value |= UInt64(next & 0x7F) << shift
      if next < 0x80 {
        if next == 0, shift > 0 { throw .notCanonical(at: start) }
        return value
      }
      shift += 7
      if shift > 63 { throw .notCanonical(at: start) }
    }
  }

  /// A varint that must fit 32 bits: an entity, a property, an operation.
  public mutating func identifier() throws(PackedError) -> UInt32 {
    let start = offset
    guard let value = UInt32(exactly: try varint()) else {
      throw .unexpectedValue(expected: "a number below 2^32", at: start)
    }
    return value
  }

  /// A count of items of which each takes at least `bytesEach` bytes, checked before reserving.
  @inlinable
  public mutating func count(bytesEach: Int = 1) throws(PackedError) -> Int {
    let start = offset
    let value = try varint()
    guard value <= UInt64(remaining / max(1, bytesEach)) else {
      throw .countTooLarge(value, at: start)
    }
    return Int(value)
  }

  package mutating func utf8(count: Int) throws(PackedError) -> String {
    let start = offset
    let bytes = try raw(count: count)
    // `String(validating:)` takes ten times as long as the check and the copy.
    guard UTF8Check.isValid(bytes) else { throw .invalidUTF8(at: start) }
    return String(decoding: bytes, as: UTF8.self)
  }

  @inlinable
  package mutating func zigzag() throws(PackedError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }
}
