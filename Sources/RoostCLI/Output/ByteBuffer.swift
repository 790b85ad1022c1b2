/// Bytes that grow at their end: what rows are printed into.
///
/// An array looks at its owner and its capacity for each byte; here room is asked for once for all
/// that a value can take, and the value is then written without further questions. Whoever calls
/// ``put(_:)`` must have called ``reserve(_:)`` for at least as many bytes; ``append(_:)`` needs
/// nothing before it.
struct ByteBuffer: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity: Int
  /// How many bytes have been written.
  private(set) var count = 0

  /// Starts empty, with room for at least so many bytes.
  init(reserving capacity: Int = 0) {
    self.capacity = max(256, capacity)
    start = .allocate(capacity: self.capacity)
  }

  deinit { start.deallocate() }

  /// Makes room for so many bytes behind those that are there.
  @inline(__always)
  mutating func reserve(_ more: Int) {
    if more > capacity - count { grow(more) }
  }

  private mutating func grow(_ more: Int) {
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    moved.update(from: start, count: count)
    start.deallocate()
    start = moved
    capacity = larger
  }

  /// Writes a byte into room that was reserved.
  @inline(__always)
  mutating func put(_ byte: UInt8) {
    assert(count < capacity)
    start[count] = byte
    count &+= 1
  }

  /// Writes bytes into room that was reserved.
  @inline(__always)
  mutating func put(_ bytes: UnsafeRawBufferPointer) {
    assert(bytes.count <= capacity - count)
    guard let source = bytes.baseAddress else { return }
    UnsafeMutableRawPointer(start + count).copyMemory(from: source, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Writes so many bytes of reserved room in one go; `body` must fill all of them.
  @inline(__always)
  mutating func put(count more: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    assert(more <= capacity - count)
    body(start + count)
    count &+= more
  }

  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    put(byte)
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    reserve(bytes.count)
    put(bytes)
  }

  /// Appends a part of another buffer.
  mutating func append(_ part: Range<Int>, of other: borrowing ByteBuffer) {
    precondition(part.lowerBound >= 0 && part.upperBound <= other.count)
    append(UnsafeRawBufferPointer(start: other.start + part.lowerBound, count: part.count))
  }

  mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBytes { append($0) } }

  /// Appends the UTF-8 of a text.
  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(UnsafeRawBufferPointer($0)) }
  }

  /// Starts again with the room that is there.
  mutating func removeAll() { count = 0 }

  /// Lends what has been written.
  borrowing func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(UnsafeRawBufferPointer(start: start, count: count))
  }

  /// A copy of what has been written.
  var bytes: [UInt8] { [UInt8](UnsafeRawBufferPointer(start: start, count: count)) }
}
