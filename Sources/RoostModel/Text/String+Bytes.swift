extension String {
  /// The order of UTF-8 bytes, which is the store's: negative, 0 or positive.
  package func compareBytes(to other: String) -> Int {
    let compared = utf8.withContiguousStorageIfAvailable { lhs in
      other.utf8.withContiguousStorageIfAvailable { rhs in
        UnsafeRawBufferPointer(lhs).compareBytes(to: UnsafeRawBufferPointer(rhs))
      }
    }
    if let compared = compared ?? nil { return compared }
    if utf8.elementsEqual(other.utf8) { return 0 }
    return utf8.lexicographicallyPrecedes(other.utf8) ? -1 : 1
  }

  /// Whether the bytes are the same; Swift's `==` would take decomposed accents as equal, too.
  package func hasSameBytes(as other: String) -> Bool { compareBytes(to: other) == 0 }

  func hashBytes(into hasher: inout Hasher) {
    var copy = self
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(utf8.count)
  }
}

extension UnsafeRawBufferPointer {
  /// Bytewise, a prefix before what it begins: negative, 0 or positive.
  package func compareBytes(to other: UnsafeRawBufferPointer) -> Int {
    let common = Swift.min(count, other.count)
    var index = 0
    while index + 8 <= common {
      let lhs = loadUnaligned(fromByteOffset: index, as: UInt64.self)
      let rhs = other.loadUnaligned(fromByteOffset: index, as: UInt64.self)
      if lhs != rhs { return lhs.bigEndian < rhs.bigEndian ? -1 : 1 }
      index += 8
    }
    while index < common {
      if self[index] != other[index] { return self[index] < other[index] ? -1 : 1 }
      index += 1
    }
    return count == other.count ? 0 : (count < other.count ? -1 : 1)
  }
}
