/// Where the cache's records lie: a ring of segments, filled in turn and taken back in turn.
///
/// A record is a header of 32 bytes and its payload, padded to eight. It is named by its position
/// in units of eight bytes, which changes only when its segment is taken back.
struct RecordArena: ~Copyable {
  static let segmentBytes = 256 << 10
  static let headerBytes = 32
  /// Longer payloads are not worth their room.
  static let payloadBytesMax = segmentBytes / 4

  private var segments: [UnsafeMutableRawPointer] = []
  private var used: [Int] = []
  private var head = -1
  let segmentsMax: Int

  init(bytesMax: Int) {
    // A position is 32 bits of eight-byte units: 32 GiB.
    segmentsMax = min(max(2, bytesMax / RecordArena.segmentBytes), 1 << 17)
  }

  deinit { for segment in segments { segment.deallocate() } }

  var byteCount: Int { segments.count * RecordArena.segmentBytes }

  @inline(__always)
  func header(at position: UInt32) -> UnsafeMutablePointer<RecordHeader> {
    let unit = Int(position)
    let segment = segments[unit >> 15]
    return (segment + (unit & 0x7FFF) * 8).assumingMemoryBound(to: RecordHeader.self)
  }

  @inline(__always)
  func payload(at position: UInt32) -> UnsafeRawBufferPointer {
    let header = header(at: position)
    return UnsafeRawBufferPointer(
      start: UnsafeRawPointer(header) + RecordArena.headerBytes,
      count: Int(header.pointee.byteCount))
  }

  /// Room for a record of `payloadBytes`, or nil when the next segment must be taken back first.
  mutating func allocate(payloadBytes: Int) -> UInt32? {
    let size = RecordArena.size(payloadBytes)
    if head < 0 || used[head] + size > RecordArena.segmentBytes {
      guard segments.count < segmentsMax else { return nil }
      addSegment()
    }
    let position = UInt32(head << 15 | used[head] >> 3)
    used[head] += size
    return position
  }

  private mutating func addSegment() {
    segments.append(.allocate(byteCount: RecordArena.segmentBytes, alignment: 64))
    // Position 0 means "none".
    used.append(segments.count == 1 ? 8 : 0)
    // The ring goes on behind the newest segment while it grows, so all are in order of age.
    head = segments.count - 1
  }

  /// Makes the oldest segment the one to be filled. `keep` is asked for each of its records; those
  /// that stay are moved together, and `moved` hears where to.
  mutating func reclaim(
    keep: (UInt32, UnsafeMutablePointer<RecordHeader>) -> Bool,
    moved: (UnsafeMutablePointer<RecordHeader>, UInt32, UInt32) -> Void
  ) {
    head = (head + 1) % segments.count
    let start = head == 0 ? 8 : 0
    var target = start
    var source = start
    let end = used[head]
    let base = segments[head]
    while source < end {
      let header = (base + source).assumingMemoryBound(to: RecordHeader.self)
      let size = RecordArena.size(Int(header.pointee.byteCount))
      let position = UInt32(head << 15 | source >> 3)
      if keep(position, header) {
        if target != source {
          (base + target).copyMemory(from: base + source, byteCount: size)
          let place = (base + target).assumingMemoryBound(to: RecordHeader.self)
          moved(place, position, UInt32(head << 15 | target >> 3))
        }
        target += size
      }
      source += size
    }
    used[head] = target
  }

  mutating func removeAll() {
    for segment in segments { segment.deallocate() }
    segments = []
    used = []
    head = -1
  }

  private static func size(_ payloadBytes: Int) -> Int {
    headerBytes + (payloadBytes + 7) & ~7
  }
}

/// What stands before a record's payload.
struct RecordHeader {
  enum Kind: UInt8 {
    /// Payload: the row's values in wire form, all columns.
    case row = 1
    /// Payload: a unique key in wire form; `row` is the row it names.
    case key = 2
  }

  var byteCount: UInt32
  var entity: UInt32
  var row: Int64
  var hash: UInt32
  var kind: Kind
  var isReferenced: Bool
  var isDead: Bool
  /// Of a row: when it came. Of a key: the stamp of the row it was found with.
  var stamp: UInt64
}
