/// Bytes on their way out: an array and how much of it has left.
struct OutputBuffer {
  private(set) var bytes: [UInt8] = []
  private var sent = 0

  var count: Int { bytes.count - sent }
  var isEmpty: Bool { sent == bytes.count }

  mutating func append(swapping other: inout [UInt8], keeping capacity: Int) {
    if isEmpty {
      reset(keeping: capacity)
      swap(&bytes, &other)
    } else {
      bytes.append(contentsOf: other)
      other.removeAll(keepingCapacity: other.capacity <= capacity)
    }
  }

  mutating func append(_ buffer: UnsafeRawBufferPointer) { bytes.append(contentsOf: buffer) }

  func withUnsent<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }

  mutating func consume(_ byteCount: Int, keeping capacity: Int) {
    sent += byteCount
    if isEmpty {
      reset(keeping: capacity)
    } else if sent > 1 << 20, sent > bytes.count / 2 {
      // Moves each byte at most once more for each time the buffer doubles.
      bytes.removeSubrange(..<sent)
      sent = 0
    }
  }

  mutating func reset(keeping capacity: Int) {
    bytes.removeAll(keepingCapacity: bytes.capacity <= capacity)
    sent = 0
  }
}
