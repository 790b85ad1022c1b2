extension PackedReader {
  /// Steps over one value and checks its form, text included, without making it.
  public mutating func skip() throws(PackedError) {
    let start = position
    guard start < buffer.count else { throw .truncated(at: start) }
    // Half of what rows hold is one byte.
    switch buffer[start] {
    case PackedTag.smallInt..., PackedTag.null, PackedTag.false, PackedTag.true:
      position = start + 1
    case PackedTag.int:
      position = start + 1
      _ = try narrowInt(from: start)
    case let tag: try skip(tag, depth: 0)
    }
  }

  private mutating func skip(depth: Int) throws(PackedError) {
    guard depth < Limits.valueDepthMax else { throw .tooDeep(at: position) }
    try skip(try peek(), depth: depth)
  }

  private mutating func skip(_ tag: UInt8, depth: Int) throws(PackedError) {
    let start = position
    switch tag {
    case PackedTag.shortText..<PackedTag.smallInt:
      position += 1
      try checkUTF8(try raw(count: Int(tag & 0x3F)), at: start)
    case PackedTag.double, PackedTag.date:
      position += 1
      _ = try canonicalDouble(from: start)
    case PackedTag.text:
      position += 1
      let byteCount = try count()
      guard byteCount >= 64 else { throw .notCanonical(at: start) }
      try checkUTF8(try raw(count: byteCount), at: start)
    case PackedTag.blob:
      position += 1
      _ = try raw(count: try count())
    case PackedTag.list:
      position += 1
      for _ in 0..<(try count()) { try skip(depth: depth + 1) }
    default:
      // The others have little storage of their own: making them is skipping them.
      _ = try value(depth: depth)
    }
  }

  private func checkUTF8(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(PackedError) {
    guard UTF8Check.isValid(bytes) else { throw .invalidUTF8(at: start) }
  }
}
