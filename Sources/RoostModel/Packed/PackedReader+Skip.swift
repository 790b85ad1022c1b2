extension PackedReader {
  /// Steps over one value and checks its form, text included, without making it.
  public mutating func skip() throws(PackedError) {
    try skip(depth: 0)
  }

  private mutating func skip(depth: Int) throws(PackedError) {
    let start = offset
    let tag = try peek()
    switch tag {
    case PackedTag.smallInt..., PackedTag.null, PackedTag.false, PackedTag.true:
      _ = try byte()
    case PackedTag.shortText..<PackedTag.smallInt:
      _ = try byte()
      try checkUTF8(try raw(count: Int(tag & 0x3F)), at: start)
    case PackedTag.text:
      _ = try byte()
      let byteCount = try count()
      guard byteCount >= 64 else { throw .notCanonical(at: start) }
      try checkUTF8(try raw(count: byteCount), at: start)
    case PackedTag.blob:
      _ = try byte()
      _ = try raw(count: try count())
    case PackedTag.list, PackedTag.map, PackedTag.key:
      // Rare in rows: the checks of making it are worth more than the time saved.
      guard depth < Limits.valueDepthMax else { throw .tooDeep(at: start) }
      _ = try value()
    default:
      // Numbers, dates and references have no storage of their own: making them is skipping them.
      _ = try value()
    }
  }

  private func checkUTF8(_ bytes: UnsafeRawBufferPointer, at start: Int) throws(PackedError) {
    guard UTF8Check.isValid(bytes) else { throw .invalidUTF8(at: start) }
  }
}
