import RoostModel

/// Rows in wire form, by identifier and by unique key, within a bound of bytes.
///
/// It belongs to the main actor. A hit is one probe and a view of bytes that are sent as they are.
/// Eviction is CLOCK by segments: what was read since the last round stays.
/// A key leads to a row only while that very version of the row is here: whatever changes a row
/// removes it, so no key can outlive a change.
final class RowCache {
  private var table: ProbeTable
  private var arena: RecordArena
  private var lastStamp: UInt64 = 0
  private var hasReclaimed = false

  private(set) var rowCount = 0
  private(set) var hits: UInt64 = 0
  private(set) var misses: UInt64 = 0
  private(set) var evictions: UInt64 = 0

  init(bytesMax: Int) {
    arena = RecordArena(bytesMax: bytesMax)
    // A row of a small entity takes some 64 bytes with its header.
    table = ProbeTable(entriesMax: max(1_024, bytesMax / 128))
  }

  var byteCount: Int { arena.byteCount }
  var bytesMax: Int { arena.segmentsMax * RecordArena.segmentBytes }
  var recordCount: Int { table.count }

  /// Whether rows that nobody has asked for may come in: nothing had to go for another one yet.
  var hasRoom: Bool {
    !hasReclaimed && arena.byteCount < bytesMax / 4 * 3 && table.count < table.capacity / 4 * 3
  }

  // MARK: Looking up

  /// Whether a row is here; not counted as a use of it.
  func contains(entity: EntityID, row: Int64) -> Bool {
    find(entity, row, RowCache.hash(entity, row)) != 0
  }

  /// The position of a row, 0 if it is not here; good until the cache changes.
  @inline(__always)
  func position(entity: EntityID, row: Int64) -> UInt32 {
    let position = find(entity, row, RowCache.hash(entity, row))
    if position == 0 {
      misses &+= 1
    } else {
      hits &+= 1
      arena.header(at: position).pointee.isReferenced = true
    }
    return position
  }

  /// The position of the row that a key names; the key is its properties and values in wire form.
  func position(entity: EntityID, key: UnsafeRawBufferPointer) -> UInt32 {
    let found = find(entity, key, RowCache.hash(entity, key))
    guard found != 0 else {
      misses &+= 1
      return 0
    }
    let header = arena.header(at: found)
    let row = find(entity, header.pointee.row, RowCache.hash(entity, header.pointee.row))
    guard row != 0, arena.header(at: row).pointee.stamp == header.pointee.stamp else {
      misses &+= 1
      remove(found)
      return 0
    }
    hits &+= 1
    header.pointee.isReferenced = true
    arena.header(at: row).pointee.isReferenced = true
    return row
  }

  @inline(__always)
  func bytes(at position: UInt32) -> UnsafeRawBufferPointer { arena.payload(at: position) }

  // MARK: Changing

  /// Takes a row that a reader brought; the caller has made sure that nothing newer touched it.
  func insert(
    entity: EntityID, row: Int64, bytes: UnsafeRawBufferPointer, key: UnsafeRawBufferPointer? = nil
  ) {
    remove(entity: entity, row: row)
    guard bytes.count <= RecordArena.payloadBytesMax else { return }
    lastStamp &+= 1
    append(
      bytes, entity: entity, row: row, hash: RowCache.hash(entity, row), kind: .row,
      stamp: lastStamp)
    rowCount += 1
    guard let key, key.count <= 1_024 else { return }
    let hash = RowCache.hash(entity, key)
    let old = find(entity, key, hash)
    if old != 0 { remove(old) }
    append(key, entity: entity, row: row, hash: hash, kind: .key, stamp: lastStamp)
  }

  func remove(entity: EntityID, row: Int64) {
    guard rowCount > 0 else { return }
    let position = find(entity, row, RowCache.hash(entity, row))
    if position != 0 { remove(position) }
  }

  func removeAll() {
    table.removeAll()
    arena.removeAll()
    rowCount = 0
    hasReclaimed = false
  }

  private func append(
    _ payload: UnsafeRawBufferPointer, entity: EntityID, row: Int64, hash: UInt32,
    kind: RecordHeader.Kind, stamp: UInt64
  ) {
    while table.count + 1 >= table.capacity { reclaim() }
    var room = arena.allocate(payloadBytes: payload.count)
    while room == nil {
      reclaim()
      room = arena.allocate(payloadBytes: payload.count)
    }
    guard let position = room else { return }
    let header = arena.header(at: position)
    header.initialize(
      to: RecordHeader(
        byteCount: UInt32(payload.count), entity: entity, row: row, hash: hash, kind: kind,
        isReferenced: false, isDead: false, stamp: stamp))
    if let source = payload.baseAddress {
      (UnsafeMutableRawPointer(header) + RecordArena.headerBytes)
        .copyMemory(from: source, byteCount: payload.count)
    }
    table.insert(hash, position)
  }

  private func remove(_ position: UInt32) {
    let header = arena.header(at: position)
    table.remove(header.pointee.hash, position)
    header.pointee.isDead = true
    if header.pointee.kind == .row { rowCount -= 1 }
  }

  /// Takes the oldest segment back. Each round clears the marks of what stays, so the second
  /// round at the latest makes room.
  private func reclaim() {
    hasReclaimed = true
    var moves: [(UInt32, UInt32, UInt32)] = []
    var dropped: [(UInt32, UInt32)] = []
    var droppedRows = 0
    arena.reclaim(
      keep: { position, header in
        if header.pointee.isDead { return false }
        if header.pointee.isReferenced {
          header.pointee.isReferenced = false
          return true
        }
        dropped.append((header.pointee.hash, position))
        if header.pointee.kind == .row { droppedRows += 1 }
        return false
      },
      moved: { header, old, new in moves.append((header.pointee.hash, old, new)) })
    for (hash, position) in dropped { table.remove(hash, position) }
    for (hash, old, new) in moves { table.move(hash, from: old, to: new) }
    rowCount -= droppedRows
    evictions &+= UInt64(dropped.count)
  }

  // MARK: Hashes

  @inline(__always)
  private func find(_ entity: EntityID, _ row: Int64, _ hash: UInt32) -> UInt32 {
    table.find(hash) { position in
      let header = arena.header(at: position).pointee
      return header.row == row && header.entity == entity && header.kind == .row
    }
  }

  private func find(_ entity: EntityID, _ key: UnsafeRawBufferPointer, _ hash: UInt32) -> UInt32 {
    table.find(hash) { position in
      let header = arena.header(at: position).pointee
      return header.entity == entity && header.kind == .key
        && arena.payload(at: position).elementsEqual(key)
    }
  }

  @inline(__always)
  private static func hash(_ entity: EntityID, _ row: Int64) -> UInt32 {
    fold(UInt64(bitPattern: row) &+ UInt64(entity) &* 0xA24B_AED4_963E_E407)
  }

  private static func hash(_ entity: EntityID, _ key: UnsafeRawBufferPointer) -> UInt32 {
    var state = UInt64(entity) &+ 0x9FB2_1C65_1E98_DF25
    var index = 0
    while index + 8 <= key.count {
      let word = key.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      state = (state ^ word) &* 0x9E37_79B9_7F4A_7C15
      state ^= state >> 29
      index += 8
    }
    while index < key.count {
      state = (state ^ UInt64(key[index])) &* 0x0000_0100_0000_01B3
      index += 1
    }
    return fold(state ^ UInt64(key.count))
  }

  @inline(__always)
  private static func fold(_ value: UInt64) -> UInt32 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
    return UInt32(truncatingIfNeeded: mixed >> 32)
  }
}
