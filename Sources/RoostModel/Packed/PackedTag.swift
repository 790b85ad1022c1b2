/// First bytes of a packed value (`Protocol/SPEC.md`, "Values").
package enum PackedTag {
  // Inlined into the rooms that pack rows: a constant instead of a call for each value.
  @inlinable @inline(__always) package static var null: UInt8 { 0x00 }
  @inlinable @inline(__always) package static var `false`: UInt8 { 0x01 }
  @inlinable @inline(__always) package static var `true`: UInt8 { 0x02 }
  /// A zigzag varint of at most eight bytes.
  @inlinable @inline(__always) package static var int: UInt8 { 0x03 }
  @inlinable @inline(__always) package static var double: UInt8 { 0x04 }
  @inlinable @inline(__always) package static var text: UInt8 { 0x05 }
  @inlinable @inline(__always) package static var blob: UInt8 { 0x06 }
  @inlinable @inline(__always) package static var date: UInt8 { 0x07 }
  @inlinable @inline(__always) package static var uuid: UInt8 { 0x08 }
  @inlinable @inline(__always) package static var decimal: UInt8 { 0x09 }
  @inlinable @inline(__always) package static var list: UInt8 { 0x0A }
  @inlinable @inline(__always) package static var map: UInt8 { 0x0B }
  /// Eight bytes of two's complement, for what ``int`` cannot hold.
  @inlinable @inline(__always) package static var wideInt: UInt8 { 0x0C }
  @inlinable @inline(__always) package static var reference: UInt8 { 0x0D }
  @inlinable @inline(__always) package static var result: UInt8 { 0x0E }
  @inlinable @inline(__always) package static var key: UInt8 { 0x0F }
  /// A row batch with its header; not a value.
  @inlinable @inline(__always) package static var batch: UInt8 { 0x10 }
  /// `0x40 + n`: text of n bytes, n below 64.
  @inlinable @inline(__always) package static var shortText: UInt8 { 0x40 }
  /// `0x80 + n`: the integer n, 0…127.
  @inlinable @inline(__always) package static var smallInt: UInt8 { 0x80 }
}
