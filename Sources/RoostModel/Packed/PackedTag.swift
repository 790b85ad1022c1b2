/// First bytes of a packed value (`Protocol/SPEC.md`, "Values").
package enum PackedTag {
  // Inlined into the rooms that pack rows: a constant instead of a call for each value.
  @inlinable package static var null: UInt8 { 0x00 }
  @inlinable package static var `false`: UInt8 { 0x01 }
  @inlinable package static var `true`: UInt8 { 0x02 }
  /// A zigzag varint of at most eight bytes.
  @inlinable package static var int: UInt8 { 0x03 }
  @inlinable package static var double: UInt8 { 0x04 }
  @inlinable package static var text: UInt8 { 0x05 }
  @inlinable package static var blob: UInt8 { 0x06 }
  @inlinable package static var date: UInt8 { 0x07 }
  @inlinable package static var uuid: UInt8 { 0x08 }
  @inlinable package static var decimal: UInt8 { 0x09 }
  @inlinable package static var list: UInt8 { 0x0A }
  @inlinable package static var map: UInt8 { 0x0B }
  /// Eight bytes of two's complement, for what ``int`` cannot hold.
  @inlinable package static var wideInt: UInt8 { 0x0C }
  @inlinable package static var reference: UInt8 { 0x0D }
  @inlinable package static var result: UInt8 { 0x0E }
  @inlinable package static var key: UInt8 { 0x0F }
  /// A row batch with its header; not a value.
  @inlinable package static var batch: UInt8 { 0x10 }
  /// `0x40 + n`: text of n bytes, n below 64.
  @inlinable package static var shortText: UInt8 { 0x40 }
  /// `0x80 + n`: the integer n, 0…127.
  @inlinable package static var smallInt: UInt8 { 0x80 }
}
