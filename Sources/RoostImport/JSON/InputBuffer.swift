/// Bytes that came and were not taken yet, with the line they stand on.
///
/// Its owner is a reader of one thread; the memory moves when bytes are appended.
struct InputBuffer: ~Copyable {
  private var storage = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
  /// First byte that was not taken.
  private(set) var start = 0
  private(set) var end = 0
  /// No more bytes will be appended.
  var isFinished = false
  /// Line of the byte at `start`, from 1.
  private(set) var line = 1
  /// All bytes taken so far.
  private(set) var byteCount = 0
  /// Everything before it was searched for a line's end.
  private var searched = 0

  init() {}
  deinit { storage.deallocate() }

  /// From the buffer's beginning to the end of what came; not only what is pending.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: storage[..<end]) }
  var pendingCount: Int { end - start }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(InputFault) {
    guard pendingCount + bytes.count <= 2 * ImportLimits.recordBytesMax else { throw tooLong() }
    makeRoom(bytes.count)
    if let source = bytes.baseAddress, let target = storage.baseAddress {
      (target + end).copyMemory(from: source, byteCount: bytes.count)
    }
    end += bytes.count
  }

  private mutating func makeRoom(_ count: Int) {
    if end + count <= storage.count { return }
    let kept = pendingCount
    var target = storage
    if kept + count > storage.count {
      target = .allocate(byteCount: max(storage.count * 2, kept + count), alignment: 16)
    }
    if kept > 0, let from = storage.baseAddress, let to = target.baseAddress {
      to.copyMemory(from: from + start, byteCount: kept)
    }
    if target.baseAddress != storage.baseAddress {
      storage.deallocate()
      storage = target
    }
    searched = max(0, searched - start)
    start = 0
    end = kept
  }

  /// Everything before `offset` is done with.
  mutating func take(to offset: Int) {
    line += UnsafeRawBufferPointer(rebasing: storage[start..<offset]).lineFeeds()
    byteCount += offset - start
    start = offset
  }

  /// The next line with its newline, or what remains at the end; nil if it is not there yet.
  mutating func nextLine() throws(InputFault) -> Range<Int>? {
    var index = max(start, searched)
    let bytes = self.bytes
    while index < end {
      if bytes[index] == Byte.lineFeed {
        searched = index + 1
        return start..<index + 1
      }
      index += 1
    }
    searched = end
    if isFinished { return start < end ? start..<end : nil }
    if pendingCount > ImportLimits.recordBytesMax { throw tooLong() }
    return nil
  }

  /// Passes a byte order mark; false if too few bytes came to tell.
  mutating func skipByteOrderMark() throws(InputFault) -> Bool {
    if pendingCount < 3, !isFinished { return false }
    guard pendingCount >= 2 else { return true }
    let first = storage[start]
    let second = storage[start + 1]
    if (first == 0xFF && second == 0xFE) || (first == 0xFE && second == 0xFF) {
      throw InputFault(
        line: 1, reason: "the file is UTF-16; convert it to UTF-8 first", isFatal: true)
    }
    if pendingCount >= 3, first == 0xEF, second == 0xBB, storage[start + 2] == 0xBF {
      take(to: start + 3)
    }
    return true
  }

  func tooLong() -> InputFault {
    InputFault(
      line: line,
      reason: "the record is longer than \(ImportLimits.recordBytesMax >> 20) MiB", isFatal: true)
  }
}
