public import FoundationEssentials

/// Appends values in packed form, the encoding of rows on the wire and in the row cache.
///
/// The layout is in `Protocol/SPEC.md`, "Values". Every value has exactly one form.
public struct PackedWriter: Sendable {
  // Inlined into its callers: a request's head is a dozen calls of a few bytes each.
  @usableFromInline var storage: [UInt8]

  /// What has been written.
  public package(set) var bytes: [UInt8] {
    get { storage }
    _modify { yield &storage }
  }

  /// How many bytes have been written.
  @inlinable public var byteCount: Int { storage.count }

  /// Starts empty, with room for some bytes.
  public init(reserving byteCount: Int = 0) {
    storage = []
    storage.reserveCapacity(byteCount)
  }

  /// Goes on behind bytes that are already there.
  public init(appendingTo bytes: consuming [UInt8]) { storage = bytes }

  /// Starts again.
  public mutating func removeAll(keepingCapacity: Bool) {
    bytes.removeAll(keepingCapacity: keepingCapacity)
  }

  /// Drops what was appended after the writer had `count` bytes: a row that turned out wrong.
  package mutating func truncate(to count: Int) {
    if count < bytes.count { bytes.removeLast(bytes.count - count) }
  }

  // MARK: Parts

  /// Appends one byte.
  @inlinable
  public mutating func byte(_ value: UInt8) { storage.append(value) }

  /// Appends an integer in its own size, little-endian.
  @inlinable
  public mutating func fixed<Integer: FixedWidthInteger>(_ value: Integer) {
    withUnsafeBytes(of: value.littleEndian) { storage.append(contentsOf: $0) }
  }

  /// Appends seven bits a byte, the lowest first.
  @inlinable
  public mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      storage.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    storage.append(UInt8(truncatingIfNeeded: rest))
  }

  /// Appends a count that is not negative as a varint.
  @inlinable
  public mutating func count(_ value: Int) { varint(UInt64(value)) }

  /// Appends bytes as they are.
  @inlinable
  public mutating func raw(_ buffer: UnsafeRawBufferPointer) { storage.append(contentsOf: buffer) }

  /// Appends bytes as they are.
  public mutating func raw(_ other: [UInt8]) { storage.append(contentsOf: other) }

  // MARK: Values

  /// Appends null.
  public mutating func null() { byte(PackedTag.null) }

  /// Appends a truth value.
  public mutating func bool(_ value: Bool) { byte(value ? PackedTag.true : PackedTag.false) }

  /// Appends an integer, in as few bytes as it needs.
  public mutating func int(_ value: Int64) {
    if value >= 0, value < 128 {
      byte(PackedTag.smallInt | UInt8(truncatingIfNeeded: value))
      return
    }
    let zigzag = PackedWriter.zigzag(value)
    if zigzag >> 56 == 0 {
      byte(PackedTag.int)
      varint(zigzag)
    } else {
      byte(PackedTag.wideInt)
      fixed(value)
    }
  }

  /// Appends a number; every NaN becomes the same one.
  public mutating func double(_ value: Double) {
    byte(PackedTag.double)
    fixed(PackedWriter.canonicalBits(value))
  }

  /// Appends a date as seconds since 2001-01-01T00:00:00Z.
  public mutating func date(_ secondsSince2001: Double) {
    byte(PackedTag.date)
    fixed(PackedWriter.canonicalBits(secondsSince2001))
  }

  /// Appends text.
  public mutating func text(_ value: String) {
    var value = value
    value.withUTF8 { text(utf8: UnsafeRawBufferPointer($0)) }
  }

  /// Appends text that is known to be valid UTF-8.
  public mutating func text(utf8 buffer: UnsafeRawBufferPointer) {
    if buffer.count < 64 {
      byte(PackedTag.shortText | UInt8(truncatingIfNeeded: buffer.count))
    } else {
      byte(PackedTag.text)
      count(buffer.count)
    }
    raw(buffer)
  }

  /// Appends bytes as a value.
  public mutating func blob(_ buffer: UnsafeRawBufferPointer) {
    byte(PackedTag.blob)
    count(buffer.count)
    raw(buffer)
  }

  /// Appends a UUID.
  public mutating func uuid(_ value: UUID) {
    byte(PackedTag.uuid)
    withUnsafeBytes(of: value.uuid) { bytes.append(contentsOf: $0) }
  }

  /// Appends a decimal number that is in canonical form.
  public mutating func decimal(_ canonicalText: String) {
    byte(PackedTag.decimal)
    count(canonicalText.utf8.count)
    bytes.append(contentsOf: canonicalText.utf8)
  }

  /// Appends a reference to a row.
  public mutating func reference(_ value: RowReference) {
    byte(PackedTag.reference)
    varint(UInt64(value.entity))
    varint(PackedWriter.zigzag(value.row))
  }

  /// Starts a list; exactly `count` values must follow.
  public mutating func list(count: Int) {
    byte(PackedTag.list)
    self.count(count)
  }

  /// Starts a map; exactly `count` pairs of text and value must follow, keys ascending.
  public mutating func map(count: Int) {
    byte(PackedTag.map)
    self.count(count)
  }

  /// Appends a value of any kind.
  public mutating func value(_ value: Value) {
    switch value {
    case .null: null()
    case .bool(let value): bool(value)
    case .int(let value): int(value)
    case .double(let value): double(value)
    case .text(let value): text(value)
    case .blob(let value): value.withUnsafeBytes { blob($0) }
    case .date(let value): date(value)
    case .uuid(let value): uuid(value)
    case .decimal(let value): decimal(value)
    case .list(let values):
      list(count: values.count)
      for value in values { self.value(value) }
    case .map(let entries):
      map(count: entries.count)
      for entry in entries {
        text(entry.key)
        self.value(entry.value)
      }
    case .reference(let value): reference(value)
    case .result(let operation):
      byte(PackedTag.result)
      varint(UInt64(operation))
    case .key(let key): self.key(key)
    }
  }

  private mutating func key(_ key: KeyReference) {
    byte(PackedTag.key)
    varint(UInt64(key.entity))
    count(key.constraint.count)
    for property in key.constraint { varint(UInt64(property)) }
    for value in key.values { self.value(value) }
    byte(key.createsMissing ? 1 : 0)
  }

  // MARK: Forms

  @inlinable
  package static func zigzag(_ value: Int64) -> UInt64 {
    UInt64(bitPattern: (value << 1) ^ (value >> 63))
  }

  /// One bit pattern for every NaN, so that equal values have equal bytes.
  @inlinable
  package static func canonicalBits(_ value: Double) -> UInt64 {
    value.isNaN ? 0x7FF8_0000_0000_0000 : value.bitPattern
  }
}
