import RoostModel
import RoostSQLite

/// Packs many rows of one result into one buffer, with a check of the room for each row instead of
/// each byte.
///
/// Gives the same bytes as ``RowEncoding``, which packs what is not stored as its column says.
struct RowPacker: ~Copyable {
  private let columns: [ResultColumn]
  private let kinds: UnsafeMutablePointer<ColumnKind>
  private let cells: UnsafeMutableBufferPointer<Cell>
  private var bytes: UnsafeMutableRawPointer
  private var capacity: Int
  /// How many bytes have been packed.
  private(set) var count = 0

  init(_ columns: [ResultColumn], reserving capacity: Int) {
    self.columns = columns
    cells = .allocate(capacity: columns.count)
    cells.initialize(repeating: .null)
    kinds = .allocate(capacity: columns.count)
    for (index, column) in columns.enumerated() { kinds[index] = column.kind }
    self.capacity = max(64, capacity)
    bytes = .allocate(byteCount: self.capacity, alignment: 16)
  }

  deinit {
    cells.deallocate()
    kinds.deallocate()
    bytes.deallocate()
  }

  /// What has been packed; the packer is empty afterwards.
  mutating func take() -> [UInt8] {
    defer { count = 0 }
    return [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
  }

  /// Packs the row the statement stands on.
  ///
  /// What has a length is measured before it is copied, so that the packer holds no more than
  /// `bytesMax` and the row's numbers.
  mutating func append(_ statement: Statement, bytesMax: Int) throws(StoreError) {
    let byteCount = statement.read(into: cells)
    guard byteCount <= bytesMax - count else { throw RowEncoding.tooLarge }
    // A number takes ten bytes at most, a reference sixteen.
    reserve(byteCount + cells.count * 16)
    for index in 0..<cells.count { try append(index, statement, bytesMax) }
  }

  /// Packs null for every column: a row that is not there.
  mutating func appendMissing() {
    reserve(columns.count)
    for _ in columns { byte(PackedTag.null) }
  }

  private mutating func append(
    _ index: Int, _ statement: Statement, _ bytesMax: Int
  ) throws(StoreError) {
    let cell = cells[index]
    if case .null = cell.kind { return byte(PackedTag.null) }
    switch (kinds[index], cell.kind) {
    case (.int, .integer), (.uint64, .integer): int(cell.bits)
    case (.bool, .integer): byte(cell.bits != 0 ? PackedTag.true : PackedTag.false)
    case (.double, .real): real(PackedTag.double, cell.bits)
    case (.date, .real): real(PackedTag.date, cell.bits)
    case (.text, .text), (.json, .text): try text(cell.bytes)
    case (.reference, .integer): reference(columns[index].destination, cell.bits)
    case (.data, .blob): blob(cell.bytes)
    case (.uuid, .blob) where cell.bytes.count == 16:
      byte(PackedTag.uuid)
      raw(cell.bytes)
    default: try other(index, statement, bytesMax)
    }
  }

  /// Kinds that are rare, and values that only a foreign program can have written.
  private mutating func other(
    _ index: Int, _ statement: Statement, _ bytesMax: Int
  ) throws(StoreError) {
    var writer = PackedWriter()
    try RowEncoding.append(
      statement, index, columns[index], to: &writer, bytesMax: bytesMax - count)
    reserve(writer.bytes.count + columns.count * 16 + followingBytes(index))
    writer.bytes.withUnsafeBytes { raw($0) }
  }

  private func followingBytes(_ index: Int) -> Int {
    cells[(index + 1)...].reduce(0) { $0 + $1.bytes.count }
  }

  private mutating func reserve(_ more: Int) {
    if more <= capacity - count { return }
    let larger = max(capacity * 2, count + more)
    let made = UnsafeMutableRawPointer.allocate(byteCount: larger, alignment: 16)
    made.copyMemory(from: bytes, byteCount: count)
    bytes.deallocate()
    bytes = made
    capacity = larger
  }

  // MARK: Forms, with room for them

  private mutating func byte(_ value: UInt8) {
    bytes.storeBytes(of: value, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  private mutating func raw(_ source: UnsafeRawBufferPointer) {
    guard let start = source.baseAddress else { return }
    (bytes + count).copyMemory(from: start, byteCount: source.count)
    count += source.count
  }

  private mutating func varint(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      byte(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    byte(UInt8(truncatingIfNeeded: rest))
  }

  private mutating func int(_ value: Int64) {
    if value >= 0, value < 128 {
      return byte(PackedTag.smallInt | UInt8(truncatingIfNeeded: value))
    }
    let zigzag = PackedWriter.zigzag(value)
    if zigzag >> 56 == 0 {
      byte(PackedTag.int)
      varint(zigzag)
    } else {
      byte(PackedTag.wideInt)
      fixed(UInt64(bitPattern: value))
    }
  }

  private mutating func fixed(_ value: UInt64) {
    bytes.storeBytes(of: value.littleEndian, toByteOffset: count, as: UInt64.self)
    count += 8
  }

  private mutating func real(_ tag: UInt8, _ bits: Int64) {
    byte(tag)
    let value = Double(bitPattern: UInt64(bitPattern: bits))
    fixed(PackedWriter.canonicalBits(value))
  }

  private mutating func reference(_ entity: EntityID, _ row: Int64) {
    byte(PackedTag.reference)
    varint(UInt64(entity))
    varint(PackedWriter.zigzag(row))
  }

  private mutating func blob(_ source: UnsafeRawBufferPointer) {
    byte(PackedTag.blob)
    varint(UInt64(source.count))
    raw(source)
  }

  private mutating func text(_ source: UnsafeRawBufferPointer) throws(StoreError) {
    guard UTF8Check.isValid(source) else { throw RowEncoding.notUTF8 }
    if source.count < 64 {
      byte(PackedTag.shortText | UInt8(truncatingIfNeeded: source.count))
    } else {
      byte(PackedTag.text)
      varint(UInt64(source.count))
    }
    raw(source)
  }
}
