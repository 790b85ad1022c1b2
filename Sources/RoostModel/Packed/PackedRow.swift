/// Finds and reads single values of rows whose form is known to be right: packed by this process,
/// or checked when they arrived.
///
/// It steps over values by their length alone. Bytes that are no values give nil and never trap;
/// bounds are checked at every step.
package struct PackedRow {
  private let bytes: UnsafeRawBufferPointer
  private let start: Int

  /// The row that begins at `start`; the buffer must outlive it.
  package init(_ bytes: UnsafeRawBufferPointer, at start: Int) {
    self.bytes = bytes
    self.start = start
  }

  /// Where the row ends.
  package func end(columns: Int) -> Int? { offset(of: columns) }

  /// Where a column's value begins.
  ///
  /// - Complexity: O(columns before it), a few instructions each.
  @inline(__always)
  private func offset(of column: Int) -> Int? {
    var offset = start
    for _ in 0..<column {
      guard let next = step(offset) else { return nil }
      offset = next
    }
    return offset
  }

  @inline(__always)
  private func step(_ offset: Int) -> Int? {
    guard offset < bytes.count else { return nil }
    let tag = bytes[offset]
    let end: Int
    switch tag {
    case PackedTag.smallInt..., PackedTag.null, PackedTag.false, PackedTag.true: end = offset + 1
    case PackedTag.shortText..<PackedTag.smallInt: end = offset + 1 + Int(tag & 0x3F)
    case PackedTag.double, PackedTag.date, PackedTag.wideInt: end = offset + 9
    case PackedTag.int:
      var last = offset + 1
      while last < bytes.count, bytes[last] >= 0x80 { last += 1 }
      end = last + 1
    default: return longStep(offset)
    }
    return end <= bytes.count ? end : nil
  }

  private func longStep(_ offset: Int) -> Int? {
    var reader = PackedReader(bytes, offset: offset)
    do throws(PackedError) {
      switch try reader.byte() {
      case PackedTag.result: _ = try reader.varint()
      case PackedTag.uuid: _ = try reader.raw(count: 16)
      case PackedTag.text, PackedTag.blob, PackedTag.decimal:
        _ = try reader.raw(count: try reader.count())
      case PackedTag.reference:
        _ = try reader.varint()
        _ = try reader.varint()
      default:
        reader = PackedReader(bytes, offset: offset)
        try reader.skip()
      }
    } catch {
      return nil
    }
    return reader.offset
  }

  // MARK: Values

  /// A value of any kind.
  package func value(_ column: Int) -> Value? {
    guard let offset = offset(of: column) else { return nil }
    var reader = PackedReader(bytes, offset: offset)
    return try? reader.value()
  }

  /// Whether the value is null.
  package func isNull(_ column: Int) -> Bool {
    guard let offset = offset(of: column), offset < bytes.count else { return false }
    return bytes[offset] == PackedTag.null
  }

  /// A whole number; nil for any other kind.
  package func integer(_ column: Int) -> Int64? {
    guard let offset = offset(of: column), offset < bytes.count else { return nil }
    let tag = bytes[offset]
    if tag >= PackedTag.smallInt { return Int64(tag & 0x7F) }
    guard tag == PackedTag.int || tag == PackedTag.wideInt else { return nil }
    var reader = PackedReader(bytes, offset: offset + 1)
    do throws(PackedError) {
      return tag == PackedTag.int ? try reader.zigzag() : try reader.fixed(Int64.self)
    } catch {
      return nil
    }
  }

  /// A double or a date; nil for any other kind.
  package func real(_ column: Int) -> Double? {
    guard let offset = offset(of: column), offset + 9 <= bytes.count,
      bytes[offset] == PackedTag.double || bytes[offset] == PackedTag.date
    else { return nil }
    let bits = bytes.loadUnaligned(fromByteOffset: offset + 1, as: UInt64.self)
    return Double(bitPattern: UInt64(littleEndian: bits))
  }

  /// A truth value; nil for any other kind.
  package func flag(_ column: Int) -> Bool? {
    guard let offset = offset(of: column), offset < bytes.count else { return nil }
    switch bytes[offset] {
    case PackedTag.true: return true
    case PackedTag.false: return false
    default: return nil
    }
  }

  /// A text; nil for any other kind, and for bytes that are not UTF-8.
  package func text(_ column: Int) -> String? {
    guard let offset = offset(of: column), offset < bytes.count else { return nil }
    let tag = bytes[offset]
    var reader = PackedReader(bytes, offset: offset + 1)
    if tag >= PackedTag.shortText, tag < PackedTag.smallInt {
      return try? reader.utf8(count: Int(tag & 0x3F))
    }
    guard tag == PackedTag.text, let count = try? reader.count() else { return nil }
    return try? reader.utf8(count: count)
  }
}
