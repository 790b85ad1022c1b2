/// First bytes of a packed value (`Protocol/SPEC.md`, "Values").
package enum PackedTag {
  package static let null: UInt8 = 0x00
  package static let `false`: UInt8 = 0x01
  package static let `true`: UInt8 = 0x02
  /// A zigzag varint of at most eight bytes.
  package static let int: UInt8 = 0x03
  package static let double: UInt8 = 0x04
  package static let text: UInt8 = 0x05
  package static let blob: UInt8 = 0x06
  package static let date: UInt8 = 0x07
  package static let uuid: UInt8 = 0x08
  package static let decimal: UInt8 = 0x09
  package static let list: UInt8 = 0x0A
  package static let map: UInt8 = 0x0B
  /// Eight bytes of two's complement, for what ``int`` cannot hold.
  package static let wideInt: UInt8 = 0x0C
  package static let reference: UInt8 = 0x0D
  package static let result: UInt8 = 0x0E
  package static let key: UInt8 = 0x0F
  /// A row batch with its header; not a value.
  package static let batch: UInt8 = 0x10
  /// `0x40 + n`: text of n bytes, n below 64.
  package static let shortText: UInt8 = 0x40
  /// `0x80 + n`: the integer n, 0…127.
  package static let smallInt: UInt8 = 0x80
}
