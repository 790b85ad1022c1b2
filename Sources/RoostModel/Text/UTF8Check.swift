/// Checks UTF-8 without making a `String`.
package enum UTF8Check {
  // Inlined into other rooms: it runs once for every text of every row that is read or written.
  @inlinable
  package static func isASCII(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = bytes.count
    if count >= 8 {
      var index = 0
      while index + 8 <= count {
        let word = bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        if word & 0x8080_8080_8080_8080 != 0 { return false }
        index += 8
      }
      // The last eight once more instead of up to seven one by one.
      return bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
        & 0x8080_8080_8080_8080 == 0
    }
    if count >= 4 {
      let first = bytes.loadUnaligned(as: UInt32.self)
      let last = bytes.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
      return (first | last) & 0x8080_8080 == 0
    }
    var all: UInt8 = 0
    for byte in bytes { all |= byte }
    return all < 0x80
  }

  /// Whether the bytes are UTF-8: no surrogates, no overlong forms, nothing above U+10FFFF.
  @inlinable
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    isASCII(bytes) || isWellFormed(bytes)
  }

  @usableFromInline
  package static func isWellFormed(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      let length = sequenceLength(bytes, at: index)
      if length == 0 { return false }
      index += length
    }
    return true
  }

  /// Bytes of the well-formed sequence at `index` (Unicode's table 3-7), else 0.
  private static func sequenceLength(_ bytes: UnsafeRawBufferPointer, at index: Int) -> Int {
    let lead = bytes[index]
    if lead < 0x80 { return 1 }
    let length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2
    guard lead >= 0xC2, lead <= 0xF4, index + length <= bytes.count else { return 0 }
    let second = bytes[index + 1]
    let lowest: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
    let highest: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
    guard second >= lowest, second <= highest else { return 0 }
    for next in index + 2..<max(index + 2, index + length) where bytes[next] & 0xC0 != 0x80 {
      return 0
    }
    return length
  }
}
