@_spi(_Unicode) import Swift

/// Text without case and accents, the same on every machine and in every locale.
///
/// Decomposes, drops the marks that sit on letters, maps case by way of upper case (so that "ß"
/// is "ss" and a final sigma is a sigma), and composes again. Marks that make another letter of
/// it, as in Japanese, Hebrew vowels or Indic scripts, stay.
package enum TextFolding {
  /// Folds a text; what `~=` and `localizedStandardContains` compare.
  ///
  /// - Complexity: O(*n*); text that is ASCII costs one pass over its bytes.
  package static func fold(_ text: String) -> String {
    var text = text
    if let folded = text.withUTF8({ foldASCII($0) }) { return folded }
    return foldUnicode(text)
  }

  /// Folds bytes that are valid UTF-8 without making a `String` of them first if they are ASCII.
  package static func fold(utf8 bytes: UnsafeBufferPointer<UInt8>) -> String {
    foldASCII(bytes) ?? foldUnicode(String(decoding: bytes, as: UTF8.self))
  }

  private static func foldASCII(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
    guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
    return String(unsafeUninitializedCapacity: bytes.count) { target in
      for index in bytes.indices {
        let byte = bytes[index]
        target[index] = byte &- 0x41 < 26 ? byte | 0x20 : byte
      }
      return bytes.count
    }
  }

  private static func foldUnicode(_ text: String) -> String {
    var folded = String.UnicodeScalarView()
    for scalar in text._nfd where !isAccent(scalar) {
      if scalar.isASCII {
        folded.append(
          scalar.value &- 0x41 < 26 ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar)
      } else {
        appendFolded(scalar, to: &folded)
      }
    }
    var composed = String.UnicodeScalarView()
    composed.append(contentsOf: String(folded)._nfc)
    return String(composed)
  }

  private static func appendFolded(
    _ scalar: Unicode.Scalar, to folded: inout String.UnicodeScalarView
  ) {
    for upper in scalar.properties.uppercaseMapping.unicodeScalars {
      for lower in upper.properties.lowercaseMapping.unicodeScalars where !isAccent(lower) {
        folded.append(lower)
      }
    }
  }

  /// Marks above, below, through and attached to a letter: combining classes 1 and 200 to 240.
  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.value >= 0x300 else { return false }
    let combiningClass = scalar.properties.canonicalCombiningClass.rawValue
    return combiningClass == 1 || (200...240).contains(combiningClass)
  }
}
